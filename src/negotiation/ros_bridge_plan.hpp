#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/text_fault.hpp"
#include "loop/address.hpp"
#include "loop/time.hpp"
#include "msg/message_types.hpp"
#include "msg/message_value.hpp"
#include "negotiation/ros_discovery.hpp"
#include "negotiation/ros_units.hpp"
#include "negotiation/topic_settings.hpp"
#include "negotiation/transport.hpp"

namespace caribou::negotiation {

/// A variable of the bus and the field of a message that it is mapped to.
struct BridgeField {
    std::string path;  ///< as written in the file
    msg::FieldPlace place;
    bool is_yaw = false;  ///< the field is a rotation and the variable is its angle about z
    std::string variable;
    RosUnit unit{};
};

enum class BridgeWay : std::uint8_t { to_ros, from_ros };

/// One topic in one direction.
struct BridgeRoute {
    BridgeWay way = BridgeWay::to_ros;
    Topic topic;
    /// Variable that holds the whole message, as its bytes; empty if `fields` are mapped.
    std::string whole{};
    const msg::MessageSchema* schema = nullptr;  ///< null for a whole message: it is not decoded
    TopicQos qos{};
    Duration period{};               ///< minimum interval between messages; 0 sends whenever a value is new
    bool passes_not_finite = false;  ///< to the bus; otherwise the message is refused
    msg::MessageValue frame;         ///< template of the message, with all constant fields set
    std::vector<BridgeField> fields;
};

struct BridgePlan {
    Address broker = Address::ip("127.0.0.1", 9000);
    std::string client = "ros_bridge";
    std::string node = "caribou_bridge";
    std::string name_space = "/";
    RosLayoutChoice layout = RosLayoutChoice::automatic;
    DdsSettings dds{};
    std::vector<BridgeRoute> routes{};
    std::shared_ptr<msg::MessageTypes> types{};  ///< own the schemas of the routes
};

/// Opens folders with descriptions of messages, as named in the file.
using OpenMessageFolders =
    std::function<msg::MessageTypes::FindFile(const std::vector<std::string>& folders)>;

/// Parses the file described in docs/ros-bridge.md. Returns the plan, or all errors found in the file.
/// Without `open_folders` only the types that come with Caribou are known.
std::expected<BridgePlan, std::vector<TextFault>> read_bridge_plan(
    const NamedText& file, const OpenMessageFolders& open_folders = {});

}  // namespace caribou::negotiation
