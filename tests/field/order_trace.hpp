#pragma once

#include <deque>
#include <string>
#include <vector>

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

    /// Level 3 of the default configuration, m/s, without the rounding of the last step.
    static constexpr double full_speed = 0.449;

    struct Order {
        Instant at{};  ///< when the body received it, on the clock shared by all processes
        bool moves = false;
        double speed = 0;  ///< of the faster wheel, m/s
    };
    /// Reads the lines written so far.
    void take();
    /// Returns the latest order read.
    const Order& latest() const { return latest_; }
    /// Returns all orders read.
    const std::vector<Order>& orders() const { return orders_; }
    const std::string& path() const { return path_; }

private:
    std::string path_;
    int pipe_ = -1;
    std::string text_;
    Order latest_;
    std::vector<Order> orders_;
};

}  // namespace caribou::tests
