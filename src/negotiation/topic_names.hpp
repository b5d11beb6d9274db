#pragma once

#include <string>
#include <string_view>

#include "negotiation/transport.hpp"

/// The topics of a negotiation relative to its base name, as in the ROS 2 package for negotiated topics.
namespace caribou::negotiation {

inline Topic result_topic(const std::string& base) {
    return {base, "negotiated_interfaces/msg/NegotiatedTopicsInfo"};
}
/// Volatile as in the original: a publisher sends its result again when a reader joins late.
inline constexpr TopicQos result_qos{};

inline Topic supported_types_topic(const std::string& base) {
    return {base + "/_supported_types", "negotiated_interfaces/msg/SupportedTypes"};
}
/// Depth 1, because a subscription's newest list replaces all earlier ones.
inline constexpr TopicQos supported_types_offer{.durability = Durability::transient_local, .depth = 1};
inline constexpr TopicQos supported_types_request{.durability = Durability::transient_local, .depth = 100};

/// The publisher's report for people and tools, as JSON (docs/formats/negotiation-report.md).
inline Topic report_topic(const std::string& base) { return {base + "/_negotiation", "std_msgs/msg/String"}; }
inline constexpr TopicQos report_qos{.durability = Durability::transient_local, .depth = 1};

}  // namespace caribou::negotiation
