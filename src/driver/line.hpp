#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "loop/time.hpp"

namespace caribou::driver {

/// The robot's end of a connection to a driver. read() and write() are called by one thread at a time and
/// never block; end() and has_ended() may be called by any thread at any time. Destroying it closes it.
class DriverLine {
public:
    virtual ~DriverLine() = default;
    /// Reads up to into.size() bytes and returns their number, or 0 if nothing is available now. Fails with
    /// Code::closed when the driver has closed its end.
    virtual Result<std::size_t> read(std::span<std::byte> into) = 0;
    /// Writes and returns the number of bytes accepted.
    virtual Result<std::size_t> write(ByteView bytes) = 0;
    /// Ends the robot's direction. A driver that reads the end stops the wheels, then closes its own end.
    virtual void end() = 0;
    /// Waits at most `limit` and returns whether the driver has closed its end.
    virtual bool has_ended(Duration limit) = 0;
};

/// Hands connections to a DriverBody: the first one, and one for each restart of the driver. Holds one
/// connection at most; a later one replaces it.
class DriverInlet {
public:
    DriverInlet() = default;
    ~DriverInlet() { take(); }
    DriverInlet(const DriverInlet&) = delete;
    DriverInlet& operator=(const DriverInlet&) = delete;

    /// Any thread may call.
    void offer(std::unique_ptr<DriverLine> line) {
        const std::unique_ptr<DriverLine> replaced(waiting_.exchange(line.release()));
    }
    /// Returns the waiting connection, or null.
    std::unique_ptr<DriverLine> take() { return std::unique_ptr<DriverLine>(waiting_.exchange(nullptr)); }

private:
    // tidy: allow lock: a connection is handed over by the thread of the guard's channel
    std::atomic<DriverLine*> waiting_ = nullptr;
};

}  // namespace caribou::driver
