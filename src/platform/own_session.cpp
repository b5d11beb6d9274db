#include "platform/own_session.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "platform/descriptor.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

bool has_terminal() {
    const Descriptor terminal(::open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC));
    return static_cast<bool>(terminal);
}

/// Forwards signals until the child has ended, and returns its exit status.
int wait_and_forward(pid_t child, const sigset_t& signals) {
    for (;;) {
        siginfo_t info{};
        const int signal = ::sigwaitinfo(&signals, &info);
        if (signal < 0) continue;
        if (signal != SIGCHLD) {
            ::kill(child, signal);
            continue;
        }
        int status = 0;
        if (::waitpid(child, &status, WNOHANG) == child) return exit_status_of(status);
    }
}

}  // namespace

int exit_status_of(int wait_status) {
    return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

Result<std::optional<int>> continue_in_own_session() {
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
        return wait_and_forward(child, signals);
    }
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    ::setsid();
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
}

}  // namespace caribou
