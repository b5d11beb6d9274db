#pragma once

#include <string>
#include <string_view>

#include "negotiation/transport.hpp"

/// The topics of a negotiation below its base name, as ROS 2's package of negotiated topics names them.
namespace caribou::negotiation {

inline Topic result_topic(const std::string& base) {
    return {base, "negotiated_interfaces/msg/NegotiatedTopicsInfo"};
}
/// Volatile as in the original: a publisher answers late joiners by sending its result again.
inline constexpr TopicQos result_qos{};

inline Topic supported_types_topic(const std::string& base) {
    return {base + "/_supported_types", "negotiated_interfaces/msg/SupportedTypes"};
}
/// A subscription's newest list replaces the ones before, so it keeps one.
inline constexpr TopicQos supported_types_offer{.durability = Durability::transient_local, .depth = 1};
inline constexpr TopicQos supported_types_request{.durability = Durability::transient_local, .depth = 100};

/// What the publisher says of itself, for people and tools: JSON (docs/formats/negotiation-report.md).
inline Topic report_topic(const std::string& base) { return {base + "/_negotiation", "std_msgs/msg/String"}; }
inline constexpr TopicQos report_qos{.durability = Durability::transient_local, .depth = 1};

}  // namespace caribou::negotiation
