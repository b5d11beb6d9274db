#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// The topic on which ROS 2 processes announce their nodes.
inline constexpr const char* ros_discovery_topic = "ros_discovery_info";
inline constexpr const char* ros_discovery_type = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_";

/// Returns the DDS name of a ROS 2 topic: `/scan` -> `rt/scan`. Fails if the name is not valid in ROS 2.
Result<std::string> to_dds_topic(std::string_view name);
/// The inverse; nullopt for a service or a topic that does not belong to ROS 2.
std::optional<std::string> from_dds_topic(std::string_view name);

/// `std_msgs/msg/String` -> `std_msgs::msg::dds_::String_`
Result<std::string> to_dds_type(std::string_view type);
std::optional<std::string> from_dds_type(std::string_view type);

}  // namespace caribou
