#include "child/terminal_process.hpp"

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "base/check.hpp"
#include "child/child_process.hpp"
#include "child/poll_limit.hpp"
#include "platform/system_clock.hpp"

namespace caribou::tests {

TerminalProcess::TerminalProcess(std::vector<std::string> arguments,
                                 const std::vector<std::string>& environment) {
    const auto pointers = [](std::vector<std::string>& texts) {
        std::vector<char*> all;
        for (std::string& text : texts) all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    };
    auto settings = environment_of_child(environment);
    const std::vector<char*> words = pointers(arguments);
    const std::vector<char*> setting_pointers = pointers(settings);
    const winsize size{.ws_row = 24, .ws_col = 80, .ws_xpixel = 0, .ws_ypixel = 0};
    id_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    check(id_ >= 0, "a test has a terminal");
    if (id_ == 0) {
        ::execve(words[0], words.data(), setting_pointers.data());
        ::_exit(127);
    }
    alive_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
    check(alive_ >= 0, "a child can be waited for");
}

TerminalProcess::~TerminalProcess() {
    if (id_ > 0) {
        ::kill(id_, SIGKILL);
        ::waitpid(id_, nullptr, 0);
    }
    ::close(terminal_);
    ::close(alive_);
}

bool TerminalProcess::read_some(Duration limit) {
    pollfd drawn{terminal_, POLLIN, 0};
    if (::poll(&drawn, 1, milliseconds(limit)) <= 0) return false;
    std::array<char, 4096> room;
    const ssize_t size = ::read(terminal_, room.data(), room.size());
    if (size <= 0) return false;
    shown_.append(room.data(), static_cast<std::size_t>(size));
    return true;
}

bool TerminalProcess::shows(std::string_view text, Duration limit) {
    // A program that draws all the time must not extend the limit.
    const SystemClock clock;
    const Instant end = clock.now() + limit;
    while (shown_.find(text, seen_) == std::string::npos)
        if (!read_some(end - clock.now())) return false;
    seen_ = shown_.size();
    return true;
}

void TerminalProcess::press(std::string_view keys) const {
    check(::write(terminal_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()),
          "keys can be pressed");
}

void TerminalProcess::signal(int number) const {
    // -1, of a process that has ended, would be all processes of the machine.
    if (id_ > 0) ::kill(id_, number);
}

bool TerminalProcess::is_in_line_mode() const {
    termios mode{};
    check(::tcgetattr(terminal_, &mode) == 0, "a terminal tells its mode");
    return (mode.c_lflag & ICANON) != 0 && (mode.c_lflag & ECHO) != 0;
}

std::optional<int> TerminalProcess::wait(Duration limit) {
    const SystemClock clock;
    const Instant latest = clock.now() + limit;
    while (read_some(latest - clock.now())) {}
    pollfd end{alive_, POLLIN, 0};
    if (id_ < 0 || ::poll(&end, 1, milliseconds(limit)) != 1) return std::nullopt;
    int status = 0;
    ::waitpid(std::exchange(id_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace caribou::tests
