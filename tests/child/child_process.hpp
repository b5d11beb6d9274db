#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "loop/time.hpp"

namespace caribou::tests {

/// A program that runs beside the test, with its output in the test's hands. However much it
/// complains, it is never held up. Waits for events, each at most as long as it is told to; ended
/// by its own id, and for good, when it goes.
class ChildProcess {
public:
    /// `arguments`: the program's path and what follows it. `environment`: settings NAME=VALUE that
    /// come on top of the test's own. The child must start, or the test ends.
    explicit ChildProcess(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {});
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t id() const { return id_; }
    /// The next line that it prints, without its end; nothing when there is none in time.
    std::optional<std::string> read_line(Duration limit);
    void signal(int number) const;

    struct End {
        int code;         ///< that it returned; 128 and the signal's number if it was killed
        std::string out;  ///< all that was not read as lines
        std::string err;
    };
    /// Waits for its end. Nothing: it still runs.
    std::optional<End> wait(Duration limit);

private:
    /// Reads what it has printed. False: that has ended, or nothing came in time.
    bool read_some(Duration limit);

    pid_t id_ = -1;
    int out_ = -1;    ///< a pipe
    int err_ = -1;    ///< a file in memory, which takes everything at once
    int alive_ = -1;  ///< readable once it has ended
    std::string out_text_;
};

}  // namespace caribou::tests
