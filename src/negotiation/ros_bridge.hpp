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

/// Transfers values between variables of the bus and fields of ordinary ROS 2 topics. A message is published
/// to ROS once each of its variables has been written, then whenever one is written, at most once per period.
/// Values that came from ROS are not sent back to it, by this bridge or any other.
class RosBridge {
public:
    struct Stats {
        std::uint64_t to_ros = 0;    ///< messages
        std::uint64_t from_ros = 0;  ///< messages
        std::uint64_t own = 0;       ///< skipped: published by this bridge, or already from ROS
        std::uint64_t refused = 0;   ///< invalid values and messages; the first one per route is logged
    };

    /// `is_own` returns whether a writer belongs to this process. `loop`, `network`, `transport` and `log`
    /// must outlive the bridge; `plan` is copied.
    RosBridge(Loop& loop, Network& network, Transport& transport, const BridgePlan& plan,
              std::function<bool(const PeerId&)> is_own, Log& log);
    ~RosBridge();
    RosBridge(const RosBridge&) = delete;
    RosBridge& operator=(const RosBridge&) = delete;

    /// Advertises and subscribes all topics and starts connecting to the bus. Returns the first error.
    Result<void> start();
    /// Stops after pending values have been sent, or after `limit`; stopped() returns true then.
    void finish(Duration limit);
    bool stopped() const;
    const Stats& stats() const { return stats_; }

private:
    class Outgoing;
    class Incoming;
    friend class Outgoing;
    friend class Incoming;

    void on_mail(const wire::MessageView& message);
    /// Counts a refused value. Logs it only once per route, so that a wrong value sent a thousand times per
    /// second is one line.
    void refuse(bool& said, const Topic& topic, const std::string& why);

    Loop& loop_;
    std::shared_ptr<msg::MessageTypes> types_;  ///< own the schemas of the routes
    std::function<bool(const PeerId&)> is_own_;
    Log& log_;
    Stats stats_;
    bus::Client client_;
    std::vector<std::unique_ptr<Outgoing>> outgoing_;
    std::vector<std::unique_ptr<Incoming>> incoming_;
    Transport& transport_;
};

}  // namespace caribou::negotiation
