#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace caribou {

/// What DDS calls a topic of ROS 2: `/scan` -> `rt/scan`. Fails with a sentence if ROS 2 could not have it.
Result<std::string> to_dds_topic(std::string_view name);
/// And back; nothing if it is none, but a service or something that is not of ROS 2.
std::optional<std::string> from_dds_topic(std::string_view name);

/// `std_msgs/msg/String` -> `std_msgs::msg::dds_::String_`
Result<std::string> to_dds_type(std::string_view type);
std::optional<std::string> from_dds_type(std::string_view type);

}  // namespace caribou
