#pragma once

#include <cstddef>
#include <map>

#include "negotiation/transport.hpp"
#include "platform/dds_participant.hpp"

namespace caribou {

struct TopicUsers {
    std::size_t writers = 0;
    std::size_t readers = 0;

    friend bool operator==(const TopicUsers&, const TopicUsers&) = default;
};

/// Who writes and reads which topics of ROS 2, as far as this participant has heard; its own are left out.
/// What others have takes some ten milliseconds to arrive after the participant was opened.
std::map<negotiation::Topic, TopicUsers> topics_on_dds(const DdsParticipant& participant);

}  // namespace caribou
