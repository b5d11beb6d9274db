#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>

#include "negotiation/transport.hpp"
#include "platform/dds_participant.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Topics over DDS, as ROS 2 nodes have them: the topic `/scan` is `rt/scan` there, and the type
/// `sensor_msgs/msg/LaserScan` is `sensor_msgs::msg::dds_::LaserScan_`. What a sample holds goes over as
/// it is, so every type can be carried. Writers and readers of one process hear each other, too.
class DdsTransport final : public negotiation::Transport {
public:
    /// Writers and readers together.
    static constexpr std::size_t max_endpoints = 1024;

    /// Both outlive it.
    DdsTransport(DdsParticipant& participant, EventLoop& loop);
    ~DdsTransport() override;

    Result<std::unique_ptr<negotiation::Writer>> advertise(const negotiation::Topic& topic,
                                                           const negotiation::TopicQos& qos,
                                                           negotiation::WriterEvents& events) override;
    Result<std::unique_ptr<negotiation::Reader>> subscribe(const negotiation::Topic& topic,
                                                           const negotiation::TopicQos& qos,
                                                           negotiation::ReaderEvents& events) override;

    /// The writers and readers that there are now, and who is told when that changes.
    struct Endpoints {
        std::set<negotiation::PeerId> writers{};
        std::set<negotiation::PeerId> readers{};
    };
    const Endpoints& endpoints() const { return table_->endpoints; }
    void on_endpoints_changed(std::function<void()> handler) { table_->on_changed = std::move(handler); }

    /// A topic by the names that DDS has for it, beside those of ROS 2 nodes. Not among the endpoints.
    Result<std::unique_ptr<negotiation::Writer>> advertise_plain(const std::string& dds_topic,
                                                                 const std::string& dds_type,
                                                                 const negotiation::TopicQos& qos,
                                                                 negotiation::WriterEvents& events);

private:
    struct Table {
        Endpoints endpoints{};
        std::function<void()> on_changed{};
    };
    class Listed;
    friend class DdsWriter;
    friend class DdsReader;

    Result<void> admit(const negotiation::Topic& topic, const negotiation::TopicQos& qos) const;

    DdsParticipant& participant_;
    EventLoop& loop_;
    std::shared_ptr<Table> table_;
};

}  // namespace caribou
