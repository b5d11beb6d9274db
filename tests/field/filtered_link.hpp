#pragma once

#include <memory>
#include <optional>
#include <string>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"
#include "field/own_network.hpp"

namespace caribou::tests {

/// A station and a robot whose packets can be lost, in a network namespace of their own: the rules of
/// nftables affect nothing else.
class FilteredLink {
public:
    /// Limits of docs/safety.md, from the request to zero ordered at the body.
    static constexpr Duration lossy_limit = std::chrono::milliseconds(500);
    static constexpr Duration cut_limit = std::chrono::milliseconds(200);

    /// Starts both. Returns false without root, or if the robot is not connected in time.
    bool start();
    /// Replaces the rules for received packets.
    bool set_rules(const std::string& rules);
    /// Lets packets of both directions and protocols be lost, with this probability in percent.
    bool lose(int percent);
    /// Lets no packet of the robot's TCP connections pass.
    bool cut_tcp() { return set_rules(tcp_of_robot("drop")); }
    bool repair() { return set_rules(""); }
    std::string tcp_of_robot(const std::string& verdict) const;

    /// Releases the robot, and lets it turn on the spot at full speed.
    bool drive();
    /// Stops the robot. Returns the time from the request to zero ordered at the body.
    std::optional<Duration> stop(Duration at_most);
    /// Returns whether the last stop is acknowledged in time.
    bool is_acknowledged(Duration limit);

    /// Returns the log of the robot.
    std::string log() const { return field_.text_of("robot.log"); }
    Operator& person() { return *person_; }
    OrderTrace& trace() { return trace_; }
    std::uint64_t stop_id() const { return stop_id_; }

private:
    OwnNetwork network_;
    Field field_;
    OrderTrace trace_{(field_.scratch / "orders").string()};
    std::unique_ptr<Operator> person_;
    std::string robot_port_;
    std::uint64_t stop_id_ = 0;
};

}  // namespace caribou::tests
