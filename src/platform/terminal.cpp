#include "platform/terminal.hpp"

#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>
#include <utility>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>

#include "platform/event_loop_core.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

void print(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // the terminal was closed; a signal ends the program
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

}  // namespace

bool stdin_is_terminal() { return ::isatty(STDIN_FILENO) == 1; }
bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

TerminalSize terminal_size() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return {};
    return {size.ws_row, size.ws_col};
}

struct FullScreen::State {
    State(EventLoop& loop, std::move_only_function<void(std::string_view)> keys, Task resize)
        : on_keys(std::move(keys)),
          on_resize(std::move(resize)),
          input(loop.core().io()),
          resized(loop.core().io(), SIGWINCH) {}

    void wait_for_keys() {
        input.async_wait(input.wait_read, [this](const boost::system::error_code& failed) {
            if (failed) return;
            std::array<char, 256> room;
            const ssize_t size = ::read(STDIN_FILENO, room.data(), room.size());
            if (size <= 0) return;  // end of input
            wait_for_keys();
            on_keys({room.data(), static_cast<std::size_t>(size)});
        });
    }
    void wait_for_resize() {
        resized.async_wait([this](const boost::system::error_code& failed, int) {
            if (failed) return;
            wait_for_resize();
            on_resize();
        });
    }

    std::move_only_function<void(std::string_view)> on_keys;
    Task on_resize;
    boost::asio::posix::stream_descriptor input;
    boost::asio::signal_set resized;
    termios before{};
};

FullScreen::FullScreen(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<FullScreen>> FullScreen::open(EventLoop& loop,
                                                     std::move_only_function<void(std::string_view)> on_keys,
                                                     Task on_resize) {
    if (!stdin_is_terminal() || !stdout_is_terminal())
        return fail(Code::unavailable, "standard input and output are not a terminal");
    auto state = std::make_unique<State>(loop, std::move(on_keys), std::move(on_resize));
    termios raw{};
    if (::tcgetattr(STDIN_FILENO, &state->before) != 0) return fail(system_error("the terminal", errno));
    raw = state->before;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    if (::tcsetattr(STDIN_FILENO, TCSANOW, &raw) != 0) return fail(system_error("the terminal", errno));
    boost::system::error_code failed;
    state->input.assign(::dup(STDIN_FILENO), failed);
    if (failed) {
        ::tcsetattr(STDIN_FILENO, TCSANOW, &state->before);
        return fail(system_error("the terminal", failed.value()));
    }
    print("\x1b[?1049h\x1b[?25l\x1b[2J");
    state->wait_for_keys();
    state->wait_for_resize();
    return std::unique_ptr<FullScreen>(new FullScreen(std::move(state)));
}

FullScreen::~FullScreen() {
    print("\x1b[?25h\x1b[?1049l");
    ::tcsetattr(STDIN_FILENO, TCSANOW, &state_->before);
}

void FullScreen::show(std::string_view lines) {
    // Each line clears the rest of its row, and the last one everything below, which avoids flicker.
    std::string out = "\x1b[H";
    for (const char c : lines) {
        if (c == '\n') out += "\x1b[K\r";
        out += c;
    }
    if (out.ends_with('\n')) out.pop_back();
    out += "\x1b[J";
    print(out);
}

}  // namespace caribou
