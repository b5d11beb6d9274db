#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/time.hpp"

namespace caribou::tests {

/// A program on a terminal of its own, 24 lines of 80 columns, with somebody at the keyboard. Ended by
/// its own id, and for good, when it goes.
class TerminalProcess {
public:
    /// `arguments`: the program's path and what follows it.
    explicit TerminalProcess(std::vector<std::string> arguments);
    ~TerminalProcess();
    TerminalProcess(const TerminalProcess&) = delete;
    TerminalProcess& operator=(const TerminalProcess&) = delete;

    /// Waits until it has shown the text since the last such call. False: not in time.
    bool shows(std::string_view text, Duration limit);
    void press(std::string_view keys) const;
    void signal(int number) const;
    /// Whether the terminal echoes and waits for whole lines, as a shell leaves it.
    bool is_in_line_mode() const;
    /// Waits for its end, and returns what it returned (128 and the number if a signal killed it).
    std::optional<int> wait(Duration limit);
    /// All that it has shown.
    const std::string& shown() const { return shown_; }

private:
    /// False: nothing came in time, or the terminal is closed.
    bool read_some(Duration limit);

    pid_t id_ = -1;
    int terminal_ = -1;
    int alive_ = -1;
    std::string shown_;
    std::size_t seen_ = 0;
};

}  // namespace caribou::tests
