#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

bool stdin_is_terminal();
bool stdout_is_terminal();
bool stderr_is_terminal();

/// Size of a terminal in characters.
struct TerminalSize {
    int rows = 24;
    int columns = 80;

    friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};
/// Returns the size of standard output's terminal, or the default if it is not a terminal.
TerminalSize terminal_size();

/// Uses the whole terminal: alternate screen, hidden cursor, unbuffered keys. The destructor restores the
/// terminal. Ctrl-C remains a signal.
class FullScreen {
public:
    /// `on_keys` receives the bytes of pressed keys, `on_resize` is called when the window size has changed.
    /// Fails with unavailable if standard input or output is not a terminal.
    static Result<std::unique_ptr<FullScreen>> open(EventLoop& loop,
                                                    std::move_only_function<void(std::string_view)> on_keys,
                                                    Task on_resize);
    ~FullScreen();
    FullScreen(const FullScreen&) = delete;
    FullScreen& operator=(const FullScreen&) = delete;

    /// Replaces the contents of the screen. Each line must end in a line feed.
    void show(std::string_view lines);

private:
    struct State;
    explicit FullScreen(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace caribou
