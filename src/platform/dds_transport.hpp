#pragma once

#include <cstddef>
#include <memory>
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

private:
    Result<void> admit(const negotiation::Topic& topic, const negotiation::TopicQos& qos) const;

    DdsParticipant& participant_;
    EventLoop& loop_;
    std::shared_ptr<std::size_t> endpoints_;  ///< how many there are
};

}  // namespace caribou
