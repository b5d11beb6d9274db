#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "adapters/dds/dds_participant.hpp"
#include "negotiation/ros_peers.hpp"
#include "negotiation/transport.hpp"

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

/// Returns a sentence for each writer and reader, of this topic and those below it, that do not match because
/// of their quality of service. Without those of this participant.
std::vector<std::string> mismatches_on_dds(const DdsParticipant& participant, const std::string& topic,
                                           const negotiation::RosPeers& nodes);

/// Same, for all writers and readers of this participant, which are named `this process`.
std::vector<std::string> own_mismatches_on_dds(const DdsParticipant& participant,
                                               const negotiation::RosPeers& nodes);

}  // namespace caribou
