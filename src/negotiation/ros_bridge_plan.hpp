#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "base/text_fault.hpp"
#include "loop/address.hpp"
#include "loop/time.hpp"
#include "msg/message_value.hpp"
#include "negotiation/ros_units.hpp"
#include "negotiation/topic_settings.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// A variable of the bus and a field of a message.
struct BridgeField {
    std::string path;  ///< as it stands in the file
    msg::FieldPlace place;
    bool is_yaw = false;  ///< the field is a rotation, the variable its angle about z
    std::string variable;
    RosUnit unit{};
};

enum class BridgeWay : std::uint8_t { to_ros, from_ros };

/// One topic, one way.
struct BridgeRoute {
    BridgeWay way = BridgeWay::to_ros;
    Topic topic;
    const msg::MessageSchema* schema = nullptr;
    TopicQos qos{};
    Duration period{};        ///< not more often than that; 0: as often as something is new
    msg::MessageValue frame;  ///< the message with everything in it that does not change
    std::vector<BridgeField> fields;
};

/// How ROS 2 writes which nodes a participant has: it differs between its versions.
enum class RosLayout : std::uint8_t { humble, jazzy };

struct BridgePlan {
    Address broker = Address::ip("127.0.0.1", 9000);
    std::string client = "ros_bridge";
    std::string node = "caribou_bridge";
    std::string name_space = "/";
    RosLayout layout = RosLayout::jazzy;
    DdsSettings dds{};
    std::vector<BridgeRoute> routes{};
};

/// Reads what docs/ros-bridge.md describes, or says everything that is wrong with it.
std::expected<BridgePlan, std::vector<TextFault>> read_bridge_plan(const NamedText& file);

}  // namespace caribou::negotiation
