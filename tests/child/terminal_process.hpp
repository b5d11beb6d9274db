#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "loop/time.hpp"

namespace caribou::tests {

/// A program on its own terminal of 24 lines by 80 columns, with simulated keys. Killed by its process id on
/// destruction.
class TerminalProcess {
public:
    /// `arguments` starts with the program's path. `environment` is that of ChildProcess.
    explicit TerminalProcess(std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {});
    ~TerminalProcess();
    TerminalProcess(const TerminalProcess&) = delete;
    TerminalProcess& operator=(const TerminalProcess&) = delete;

    pid_t id() const { return id_; }
    /// Waits until it has printed the text since the last such call. Returns false if it did not in time.
    bool shows(std::string_view text, Duration limit);
    /// Writes the bytes of keys to the terminal.
    void press(std::string_view keys) const;
    void signal(int number) const;
    /// Returns whether the terminal is in canonical mode with echo, as a shell leaves it.
    bool is_in_line_mode() const;
    /// Waits for its end and returns the exit status (128 plus the number if it was killed by a signal).
    std::optional<int> wait(Duration limit);
    /// Returns everything it has printed.
    const std::string& shown() const { return shown_; }

private:
    /// Returns false if nothing was printed in time, or if the terminal is closed.
    bool read_some(Duration limit);

    pid_t id_ = -1;
    int terminal_ = -1;
    int alive_ = -1;
    std::string shown_;
    std::size_t seen_ = 0;
};

}  // namespace caribou::tests
