#include "station/foxglove_messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "station/robot_json.hpp"
#include "views/grid.hpp"

namespace caribou::station {
namespace {

constexpr std::uint8_t int8_field = 2;   ///< foxglove.NumericType
constexpr std::uint8_t log_warning = 3;  ///< foxglove.LogLevel

/// One ray per degree has room for every range sensor.
constexpr std::size_t circle_rays = 360;

/// Returns the readings of range sensors as rays at equal angles on a full circle.
std::vector<float> circle_of(const std::vector<data::SensorRange>& ranges) {
    std::vector<float> rays(circle_rays, 0);
    for (const auto& [bearing, distance] : ranges) {
        const double turns = bearing / (2 * std::numbers::pi);
        const double share = turns - std::floor(turns);
        rays[static_cast<std::size_t>(std::lround(share * circle_rays)) % circle_rays] = distance;
    }
    return rays;
}

double last_angle(double first, double step, std::size_t rays) {
    return first + static_cast<double>(std::max<std::size_t>(rays, 1) - 1) * step;
}

std::vector<std::int8_t> cells_of(const std::vector<std::uint32_t>& runs) {
    constexpr std::int8_t kinds[] = {-1, 0, 100};
    std::vector<std::int8_t> cells;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
        cells.insert(cells.end(), runs[i + 1], kinds[runs[i]]);
    return cells;
}

}  // namespace

std::string map_frame(std::string_view robot) { return fmt::format("{}/map", robot); }
std::string odom_frame(std::string_view robot) { return fmt::format("{}/odom", robot); }

data::FoxgloveTime foxglove_time(double at) {
    const auto milliseconds = static_cast<std::uint64_t>(std::llround(std::max(at, 0.0) * 1000));
    return {.sec = static_cast<std::uint32_t>(milliseconds / 1000),
            .nsec = static_cast<std::uint32_t>(milliseconds % 1000 * 1'000'000)};
}

double unix_time(const data::FoxgloveTime& time) { return time.sec + time.nsec / 1e9; }

data::FoxglovePose foxglove_pose(const Pose& pose) {
    constexpr double unit = 1e-4;  // of headings in Pose.msg
    const double half = std::round(pose.heading / unit) * unit / 2;
    return {.position = {.x = pose.x, .y = pose.y},
            .orientation = {.z = std::sin(half), .w = std::cos(half)}};
}

Pose pose_of(const data::FoxglovePose& pose) {
    return {pose.position.x, pose.position.y, 2 * std::atan2(pose.orientation.z, pose.orientation.w)};
}

data::FoxglovePoseInFrame pose_message(const Pose& pose, std::string_view robot, double at) {
    return {.timestamp = foxglove_time(at), .frame_id = map_frame(robot), .pose = foxglove_pose(pose)};
}

namespace {

data::FoxgloveFrameTransform transform_between(std::string parent, std::string child, const Pose& pose,
                                               double at) {
    const data::FoxglovePose place = foxglove_pose(pose);
    return {.timestamp = foxglove_time(at),
            .parent_frame_id = std::move(parent),
            .child_frame_id = std::move(child),
            .translation = place.position,
            .rotation = place.orientation};
}

}  // namespace

data::FoxgloveFrameTransform transform_message(const Pose& pose, std::string_view robot, double at) {
    return transform_between(map_frame(robot), std::string(robot), pose, at);
}

data::FoxgloveFrameTransform map_transform_message(std::string_view robot, double at) {
    return transform_between(std::string(world_frame), map_frame(robot), {}, at);
}

data::FoxgloveFrameTransform odom_transform_message(const Pose& odom_in_map, std::string_view robot,
                                                    double at) {
    return transform_between(map_frame(robot), odom_frame(robot), odom_in_map, at);
}

data::FoxgloveLog log_message(std::string_view text, std::string_view robot, double at) {
    return {.timestamp = foxglove_time(at),
            .level = log_warning,
            .message = std::string(text),
            .name = std::string(robot)};
}

data::ScanTopic scan_message(const data::Scan& section, const wire::Scan* whole, std::string_view robot) {
    data::ScanTopic message;
    message.timestamp = foxglove_time(section.at);
    message.frame_id = map_frame(robot);
    message.pose = foxglove_pose(section.pose);
    message.ages = section.ages;
    message.encoding = section.encoding;
    message.bytes_per_second = section.bytes_per_second;
    if (!whole) {
        message.ranges = circle_of(section.ranges);
        message.end_angle = last_angle(0, 2 * std::numbers::pi / circle_rays, circle_rays);
        message.sensors = section.ranges;
        return message;
    }
    message.start_angle = whole->first_angle;
    message.end_angle = last_angle(whole->first_angle, whole->angle_step, whole->ranges.size());
    for (const float distance : whole->ranges)
        message.ranges.push_back(std::isfinite(distance) ? distance : 0);
    return message;
}

data::Scan scan_in(const data::ScanTopic& message) {
    data::Scan section{.at = unix_time(message.timestamp),
                       .pose = pose_of(message.pose),
                       .ages = message.ages,
                       .encoding = message.encoding,
                       .bytes_per_second = message.bytes_per_second};
    if (message.sensors) {
        section.ranges = *message.sensors;
        return section;
    }
    const std::size_t rays = message.ranges.size();
    const double step =
        rays > 1 ? (message.end_angle - message.start_angle) / static_cast<double>(rays - 1) : 0;
    for (std::size_t i = 0; i < rays; ++i)
        if (message.ranges[i] > 0) {
            const double bearing = wrapped_angle(message.start_angle + static_cast<double>(i) * step);
            section.ranges.push_back({static_cast<float>(bearing), message.ranges[i]});
        }
    return section;
}

data::MapTopic map_message(const data::RoomMap& section, std::string_view robot) {
    data::MapTopic message;
    message.timestamp = foxglove_time(section.at);
    message.frame_id = map_frame(robot);
    message.pose = foxglove_pose({section.origin.x, section.origin.y, 0});
    message.column_count = message.row_stride = section.width;
    message.cell_size = {section.resolution, section.resolution};
    message.cell_stride = 1;
    message.fields = {{.name = "occupancy", .type = int8_field}};
    const std::vector<std::int8_t> cells = cells_of(section.runs);
    message.data = base64(std::as_bytes(std::span(cells)));
    message.encoding = section.encoding;
    message.bytes_per_second = section.bytes_per_second;
    static_cast<data::Places&>(message) = section;
    return message;
}

Result<data::RoomMap> map_in(const data::MapTopic& message) {
    const auto bytes = base64_content(message.data);
    if (!bytes) return fail(Code::malformed, "data: expected base64");
    if (bytes->size() > wire::Grid::max_cells || message.column_count == 0 ||
        bytes->size() % message.column_count != 0)
        return fail(Code::malformed, fmt::format("{} cells are not a map with {} columns", bytes->size(),
                                                 message.column_count));
    std::vector<std::int8_t> cells;
    cells.reserve(bytes->size());
    for (const std::byte cell : *bytes) cells.push_back(static_cast<std::int8_t>(cell));
    data::RoomMap section;
    static_cast<data::Places&>(section) = message;
    section.at = unix_time(message.timestamp);
    section.width = message.column_count;
    section.height = static_cast<std::uint32_t>(cells.size() / message.column_count);
    section.resolution = message.cell_size.x;
    section.origin = {message.pose.position.x, message.pose.position.y};
    section.runs = runs_of(cells);
    section.encoding = message.encoding;
    section.bytes_per_second = message.bytes_per_second;
    return section;
}

data::CameraTopic camera_message(const data::CameraImage& section, std::string_view robot) {
    data::CameraTopic message;
    message.timestamp = foxglove_time(section.at);
    message.frame_id = robot;
    message.data = section.jpeg.value_or("");
    message.format = "jpeg";
    message.encoding = section.encoding;
    message.bytes_per_second = section.bytes_per_second;
    message.images_per_second = section.images_per_second;
    return message;
}

Result<data::CameraImage> camera_in(const data::CameraTopic& message) {
    const auto bytes = base64_content(message.data);
    if (!bytes || message.format != "jpeg" || bytes->size() > wire::CameraImage::max_jpeg)
        return fail(Code::malformed, "data: expected a JPEG in base64");
    return data::CameraImage{.at = unix_time(message.timestamp),
                             .jpeg = message.data,
                             .encoding = message.encoding,
                             .bytes_per_second = message.bytes_per_second,
                             .images_per_second = message.images_per_second};
}

}  // namespace caribou::station
