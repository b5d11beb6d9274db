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

struct TerminalSize {
    int rows = 24;
    int columns = 80;

    friend bool operator==(const TerminalSize&, const TerminalSize&) = default;
};
/// Of standard output; the default if it is no terminal.
TerminalSize terminal_size();

/// The whole terminal for one program: another screen, no cursor, keys as they are pressed. All is as
/// it was when this is gone; Ctrl-C stays a signal.
class FullScreen {
public:
    /// `on_keys` gets the bytes of what was pressed, `on_resize` is called when the window has changed.
    /// unavailable: standard input or output is no terminal.
    static Result<std::unique_ptr<FullScreen>> open(EventLoop& loop,
                                                    std::move_only_function<void(std::string_view)> on_keys,
                                                    Task on_resize);
    ~FullScreen();
    FullScreen(const FullScreen&) = delete;
    FullScreen& operator=(const FullScreen&) = delete;

    /// Puts lines on the screen, over what is there. Each ends with a line feed.
    void show(std::string_view lines);

private:
    struct State;
    explicit FullScreen(std::unique_ptr<State> state);

    std::unique_ptr<State> state_;
};

}  // namespace caribou
