#include "robot/ros_frames.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/geometry.hpp"
#include "negotiation/ros_units.hpp"

namespace caribou::robot {
namespace {

constexpr std::size_t most_noted = 512;  ///< 2.5 s at the highest rates of odometry and telemetry

Pose planar(const msg::geometry_msgs::Transform& transform) {
    const auto& turn = transform.rotation;
    return {transform.translation.x, transform.translation.y,
            negotiation::yaw_of(turn.x, turn.y, turn.z, turn.w)};
}

bool is_finite(const Pose& pose) {
    return std::isfinite(pose.x) && std::isfinite(pose.y) && std::isfinite(pose.heading);
}

double seconds_of(const msg::builtin_interfaces::Time& stamp) { return stamp.sec + stamp.nanosec * 1e-9; }

}  // namespace

std::string RosFrames::Options::of_sensor(std::string_view name) const {
    const std::size_t slash = base.rfind('/');
    return base.substr(0, slash == std::string::npos ? 0 : slash + 1) + std::string(name);
}

RosFrames::RosFrames(Options options) : options_(std::move(options)) {}

void RosFrames::note_odometry(double stamp, const Pose& odometry) {
    if (noted_.size() == most_noted) noted_.pop_front();
    noted_.push_back({stamp, odometry});
}

std::optional<Pose> RosFrames::odometry_at(double stamp) const {
    if (noted_.empty()) return std::nullopt;
    return std::ranges::min_element(noted_, {},
                                    [&](const Noted& noted) { return std::abs(noted.stamp - stamp); })
        ->odometry;
}

RosFrames::Taken RosFrames::take(const msg::tf2_msgs::TFMessage& message) {
    Taken taken = Taken::none;
    for (const auto& each : message.transforms) {
        const auto is = [&](const std::string& parent, const std::string& child) {
            return each.header.frame_id == parent && each.child_frame_id == child;
        };
        const bool of_map = !options_.map_to_odom && is(options_.map, options_.odom);
        const bool of_odom = !options_.odom_to_base && is(options_.odom, options_.base);
        if (!of_map && !of_odom) continue;
        const Pose pose = planar(each.transform);
        if (!is_finite(pose)) return Taken::invalid;
        const auto own = odometry_at(seconds_of(each.header.stamp));
        if (of_map)
            others_map_to_odom_ = pose;
        else if (own)
            others_odom_ = frame_between(*own, pose);
        taken = Taken::changed;
    }
    return taken;
}

std::optional<Pose> RosFrames::odom_in_map() const {
    if (options_.map_to_odom || !others_map_to_odom_) return std::nullopt;
    if (options_.odom_to_base) return others_map_to_odom_;
    if (!others_odom_) return std::nullopt;
    return frame_between(*others_map_to_odom_, *others_odom_);
}

std::optional<Pose> RosFrames::map_to_odom(const Pose& odom_in_map) const {
    if (!options_.map_to_odom) return std::nullopt;
    if (options_.odom_to_base) return odom_in_map;
    if (!others_odom_) return std::nullopt;
    return composed(odom_in_map, *others_odom_);
}

std::string RosFrames::missing() const {
    std::string text;
    const auto add = [&](const std::string& parent, const std::string& child) {
        text += fmt::format("{}{} -> {}", text.empty() ? "" : ", ", parent, child);
    };
    if (!options_.map_to_odom && !others_map_to_odom_) add(options_.map, options_.odom);
    if (!options_.odom_to_base && !others_odom_) add(options_.odom, options_.base);
    return text;
}

}  // namespace caribou::robot
