#pragma once

#include <deque>
#include <string>

#include "loop/time.hpp"

namespace caribou::tests {

/// The wheel orders of a robot, which it writes to `body.trace`: a named pipe, so that tests can wait for a
/// line. Must be created before the robot is started.
class OrderTrace {
public:
    /// Creates the pipe.
    explicit OrderTrace(std::string path);
    ~OrderTrace();
    OrderTrace(const OrderTrace&) = delete;
    OrderTrace& operator=(const OrderTrace&) = delete;

    struct Order {
        Instant at{};  ///< when the body received it, on the clock shared by all processes
        bool moves = false;
    };
    /// Reads the lines written so far.
    void take();
    /// Returns the latest order read.
    const Order& latest() const { return latest_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    int pipe_ = -1;
    std::string text_;
    Order latest_;
};

}  // namespace caribou::tests
