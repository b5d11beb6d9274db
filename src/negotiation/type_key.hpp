#pragma once

#include <compare>
#include <string>

namespace caribou::negotiation {

/// What identifies a supported type: the message, and a free word on what is in it.
struct TypeKey {
    std::string ros_type_name;        ///< `sensor_msgs/msg/LaserScan`
    std::string supported_type_name;  ///< `quantised`; the data's topic is `<base>/quantised`

    friend auto operator<=>(const TypeKey&, const TypeKey&) = default;
};

/// `sensor_msgs/msg/LaserScan quantised`: for messages.
inline std::string to_string(const TypeKey& key) { return key.ros_type_name + " " + key.supported_type_name; }

}  // namespace caribou::negotiation
