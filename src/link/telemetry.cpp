#include "link/telemetry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/fields.hpp"

namespace caribou::link {
namespace {

using data::SensorAge;

/// Rounds, and clamps to the range of the type. NaN becomes 0.
template <class T>
T rounded(double value) {
    if (std::isnan(value)) return 0;
    return static_cast<T>(std::clamp(std::round(value), static_cast<double>(std::numeric_limits<T>::min()),
                                     static_cast<double>(std::numeric_limits<T>::max())));
}

template <class T>
std::size_t append_count(Bytes& to, const std::vector<T>& list, std::size_t most) {
    const std::size_t count = std::min(list.size(), most);
    append_le(to, static_cast<std::uint8_t>(count));
    return count;
}

void append_wheel(Bytes& to, const data::Wheel& wheel) {
    append_le(to, rounded<std::int8_t>(wheel.level));
    append_le(to, wheel.speed);
}

data::Wheel read_wheel(FieldReader& from) {
    const int level = from.number<std::int8_t>();
    if (std::abs(level) > motion::MovementCommand::max_level) from.fail();
    return {.level = level, .speed = from.number<float>()};
}

constexpr std::uint8_t no_reason = 0xff;

void read_modes(FieldReader& from, Telemetry& t) {
    t.run_mode = from.up_to(RunMode::init);
    const auto reason = from.number<std::uint8_t>();
    if (reason != no_reason) t.waits_for = static_cast<WaitReason>(reason);
    if (t.waits_for > WaitReason::requested_sleep) from.fail();
    if (t.waits_for.has_value() != (t.run_mode == RunMode::rm1)) from.fail();
    t.com_mode = from.up_to(ComMode::cm3);
    t.movement_state = from.up_to(motion::MovementState::swiveling_right);
    t.movement_class = from.up_to(motion::MovementClass::swiv_right);
    if (t.movement_class < motion::MovementClass::halt) from.fail();
    t.stopped = from.flag();
}

void read_lists(FieldReader& from, Telemetry& t) {
    t.ranges.resize(from.up_to(Telemetry::ranges_limit));
    for (auto& [bearing, distance] : t.ranges) {
        bearing = static_cast<float>(from.number<std::int16_t>()) / 1000.0F;
        distance = static_cast<float>(from.number<std::uint16_t>()) / 1000.0F;
    }
    t.faults.resize(from.up_to(Telemetry::faults_limit));
    for (std::string& fault : t.faults) fault = from.text(Telemetry::faults_bytes);
    t.ages.resize(from.up_to(Telemetry::ages_limit));
    for (auto& [sensor, seconds] : t.ages) {
        sensor = from.text(SensorAge::sensor_bytes);
        seconds = from.number<std::uint16_t>() / 100.0;
    }
}

}  // namespace

// Version 1 takes 1052 bytes of a datagram at most.
static_assert(Telemetry::added_bytes <= 140, "telemetry fits a datagram whatever it holds");

void append_telemetry(Bytes& to, const Telemetry& t) {
    append_le(to, t.number);
    append_le(to, t.stamp);
    append_le(to, static_cast<std::uint8_t>(t.run_mode));
    append_le(to, t.waits_for ? static_cast<std::uint8_t>(*t.waits_for) : no_reason);
    append_le(to, static_cast<std::uint8_t>(t.com_mode));
    append_le(to, static_cast<std::uint8_t>(t.movement_state));
    // Version 1 has no class `unknown`: the reason says so.
    const bool is_known = t.movement_class != motion::MovementClass::unknown;
    append_le(to, static_cast<std::uint8_t>(is_known ? t.movement_class : motion::MovementClass::halt));
    append_le(to, static_cast<std::uint8_t>(t.stopped));
    append_wheel(to, t.right);
    append_wheel(to, t.left);
    append_sized(to, clipped(t.winner, Telemetry::winner_bytes));
    append_sized(to, clipped(t.reason, Telemetry::reason_bytes));
    for (const double value : {t.pose.x, t.pose.y, t.pose.heading}) append_le(to, value);
    for (const float value : {t.battery.level, t.battery.volts, t.battery.amperes}) append_le(to, value);
    append_le(to, static_cast<std::uint8_t>(t.battery.on_charger));
    append_sized(to, clipped(t.behavior, Telemetry::behavior_bytes));
    const std::size_t ranges = append_count(to, t.ranges, Telemetry::ranges_limit);
    for (const auto& [bearing, distance] : std::span(t.ranges).first(ranges)) {
        append_le(to, rounded<std::int16_t>(bearing * 1000.0));
        append_le(to, rounded<std::uint16_t>(distance * 1000.0));
    }
    const std::size_t faults = append_count(to, t.faults, Telemetry::faults_limit);
    for (const std::string& fault : std::span(t.faults).first(faults))
        append_sized(to, clipped(fault, Telemetry::faults_bytes));
    const std::size_t ages = append_count(to, t.ages, Telemetry::ages_limit);
    for (const auto& [sensor, seconds] : std::span(t.ages).first(ages)) {
        append_sized(to, clipped(sensor, SensorAge::sensor_bytes));
        append_le(to, rounded<std::uint16_t>(seconds * 100));
    }
    for (const double value : {t.odom_in_map.x, t.odom_in_map.y, t.odom_in_map.heading}) append_le(to, value);
    append_added(to, t);
}

Result<Telemetry> decode_telemetry(ByteView bytes) {
    FieldReader from(bytes);
    Telemetry t;
    t.number = from.number<std::uint64_t>();
    t.stamp = from.number<double>();
    read_modes(from, t);
    t.right = read_wheel(from);
    t.left = read_wheel(from);
    t.winner = from.text(Telemetry::winner_bytes);
    t.reason = from.text(Telemetry::reason_bytes);
    if (t.reason == motion_unknown) t.movement_class = motion::MovementClass::unknown;
    for (double* const value : {&t.pose.x, &t.pose.y, &t.pose.heading}) *value = from.number<double>();
    for (float* const value : {&t.battery.level, &t.battery.volts, &t.battery.amperes})
        *value = from.number<float>();
    t.battery.on_charger = from.flag();
    t.behavior = from.text(Telemetry::behavior_bytes);
    read_lists(from, t);
    // Fields added by later versions: missing in messages of older robots, and possibly followed by unknown
    // fields.
    FieldReader added(from.rest());
    if (!from.ok()) return fail(Code::malformed, "malformed telemetry");
    if (added.complete()) return t;
    for (double* const value : {&t.odom_in_map.x, &t.odom_in_map.y, &t.odom_in_map.heading})
        *value = added.number<double>();
    if (!added.ok()) return fail(Code::malformed, "malformed telemetry: map->odom is cut");
    if (added.left() > 0) read_added(added, t);
    if (!added.ok()) return fail(Code::malformed, "malformed telemetry: an added field");
    return t;
}

std::string level_text(const data::Battery& battery) {
    return std::isnan(battery.level) ? "unknown" : fmt::format("{:.0f} %", battery.level * 100);
}

}  // namespace caribou::link
