#include "platform/child_start.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

#include "platform/system_error.hpp"

namespace caribou {
namespace {

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (std::string& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
}

std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
    std::vector<std::string> all = settings;
    for (char** each = environ; *each != nullptr; ++each) {
        const std::string_view text(*each);
        const std::string_view name = text.substr(0, text.find('=') + 1);
        bool is_replaced = false;
        for (const std::string& setting : settings) is_replaced = is_replaced || setting.starts_with(name);
        if (!is_replaced) all.emplace_back(text);
    }
    return all;
}

/// Between fork and exec: only calls that are safe after a fork of a process with threads.
[[noreturn]] void become_child(const ChildPlan& plan, char** words, char** environment,
                               const std::string& complaint, pid_t parent) {
    if (plan.dies_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (plan.dies_with_parent && ::getppid() != parent) ::_exit(127);
    ::setpgid(0, 0);
    if (plan.group_processes >= 0) std::ignore = ::write(plan.group_processes, "0", 1);
    for (const int descriptor : plan.inherited) ::fcntl(descriptor, F_SETFD, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD})
        ::signal(signal, SIG_DFL);
    ::execvpe(plan.program.c_str(), words, environment);
    const char* const why = ::strerrordesc_np(errno);
    std::ignore = ::write(STDERR_FILENO, complaint.data(), complaint.size());
    if (why != nullptr) std::ignore = ::write(STDERR_FILENO, why, std::strlen(why));
    std::ignore = ::write(STDERR_FILENO, "\n", 1);
    ::_exit(127);
}

}  // namespace

Result<StartedChild> start_child(const ChildPlan& plan) {
    auto words = plan.words;
    const auto word_pointers = pointers_to(words);
    auto environment = environment_with(plan.environment);
    const auto environment_pointers = pointers_to(environment);
    const std::string complaint = fmt::format("caribou guard: error: cannot start {}: ", plan.program);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return fail(system_error("cannot start a process", errno));
    if (child == 0)
        become_child(plan, const_cast<char**>(word_pointers.data()),
                     const_cast<char**>(environment_pointers.data()), complaint, parent);
    ::setpgid(child, child);  // by both processes, so that it holds whichever runs first
    Descriptor alive(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
    if (alive) return StartedChild{child, std::move(alive)};
    const int why = errno;
    ::kill(-child, SIGKILL);
    return fail(system_error("cannot watch a process", why));
}

}  // namespace caribou
