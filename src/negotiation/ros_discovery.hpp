#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "negotiation/transport.hpp"

/// The messages on `ros_discovery_info`, by which ROS 2 processes announce their nodes.
namespace caribou::negotiation {

/// The layout of these messages: ids have 24 bytes up to ROS 2 Humble and Iron, 16 bytes from Jazzy on.
enum class RosLayout : std::uint8_t { humble, jazzy };

/// The layout in a configuration: `automatic` follows the other nodes of the domain.
enum class RosLayoutChoice : std::uint8_t { automatic, humble, jazzy };

std::string_view to_string(RosLayout layout);

struct RosNodeInfo {
    std::string name_space = "/";
    std::string name;
    std::vector<PeerId> readers{};
    std::vector<PeerId> writers{};

    /// Returns `/namespace/name`.
    std::string full_name() const { return (name_space == "/" ? "" : name_space) + "/" + name; }
    friend bool operator==(const RosNodeInfo&, const RosNodeInfo&) = default;
};

/// The nodes of one process.
struct RosDiscovery {
    RosLayout layout = RosLayout::humble;
    PeerId participant;
    std::vector<RosNodeInfo> nodes{};

    friend bool operator==(const RosDiscovery&, const RosDiscovery&) = default;
};

/// Returns the CDR encoding.
Bytes encode_ros_discovery(const RosDiscovery& discovery);
/// Returns the message and its layout, which is recognized by its contents. Fails with malformed if it is
/// neither.
Result<RosDiscovery> decode_ros_discovery(ByteView payload);

}  // namespace caribou::negotiation
