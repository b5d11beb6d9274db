#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "data/camera_image.hpp"
#include "data/camera_topic.hpp"
#include "data/foxglove_frame_transform.hpp"
#include "data/foxglove_log.hpp"
#include "data/foxglove_pose_in_frame.hpp"
#include "data/map_topic.hpp"
#include "data/room_map.hpp"
#include "data/scan.hpp"
#include "data/scan_topic.hpp"
#include "wire/scan.hpp"

/// The data of robots in messages of the schemas `foxglove.…`, which visualization programs render, and back.
/// Times are UNIX seconds, and are rounded to milliseconds. Private to station.
namespace caribou::station {

/// The frame that joins the maps of all robots: the origin of each.
inline constexpr std::string_view world_frame = "world";
/// Returns the name of the frame of a robot's map, and of its odometry.
std::string map_frame(std::string_view robot);
std::string odom_frame(std::string_view robot);

data::FoxgloveTime foxglove_time(double at);
double unix_time(const data::FoxgloveTime& time);

/// The heading is rounded to the digits that it has in JSON, so that pose_of() returns the same.
data::FoxglovePose foxglove_pose(const Pose& pose);
Pose pose_of(const data::FoxglovePose& pose);

data::FoxglovePoseInFrame pose_message(const Pose& pose, std::string_view robot, double at);
/// The robot in the frame of its map.
data::FoxgloveFrameTransform transform_message(const Pose& pose, std::string_view robot, double at);
/// The frame of its map in that of the fleet: always identical.
data::FoxgloveFrameTransform map_transform_message(std::string_view robot, double at);
/// The frame of its odometry in that of its map.
data::FoxgloveFrameTransform odom_transform_message(const Pose& odom_in_map, std::string_view robot,
                                                    double at);
data::FoxgloveLog log_message(std::string_view text, std::string_view robot, double at);

/// `whole` are the rays of the section; null if it has the ranges of telemetry.
data::ScanTopic scan_message(const data::Scan& section, const wire::Scan* whole, std::string_view robot);
data::Scan scan_in(const data::ScanTopic& message);

data::MapTopic map_message(const data::RoomMap& section, std::string_view robot);
/// Fails with malformed if the cells are not as the other members say.
Result<data::RoomMap> map_in(const data::MapTopic& message);

/// `section` has an image.
data::CameraTopic camera_message(const data::CameraImage& section, std::string_view robot);
/// Fails with malformed if it is not a JPEG.
Result<data::CameraImage> camera_in(const data::CameraTopic& message);

}  // namespace caribou::station
