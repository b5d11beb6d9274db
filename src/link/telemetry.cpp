#include "link/telemetry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fields.hpp"

namespace caribou::link {
namespace {

using Limits = TelemetryLimits;

/// The first bytes of a text, without cutting a character in two.
std::string_view clipped(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
    return text.substr(0, most);
}

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

void append_wheel(Bytes& to, const Telemetry::Wheel& wheel) {
    append_le(to, rounded<std::int8_t>(wheel.level));
    append_le(to, wheel.speed);
}

Telemetry::Wheel read_wheel(FieldReader& from) {
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
    t.ranges.resize(from.up_to(Limits::ranges));
    for (auto& [bearing, distance] : t.ranges) {
        bearing = static_cast<float>(from.number<std::int16_t>()) / 1000.0F;
        distance = static_cast<float>(from.number<std::uint16_t>()) / 1000.0F;
    }
    t.faults.resize(from.up_to(Limits::faults));
    for (std::string& fault : t.faults) fault = from.text(Limits::fault);
    t.ages.resize(from.up_to(Limits::ages));
    for (auto& [sensor, seconds] : t.ages) {
        sensor = from.text(Limits::sensor);
        seconds = from.number<std::uint16_t>() / 100.0;
    }
}

}  // namespace

void append_telemetry(Bytes& to, const Telemetry& t) {
    append_le(to, t.number);
    append_le(to, t.stamp);
    append_le(to, static_cast<std::uint8_t>(t.run_mode));
    append_le(to, t.waits_for ? static_cast<std::uint8_t>(*t.waits_for) : no_reason);
    append_le(to, static_cast<std::uint8_t>(t.com_mode));
    append_le(to, static_cast<std::uint8_t>(t.movement_state));
    append_le(to, static_cast<std::uint8_t>(t.movement_class));
    append_le(to, static_cast<std::uint8_t>(t.stopped));
    append_wheel(to, t.right);
    append_wheel(to, t.left);
    append_sized(to, clipped(t.winner, Limits::winner));
    append_sized(to, clipped(t.reason, Limits::reason));
    for (const double value : {t.pose.x, t.pose.y, t.pose.heading}) append_le(to, value);
    for (const float value : {t.battery.level, t.battery.volts, t.battery.amperes}) append_le(to, value);
    append_le(to, static_cast<std::uint8_t>(t.battery.on_charger));
    append_sized(to, clipped(t.behavior, Limits::behavior));
    const std::size_t ranges = append_count(to, t.ranges, Limits::ranges);
    for (const auto& [bearing, distance] : std::span(t.ranges).first(ranges)) {
        append_le(to, rounded<std::int16_t>(bearing * 1000.0));
        append_le(to, rounded<std::uint16_t>(distance * 1000.0));
    }
    const std::size_t faults = append_count(to, t.faults, Limits::faults);
    for (const std::string& fault : std::span(t.faults).first(faults))
        append_sized(to, clipped(fault, Limits::fault));
    const std::size_t ages = append_count(to, t.ages, Limits::ages);
    for (const auto& [sensor, seconds] : std::span(t.ages).first(ages)) {
        append_sized(to, clipped(sensor, Limits::sensor));
        append_le(to, rounded<std::uint16_t>(seconds * 100));
    }
    for (const double value : {t.odom_in_map.x, t.odom_in_map.y, t.odom_in_map.heading}) append_le(to, value);
}

Result<Telemetry> decode_telemetry(ByteView bytes) {
    FieldReader from(bytes);
    Telemetry t;
    t.number = from.number<std::uint64_t>();
    t.stamp = from.number<double>();
    read_modes(from, t);
    t.right = read_wheel(from);
    t.left = read_wheel(from);
    t.winner = from.text(Limits::winner);
    t.reason = from.text(Limits::reason);
    for (double* const value : {&t.pose.x, &t.pose.y, &t.pose.heading}) *value = from.number<double>();
    for (float* const value : {&t.battery.level, &t.battery.volts, &t.battery.amperes})
        *value = from.number<float>();
    t.battery.on_charger = from.flag();
    t.behavior = from.text(Limits::behavior);
    read_lists(from, t);
    // Fields added by later versions: missing in messages of older robots, and possibly followed by unknown
    // fields.
    FieldReader added(from.rest());
    if (!from.ok()) return fail(Code::malformed, "malformed telemetry");
    if (added.complete()) return t;
    for (double* const value : {&t.odom_in_map.x, &t.odom_in_map.y, &t.odom_in_map.heading})
        *value = added.number<double>();
    if (!added.ok()) return fail(Code::malformed, "malformed telemetry: map->odom is cut");
    return t;
}

}  // namespace caribou::link
