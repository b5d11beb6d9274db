#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace caribou {

/// How a process ended.
struct ProcessEnd {
    int code = 0;    ///< exit code
    int signal = 0;  ///< signal that ended it, or 0

    bool good() const { return code == 0 && signal == 0; }
    friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

/// Receives the events of a running process.
class ProcessEvents {
public:
    virtual ~ProcessEvents() = default;
    /// Called for each line printed to standard output or standard error, without the line end.
    virtual void on_line(std::string_view line) = 0;
    /// Returns whether standard output is passed to on_bytes() instead of on_line(). Called once, at the
    /// start.
    virtual bool wants_bytes() const { return false; }
    /// Returns whether Process::write() will be used: otherwise standard input is empty. Called once, at the
    /// start.
    virtual bool wants_input() const { return false; }
    /// Called with bytes of standard output.
    virtual void on_bytes(ByteView bytes) { static_cast<void>(bytes); }
    /// Called when the process has ended and all its output has been passed on. May destroy the
    /// Process.
    virtual void on_end(const ProcessEnd& end) = 0;
};

/// A running process, together with its child processes. Destroying the object kills them all; no event
/// follows.
class Process {
public:
    virtual ~Process() = default;
    virtual int id() const = 0;
    /// Requests the process to end (SIGTERM).
    virtual void terminate() = 0;
    /// Ends the process immediately (SIGKILL).
    virtual void kill() = 0;
    /// Writes a line to its standard input, and adds the line end. Returns false if it has none, if it reads
    /// nothing, or if it has closed it.
    virtual bool write(std::string_view line) {
        static_cast<void>(line);
        return false;
    }
};

/// Starts processes. The real implementation is in platform.
class Processes {
public:
    virtual ~Processes() = default;
    /// Starts a program. `words` contains the program, looked up in PATH if it has no slash, and its
    /// arguments. `events` must outlive the process.
    virtual Result<std::unique_ptr<Process>> start(const std::vector<std::string>& words,
                                                   ProcessEvents& events) = 0;
};

}  // namespace caribou
