#include "station/foxglove_topic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

#include <fmt/format.h>

#include "base/base64.hpp"
#include "base/json_text.hpp"
#include "data/motion.hpp"
#include "data/status.hpp"

namespace caribou::station {
namespace {

// Helpers to compose JSON schemas.
using Properties = std::initializer_list<std::pair<std::string_view, std::string>>;

std::string plain(std::string_view type) { return fmt::format(R"({{"type":"{}"}})", type); }
std::string list_of(std::string_view items) { return fmt::format(R"({{"type":"array","items":{}}})", items); }
std::string object(Properties properties) {
    std::string list;
    for (const auto& [name, schema] : properties)
        list += fmt::format(R"({}"{}":{})", list.empty() ? "" : ",", name, schema);
    return fmt::format(R"({{"type":"object","properties":{{{}}}}})", list);
}

const std::string number_schema = plain("number");
const std::string whole_schema = plain("integer");
const std::string text_schema = plain("string");
const std::string time_schema = object({{"sec", whole_schema}, {"nsec", whole_schema}});
const std::string vector_schema = object({{"x", number_schema}, {"y", number_schema}, {"z", number_schema}});
const std::string quaternion_schema =
    object({{"x", number_schema}, {"y", number_schema}, {"z", number_schema}, {"w", number_schema}});
const std::string pose_schema = object({{"position", vector_schema}, {"orientation", quaternion_schema}});
std::string foxglove_time(FoxgloveTime at) {
    constexpr FoxgloveTime second = 1'000'000'000;
    return fmt::format(R"({{"sec":{},"nsec":{}}})", at / second, at % second);
}

std::string place_json(const Pose& pose) {
    return fmt::format(R"({{"x":{},"y":{},"z":0}})", json_fixed(pose.x, 3), json_fixed(pose.y, 3));
}

/// Returns a rotation about the vertical axis as a quaternion.
std::string turn_json(double heading) {
    return fmt::format(R"({{"x":0,"y":0,"z":{},"w":{}}})", json_fixed(std::sin(heading / 2), 5),
                       json_fixed(std::cos(heading / 2), 5));
}

struct TopicRow {
    std::string_view name;
    std::string_view schema_name;
    std::string schema;
};

const TopicRow& row_of(FoxgloveTopic topic) {
    static const std::array<TopicRow, foxglove_topics.size()> rows{{
        {"telemetry", "caribou.Telemetry",
         object({{"status", std::string(data::json_schema<data::Status>())},
                 {"motion", std::string(data::json_schema<data::Motion>())}})},
        {"pose", "foxglove.PoseInFrame",
         object({{"timestamp", time_schema}, {"frame_id", text_schema}, {"pose", pose_schema}})},
        {"tf", "foxglove.FrameTransform",
         object({{"timestamp", time_schema},
                 {"parent_frame_id", text_schema},
                 {"child_frame_id", text_schema},
                 {"translation", vector_schema},
                 {"rotation", quaternion_schema}})},
        {"scan", "foxglove.LaserScan",
         object({{"timestamp", time_schema},
                 {"frame_id", text_schema},
                 {"pose", pose_schema},
                 {"start_angle", number_schema},
                 {"end_angle", number_schema},
                 {"ranges", list_of(number_schema)},
                 {"intensities", list_of(number_schema)}})},
        {"map", "foxglove.Grid",
         object({{"timestamp", time_schema},
                 {"frame_id", text_schema},
                 {"pose", pose_schema},
                 {"column_count", whole_schema},
                 {"cell_size", object({{"x", number_schema}, {"y", number_schema}})},
                 {"row_stride", whole_schema},
                 {"cell_stride", whole_schema},
                 {"fields",
                  list_of(object({{"name", text_schema}, {"offset", whole_schema}, {"type", whole_schema}}))},
                 {"data", R"({"type":"string","contentEncoding":"base64"})"}})},
        {"log", "foxglove.Log",
         object({{"timestamp", time_schema},
                 {"level", whole_schema},
                 {"message", text_schema},
                 {"name", text_schema},
                 {"file", text_schema},
                 {"line", whole_schema}})},
    }};
    return rows[static_cast<std::size_t>(topic)];
}

}  // namespace

std::string_view to_string(FoxgloveTopic topic) { return row_of(topic).name; }
std::string_view schema_name(FoxgloveTopic topic) { return row_of(topic).schema_name; }
std::string_view schema_of(FoxgloveTopic topic) { return row_of(topic).schema; }

std::string map_frame(std::string_view robot) { return fmt::format("{}/map", robot); }

std::string pose_message(const Pose& pose, std::string_view frame, FoxgloveTime at) {
    return fmt::format(R"({{"timestamp":{},"frame_id":{},"pose":{{"position":{},"orientation":{}}}}})",
                       foxglove_time(at), json_quoted(frame), place_json(pose), turn_json(pose.heading));
}

std::string transform_message(const Pose& pose, std::string_view robot, FoxgloveTime at) {
    return fmt::format(
        R"({{"timestamp":{},"parent_frame_id":{},"child_frame_id":{},"translation":{},"rotation":{}}})",
        foxglove_time(at), json_quoted(map_frame(robot)), json_quoted(robot), place_json(pose),
        turn_json(pose.heading));
}

std::string scan_message(const wire::Scan& scan, std::string_view robot, FoxgloveTime at) {
    std::string list;
    for (const float distance : scan.ranges) {
        if (!list.empty()) list += ',';
        list += std::isfinite(distance) ? json_fixed(distance, 3) : "null";
    }
    const double last = static_cast<double>(scan.ranges.size()) - 1;
    return fmt::format(R"({{"timestamp":{},"frame_id":{},"pose":{{"position":{},"orientation":{}}},)"
                       R"("start_angle":{},"end_angle":{},"ranges":[{}],"intensities":[]}})",
                       foxglove_time(at), json_quoted(scan.pose ? map_frame(robot) : std::string(robot)),
                       place_json(scan.pose.value_or(Pose{})), turn_json(scan.pose.value_or(Pose{}).heading),
                       json_fixed(scan.first_angle, 5),
                       json_fixed(scan.first_angle + std::max(last, 0.0) * scan.angle_step, 5), list);
}

wire::Scan circle_of(const std::vector<data::SensorRange>& ranges) {
    // Rays have equal angles between them. One ray per degree has room for every sensor.
    constexpr std::size_t rays = 360;
    wire::Scan scan{.angle_step = static_cast<float>(2 * std::numbers::pi / rays)};
    scan.ranges.assign(rays, std::numeric_limits<float>::infinity());
    for (const auto& [bearing, distance] : ranges) {
        const double turns = bearing / (2 * std::numbers::pi);
        const double share = turns - std::floor(turns);
        scan.ranges[static_cast<std::size_t>(std::lround(share * rays)) % rays] = distance;
    }
    return scan;
}

std::string map_message(const wire::Grid& grid, std::string_view robot, FoxgloveTime at) {
    constexpr int int8 = 2;
    const std::string cell = json_fixed(grid.cell, 3);
    return fmt::format(
        R"({{"timestamp":{},"frame_id":{},"pose":{{"position":{},"orientation":{}}},"column_count":{},)"
        R"("cell_size":{{"x":{},"y":{}}},"row_stride":{},"cell_stride":1,)"
        R"("fields":[{{"name":"occupancy","offset":0,"type":{}}}],"data":"{}"}})",
        foxglove_time(at), json_quoted(map_frame(robot)), place_json({.x = grid.x, .y = grid.y}),
        turn_json(0), grid.columns, cell, cell, grid.columns, int8,
        base64(std::as_bytes(std::span(grid.cells))));
}

std::string log_message(std::string_view text, std::string_view robot, FoxgloveTime at) {
    constexpr int warning = 3;
    return fmt::format(R"({{"timestamp":{},"level":{},"message":{},"name":{},"file":"","line":0}})",
                       foxglove_time(at), warning, json_quoted(text), json_quoted(robot));
}

}  // namespace caribou::station
