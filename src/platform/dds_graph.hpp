#pragma once

#include <cstddef>
#include <map>

#include "negotiation/transport.hpp"
#include "platform/dds_participant.hpp"

namespace caribou {

/// Number of writers and readers of a topic in other processes.
struct TopicUsers {
    std::size_t writers = 0;
    std::size_t readers = 0;

    friend bool operator==(const TopicUsers&, const TopicUsers&) = default;
};

/// Returns the writers and readers of all ROS 2 topics that this participant has discovered, without its own.
/// Discovery takes some ten milliseconds after the participant was opened.
std::map<negotiation::Topic, TopicUsers> topics_on_dds(const DdsParticipant& participant);

}  // namespace caribou
