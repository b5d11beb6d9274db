#include "platform/detached_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "platform/environment.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

/// Between fork and exec: only calls that are safe after a fork of a process with threads.
[[noreturn]] void become_detached(char** words) {
    ::setsid();
    // The parent reaps this process at once; the program belongs to init.
    const pid_t child = ::fork();
    if (child != 0) ::_exit(child < 0 ? 1 : 0);
    const int nothing = ::open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCHLD})
        ::signal(signal, SIG_DFL);
    ::execv(words[0], words);
    ::_exit(127);
}

}  // namespace

std::filesystem::path find_program(std::string_view name) {
    const std::string folders = environment("PATH").value_or("");
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const auto path = std::filesystem::path(folders.substr(at, end - at)) / name;
        std::error_code failed;
        if (path.is_absolute() && std::filesystem::is_regular_file(path, failed) &&
            ::access(path.c_str(), X_OK) == 0)
            return path;
        at = end + 1;
    }
    return {};
}

Result<void> start_detached(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const pid_t child = ::fork();
    if (child < 0) return fail(system_error("cannot start a process", errno));
    if (child == 0) become_detached(pointers.data());
    int status = 0;
    while (::waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return fail(system_error("cannot start a process", errno));
    if (status != 0) return fail(Code::unavailable, "cannot start a process");
    return {};
}

}  // namespace caribou
