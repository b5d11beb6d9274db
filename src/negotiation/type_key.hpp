#pragma once

#include <compare>
#include <string>

namespace caribou::negotiation {

/// Identifies a supported type: the message, and a free-form name for its encoding.
struct TypeKey {
    std::string ros_type_name;        ///< such as `sensor_msgs/msg/LaserScan`
    std::string supported_type_name;  ///< such as `quantised`; the data's topic is `<base>/quantised`

    friend auto operator<=>(const TypeKey&, const TypeKey&) = default;
};

/// Returns both names for messages, such as `sensor_msgs/msg/LaserScan quantised`.
inline std::string to_string(const TypeKey& key) { return key.ros_type_name + " " + key.supported_type_name; }

}  // namespace caribou::negotiation
