#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "link/telemetry.hpp"
#include "wire/grid.hpp"
#include "wire/scan.hpp"

namespace caribou::station {

/// The data of a robot for clients of the Foxglove WebSocket protocol, as JSON.
enum class FoxgloveTopic : std::uint8_t { telemetry, pose, transform, scan, map, log };
inline constexpr std::array foxglove_topics{FoxgloveTopic::telemetry, FoxgloveTopic::pose,
                                            FoxgloveTopic::transform, FoxgloveTopic::scan,
                                            FoxgloveTopic::map,       FoxgloveTopic::log};

std::string_view to_string(FoxgloveTopic topic);
/// Returns the type's name; the types `foxglove.…` are rendered by programs that support them.
std::string_view schema_name(FoxgloveTopic topic);
/// Returns the JSON schema.
std::string_view schema_of(FoxgloveTopic topic);

/// UNIX time in ns.
using FoxgloveTime = std::uint64_t;

/// Returns the pose of a robot in the frame of its map.
std::string pose_message(const Pose& pose, std::string_view frame, FoxgloveTime at);
std::string transform_message(const Pose& pose, std::string_view robot, FoxgloveTime at);
/// Returns the lidar's rays; those without an echo are null.
std::string scan_message(const wire::Scan& scan, std::string_view robot, FoxgloveTime at);
/// Returns the readings of the range sensors as rays on a full circle.
wire::Scan circle_of(const std::vector<data::SensorRange>& ranges);
/// Returns the robot's map: -1 unknown, 0 free, 100 occupied.
std::string map_message(const wire::Grid& grid, std::string_view robot, FoxgloveTime at);
std::string log_message(std::string_view text, std::string_view robot, FoxgloveTime at);

/// Returns the name of the frame of a robot's map.
std::string map_frame(std::string_view robot);

}  // namespace caribou::station
