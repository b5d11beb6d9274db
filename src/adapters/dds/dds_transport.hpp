#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "adapters/dds/dds_participant.hpp"
#include "negotiation/ros_peers.hpp"
#include "negotiation/transport.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Topics over DDS, compatible with ROS 2 nodes: the topic `/scan` becomes `rt/scan`, and the type
/// `sensor_msgs/msg/LaserScan` becomes `sensor_msgs::msg::dds_::LaserScan_`. Samples are carried unchanged,
/// so every type is supported. Writers and readers of one process receive each other, too.
class DdsTransport final : public negotiation::Transport {
public:
    /// Limit of writers and readers together.
    static constexpr std::size_t max_endpoints = 1024;

    /// Both arguments must outlive this object. Problems that no call reports go to `on_problem`: endpoints
    /// of a topic that do not match, a domain with several versions of ROS 2, messages of DDS itself. Each is
    /// reported once, or at most once per minute.
    DdsTransport(DdsParticipant& participant, EventLoop& loop,
                 std::function<void(const std::string&)> on_problem = {});
    ~DdsTransport() override;

    Result<std::unique_ptr<negotiation::Writer>> advertise(const negotiation::Topic& topic,
                                                           const negotiation::TopicQos& qos,
                                                           negotiation::WriterEvents& events) override;
    Result<std::unique_ptr<negotiation::Reader>> subscribe(const negotiation::Topic& topic,
                                                           const negotiation::TopicQos& qos,
                                                           negotiation::ReaderEvents& events) override;

    /// The present writers and readers, and a callback for changes.
    struct Endpoints {
        std::set<negotiation::PeerId> writers{};
        std::set<negotiation::PeerId> readers{};
    };
    const Endpoints& endpoints() const { return table_->endpoints; }
    /// Sets the handler that is called after each change of endpoints().
    void on_endpoints_changed(std::function<void()> handler) { table_->on_changed = std::move(handler); }

    /// The ROS 2 nodes of other processes, and a callback for changes.
    const negotiation::RosPeers& ros_peers() const { return table_->ros_peers; }
    void on_ros_peers_changed(std::function<void()> handler) {
        table_->on_ros_peers_changed = std::move(handler);
    }

    /// Returns how many pairs of writers and readers that do not match were reported so far.
    std::uint64_t mismatches_reported() const { return table_->mismatches_reported; }

    /// Opens a topic by its DDS names, for topics that are not part of a ROS 2 node. Not listed among the
    /// endpoints.
    Result<std::unique_ptr<negotiation::Writer>> advertise_plain(const std::string& dds_topic,
                                                                 const std::string& dds_type,
                                                                 const negotiation::TopicQos& qos,
                                                                 negotiation::WriterEvents& events);

private:
    struct Table {
        Endpoints endpoints{};
        std::function<void()> on_changed{};
        negotiation::RosPeers ros_peers{};
        std::function<void()> on_ros_peers_changed{};
        std::function<void(const std::string&)> on_problem{};
        std::uint64_t mismatches_reported = 0;
    };
    class Listed;
    class Discovery;
    friend class DdsWriter;
    friend class DdsReader;

    Result<void> admit(const negotiation::Topic& topic, const negotiation::TopicQos& qos) const;

    DdsParticipant& participant_;
    EventLoop& loop_;
    std::shared_ptr<Table> table_;
    std::unique_ptr<Discovery> discovery_;
};

}  // namespace caribou
