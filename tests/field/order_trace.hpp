#pragma once

#include <deque>
#include <string>

#include "loop/time.hpp"

namespace caribou::tests {

/// What a robot orders its wheels to do, as it writes it to `body.trace`: a named pipe, so that a line can be
/// waited for. Made before the robot is started.
class OrderTrace {
public:
    explicit OrderTrace(std::string path);
    ~OrderTrace();
    OrderTrace(const OrderTrace&) = delete;
    OrderTrace& operator=(const OrderTrace&) = delete;

    struct Order {
        Instant at{};  ///< when the body had it, by the clock that all processes share
        bool moves = false;
    };
    /// Takes what has been written by now.
    void take();
    /// The latest order, of those that were taken.
    const Order& latest() const { return latest_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    int pipe_ = -1;
    std::string text_;
    Order latest_;
};

}  // namespace caribou::tests
