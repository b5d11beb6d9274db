#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/log.hpp"
#include "bus/client.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "negotiation/ros_bridge_plan.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// Carries values between variables of the bus and fields of ordinary ROS 2 topics. A message goes to ROS
/// when each of its variables has been written once, then whenever one is written, but not more often than
/// its period. What came from ROS does not go back, neither from this bridge nor from another one.
class RosBridge {
public:
    struct Stats {
        std::uint64_t to_ros = 0;    ///< messages
        std::uint64_t from_ros = 0;  ///< messages
        std::uint64_t own = 0;       ///< heard of ourselves, or came from ROS already: not carried on
        std::uint64_t refused = 0;   ///< values and messages that make no sense; the log says which
    };

    /// `is_own` tells our own writers from others. All outlive the bridge.
    RosBridge(Loop& loop, Network& network, Transport& transport, const BridgePlan& plan,
              std::function<bool(const PeerId&)> is_own, Log& log);
    ~RosBridge();
    RosBridge(const RosBridge&) = delete;
    RosBridge& operator=(const RosBridge&) = delete;

    Result<void> start();
    void finish(Duration limit);
    bool stopped() const;
    const Stats& stats() const { return stats_; }

private:
    class Outgoing;
    class Incoming;
    friend class Outgoing;
    friend class Incoming;

    void on_mail(const wire::MessageView& message);
    /// Says it once a route, so that a wrong value a thousand times a second is one line.
    void refuse(bool& said, const Topic& topic, const std::string& why);

    Loop& loop_;
    std::function<bool(const PeerId&)> is_own_;
    Log& log_;
    Stats stats_;
    bus::Client client_;
    std::vector<std::unique_ptr<Outgoing>> outgoing_;
    std::vector<std::unique_ptr<Incoming>> incoming_;
    Transport& transport_;
};

}  // namespace caribou::negotiation
