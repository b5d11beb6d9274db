#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace caribou {

/// How a program ended.
struct ProcessEnd {
    int code = 0;    ///< that it returned
    int signal = 0;  ///< that ended it, or 0

    bool good() const { return code == 0 && signal == 0; }
    friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

/// Hears of a program that runs.
class ProcessEvents {
public:
    virtual ~ProcessEvents() = default;
    /// A line that it printed, to standard output or error, without its end.
    virtual void on_line(std::string_view line) = 0;
    /// It has ended, and everything that it printed has been heard. May destroy the Process.
    virtual void on_end(const ProcessEnd& end) = 0;
};

/// A program that runs, with all that it has started itself. Destroying it ends them at once; no
/// event follows.
class Process {
public:
    virtual ~Process() = default;
    virtual int id() const = 0;
    /// Asks it to end.
    virtual void terminate() = 0;
    /// Ends it at once.
    virtual void kill() = 0;
};

/// Starts programs. The real one stands in platform.
class Processes {
public:
    virtual ~Processes() = default;
    /// `words`: the program, looked up in PATH if it has no slash, and its arguments. `events` outlives
    /// the process.
    virtual Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                                   ProcessEvents& events) = 0;
};

}  // namespace caribou
