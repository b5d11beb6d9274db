#include "platform/own_session.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <ctime>
#include <fstream>
#include <memory>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include "platform/descriptor.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/stray_processes.hpp"
#include "platform/system_clock.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

bool has_terminal() {
    const Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
    return static_cast<bool>(terminal);
}

/// How long the processes of a child that was killed are killed.
constexpr Duration strays_limit = std::chrono::seconds(5);

/// Kills what a child that was killed has started, which consists of children of this process now.
void kill_strays(pid_t spared) {
    // Processes may be started faster than a process without priority kills them.
    std::ignore = prefer_real_time(guard_priority);
    StrayProcesses(spared, DriverGroup()).kill(strays_limit);
}

/// How long a child that is suspended may take to continue, and to handle the signal that ends it.
constexpr Duration suspended_limit = std::chrono::seconds(3);

bool is_suspended(pid_t process) {
    std::ifstream status(fmt::format("/proc/{}/status", process));
    for (std::string word; status >> word;)
        if (word == "State:") return status >> word && word == "T";
    return false;
}

/// Waits for one of the signals. Returns a negative number if `until` is over, or if the wait is interrupted.
int next_signal(const sigset_t& signals, std::optional<Instant> until) {
    if (!until) return ::sigwaitinfo(&signals, nullptr);
    const Duration left = std::max(*until - SystemClock().now(), Duration::zero());
    const auto seconds = std::chrono::floor<std::chrono::seconds>(left);
    const timespec time{.tv_sec = seconds.count(),
                        .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
    return ::sigtimedwait(&signals, nullptr, &time);
}

/// Forwards signals until the child has ended, and returns its exit status. After a signal, kills a child
/// that is suspended.
int wait_and_forward(pid_t child, const sigset_t& signals, const SharedProcessId& spared) {
    std::optional<Instant> until;
    for (;;) {
        const int signal = next_signal(signals, until);
        if (until && SystemClock().now() >= *until) {
            if (is_suspended(child)) ::kill(child, SIGKILL);
            *until += std::chrono::seconds(1);
        }
        if (signal < 0) continue;
        if (signal != SIGCHLD) {
            ::kill(child, signal);
            if (!until) until = SystemClock().now() + suspended_limit;
            continue;
        }
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) != child) continue;
        if (WIFSIGNALED(status)) kill_strays(spared.get());
        return exit_status_of(status);
    }
}

}  // namespace

int exit_status_of(int wait_status) {
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

using SharedId = std::atomic<pid_t>;

SharedProcessId::SharedProcessId()
    : page_(::mmap(nullptr, sizeof(SharedId), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (page_ == MAP_FAILED) page_ = nullptr;
    if (page_ != nullptr) std::construct_at(static_cast<SharedId*>(page_), -1);
}

SharedProcessId::~SharedProcessId() {
    if (page_ != nullptr) ::munmap(page_, sizeof(SharedId));
}

void SharedProcessId::set(pid_t id) const {
    if (page_ != nullptr) *static_cast<SharedId*>(page_) = id;
}

pid_t SharedProcessId::get() const { return page_ == nullptr ? -1 : static_cast<SharedId*>(page_)->load(); }

Result<std::optional<int>> continue_in_own_session(const SharedProcessId& spared) {
    if (::getsid(0) == ::getpid() && !has_terminal()) return std::nullopt;
    sigset_t signals;
    sigset_t before;
    ::sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPWR, SIGCHLD})
        ::sigaddset(&signals, signal);
    ::sigprocmask(SIG_BLOCK, &signals, &before);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return fail(system_error("cannot start a process", errno));
    if (child > 0) {
        ::signal(SIGTSTP, SIG_IGN);
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        return wait_and_forward(child, signals, spared);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    ::setsid();
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
}

}  // namespace caribou
