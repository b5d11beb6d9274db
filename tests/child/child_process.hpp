#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "loop/time.hpp"

namespace caribou::tests {

/// Returns the environment of a child: settings NAME=VALUE of `on_top`, a state folder that only programs of
/// this test use, and those of the test itself. The first setting of a name counts.
std::vector<std::string> environment_of_child(const std::vector<std::string>& on_top);

/// A child process of the test with captured output. Standard error never blocks it. Waits for events, each
/// with a time limit; killed by its process id on destruction.
class ChildProcess {
public:
    /// `arguments` starts with the program's path. `environment` contains settings NAME=VALUE in addition to
    /// the test's own. Ends the test if the child cannot be started.
    explicit ChildProcess(const std::vector<std::string>& arguments,
                          const std::vector<std::string>& environment = {});
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    pid_t id() const { return id_; }
    /// Returns the next line that it prints, without line end; nullopt if there is none in time.
    std::optional<std::string> read_line(Duration limit);
    /// Sends a signal to the process, not to its group.
    void signal(int number) const;

    /// The exit status and the remaining output.
    struct End {
        int code;         ///< exit status; 128 plus the signal's number if it was killed
        std::string out;  ///< all output that was not read as lines
        std::string err;
    };
    /// Waits for its end. Returns nullopt if it is still running.
    std::optional<End> wait(Duration limit);

private:
    /// Reads its output. Returns false at the end of the output, or if there was none in time.
    bool read_some(Duration limit);

    pid_t id_ = -1;
    int out_ = -1;    ///< a pipe
    int err_ = -1;    ///< an in-memory file, which never blocks
    int alive_ = -1;  ///< readable once it has exited
    std::string out_text_;
};

}  // namespace caribou::tests
