#include "cubes/cube_sensing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::cubes {

using Kind = CubeEvent::Kind;

std::string_view to_string(UpAxis axis) {
    constexpr std::array<std::string_view, 7> names{"unknown", "x_up", "x_down", "y_up",
                                                    "y_down",  "z_up", "z_down"};
    return names.at(static_cast<std::size_t>(axis));
}

Result<UpAxis> up_axis_from(std::string_view name) {
    using enum UpAxis;
    std::vector<std::string> names;
    for (const UpAxis axis : {x_up, x_down, y_up, y_down, z_up, z_down}) {
        if (name == to_string(axis)) return axis;
        names.emplace_back(to_string(axis));
    }
    return fail(Code::invalid_argument,
                fmt::format("expected the axis that points up{}", instead_of(name, names)));
}

std::string_view to_string(CubeEvent::Kind kind) {
    constexpr std::array<std::string_view, 8> names{"tapped",         "double_tapped",       "moved",
                                                    "stopped_moving", "up_axis_changed",     "shaken",
                                                    "battery_low",    "accelerometer_failed"};
    return names.at(static_cast<std::size_t>(kind));
}

std::string describe(const CubeEvent& event) {
    if (event.kind != Kind::up_axis_changed) return std::string(to_string(event.kind));
    return fmt::format("{} to {}", to_string(event.kind), to_string(event.up_axis));
}

void CubeSensing::reset() { *this = CubeSensing(options_); }

std::vector<CubeEvent> CubeSensing::take(const CubeMessage& message, Instant now) {
    Events events;
    if (const auto* acceleration = std::get_if<Acceleration>(&message)) {
        take_taps(acceleration->tap_count, now, events);
        for (const auto& [x, y, z] : acceleration->samples)
            take_sample({to_acceleration(x), to_acceleration(y), to_acceleration(z)}, now, events);
    } else if (const auto* voltage = std::get_if<Voltage>(&message)) {
        take_voltage(to_volts(*voltage), events);
    } else if (std::holds_alternative<AccelerometerFailure>(message)) {
        add(events, Kind::accelerometer_failed);
    }
    return events;
}

/// Messages may be lost, so the count can increase by more than one; each increment is one tap. The first
/// count is only the starting point.
void CubeSensing::take_taps(std::uint8_t count, Instant now, Events& events) {
    const auto before = std::exchange(taps_, count);
    if (!before) return;
    for (auto taps = static_cast<std::uint8_t>(count - *before); taps > 0; --taps) {
        add(events, Kind::tapped);
        ++tapped_;
        if (last_tap_ && now - *last_tap_ <= options_.double_tap) {
            add(events, Kind::double_tapped);
            last_tap_.reset();  // a third tap starts a new pair
        } else {
            last_tap_ = now;
        }
    }
}

void CubeSensing::take_sample(Vector sample, Instant now, Events& events) {
    constexpr double share = 0.05;  // weight of a new sample: the average settles within half a second
    sample_ = sample;
    if (!rest_) rest_ = sample;
    const Vector off{sample.x - rest_->x, sample.y - rest_->y, sample.z - rest_->z};
    rest_ = {rest_->x + share * off.x, rest_->y + share * off.y, rest_->z + share * off.z};
    watch_motion(std::hypot(off.x, off.y, off.z), now, events);
    watch_shaking(off, now, events);
    watch_axis(now, events);
}

void CubeSensing::watch_motion(double unrest, Instant now, Events& events) {
    if (unrest > options_.moved_by) {
        last_unrest_ = now;
        if (!std::exchange(moving_, true)) add(events, Kind::moved);
    } else if (moving_ && now - last_unrest_ >= options_.still_for) {
        moving_ = false;
        add(events, Kind::stopped_moving);
    }
}

void CubeSensing::watch_shaking(Vector off_rest, Instant now, Events& events) {
    const double strongest = std::max({off_rest.x, off_rest.y, off_rest.z},
                                      [](double a, double b) { return std::abs(a) < std::abs(b); });
    if (std::abs(strongest) < options_.shaken_by) return;
    const int side = strongest > 0 ? 1 : -1;
    if (std::exchange(swing_, side) == side) return;
    std::erase_if(swings_, [&](Instant when) { return now - when > options_.shake_window; });
    swings_.push_back(now);
    if (swings_.size() <= options_.shakes) return;
    swings_.clear();
    add(events, Kind::shaken);
}

void CubeSensing::watch_axis(Instant now, Events& events) {
    constexpr double clearly = 0.8 * standard_gravity;
    UpAxis axis = UpAxis::unknown;
    if (std::abs(rest_->x) > clearly) axis = rest_->x > 0 ? UpAxis::x_up : UpAxis::x_down;
    if (std::abs(rest_->y) > clearly) axis = rest_->y > 0 ? UpAxis::y_up : UpAxis::y_down;
    if (std::abs(rest_->z) > clearly) axis = rest_->z > 0 ? UpAxis::z_up : UpAxis::z_down;
    if (std::exchange(candidate_, axis) != axis) candidate_since_ = now;
    if (axis == UpAxis::unknown || axis == up_axis_ || now - candidate_since_ < options_.up_for) return;
    up_axis_ = axis;
    add(events, Kind::up_axis_changed);
}

void CubeSensing::take_voltage(double volts, Events& events) {
    if (volts < options_.least_volts || volts > options_.most_volts) return;
    volts_ = volts;
    low_readings_ = volts < options_.low_volts ? low_readings_ + 1 : 0;
    const bool is_low = low_readings_ >= options_.low_readings;
    if (is_low && !battery_low_) add(events, Kind::battery_low);
    battery_low_ = is_low || (battery_low_ && volts < options_.low_volts);
}

}  // namespace caribou::cubes
