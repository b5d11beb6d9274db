#include "driver/frame_checks.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "driver/limits.hpp"

namespace caribou::driver {
namespace {

using motion::SensorKind;

struct NamedNumber {
    std::string_view name;
    double value;
    double low;
    double high;
};

/// Infinity and NaN are outside every range.
Result<void> within(std::initializer_list<NamedNumber> numbers) {
    for (const auto& [name, value, low, high] : numbers)
        if (!(value >= low && value <= high))
            return fail(Code::malformed,
                        fmt::format("{} is {}; expected a number from {} to {}", name, value, low, high));
    return {};
}

Result<void> check_place(std::string_view of, const Place& place, double limit) {
    return within({{of, place.x, -limit, limit}, {of, place.y, -limit, limit}, {of, place.heading, -7, 7}});
}

std::size_t count_of(const Hello& hello, SensorKind kind) {
    return static_cast<std::size_t>(
        std::ranges::count(hello.sensors, static_cast<std::uint8_t>(kind), &Sensor::kind));
}

Result<void> check_sensors(const Hello& hello) {
    std::set<std::string_view> names;
    for (const Sensor& sensor : hello.sensors) {
        if (sensor.name.empty() || !names.insert(sensor.name).second)
            return fail(Code::malformed,
                        fmt::format("two sensors are called `{}`, or one has no name", sensor.name));
        if (sensor.kind > Sensor::EYES)
            return fail(Code::malformed,
                        fmt::format("sensor {} has the unknown kind {}", sensor.name, sensor.kind));
        if (auto good = check_place(sensor.name, sensor.place, DriverLimits::size); !good) return good;
        if (auto good = within({{"reach", sensor.reach, 0, DriverLimits::reach}}); !good) return good;
    }
    for (const SensorKind kind :
         {SensorKind::encoder_right, SensorKind::encoder_left, SensorKind::lidar, SensorKind::imu,
          SensorKind::battery, SensorKind::charger, SensorKind::eyes})
        if (count_of(hello, kind) > 1)
            return fail(Code::malformed,
                        fmt::format("more than one sensor of kind {}", motion::to_string(kind)));
    return {};
}

bool is_distance(float distance) { return std::isnan(distance) || distance >= 0; }

}  // namespace

bool is_switch(SensorKind kind) {
    return kind == SensorKind::bumper || kind == SensorKind::cliff || kind == SensorKind::emergency_stop;
}

std::size_t switch_count(const Hello& hello) {
    return static_cast<std::size_t>(std::ranges::count_if(
        hello.sensors, [](const Sensor& sensor) { return is_switch(static_cast<SensorKind>(sensor.kind)); }));
}

Result<void> check_hello(const Hello& hello) {
    if (hello.version != protocol_version)
        return fail(Code::refused,
                    fmt::format("it speaks version {} of the driver protocol; expected version {}",
                                hello.version, protocol_version));
    if (auto good = within({{"radius", hello.radius, 0.01, DriverLimits::size},
                            {"wheel_base", hello.wheel_base, 0.01, DriverLimits::size},
                            {"meters_per_tick", hello.meters_per_tick, 1e-7, 1.0},
                            {"max_speed", hello.max_speed, 0.01, DriverLimits::speed},
                            {"period_ms", static_cast<double>(hello.period_ms),
                             DriverLimits::shortest_period_ms, DriverLimits::longest_period_ms},
                            {"stops_without_feed_ms", static_cast<double>(hello.stops_without_feed_ms), -1,
                             DriverLimits::longest_stop_ms}});
        !good)
        return good;
    return check_sensors(hello);
}

Result<void> check_state(const State& state, const Hello& hello) {
    if (state.switches.size() != switch_count(hello))
        return fail(Code::malformed, fmt::format("a state with {} switches; expected {}, as in the hello",
                                                 state.switches.size(), switch_count(hello)));
    if (const std::size_t ranges = count_of(hello, SensorKind::range); state.ranges.size() != ranges)
        return fail(Code::malformed, fmt::format("a state with {} ranges; expected {}, as in the hello",
                                                 state.ranges.size(), ranges));
    if (std::ranges::any_of(state.switches, [](auto value) { return value > State::NO_READING; }))
        return fail(Code::malformed, "a switch is neither clear, set nor without a reading");
    if (!std::ranges::all_of(state.ranges, is_distance))
        return fail(Code::malformed, "a range is below zero");
    constexpr double big = 1e6;
    constexpr double most_ticks = 1e15;
    if (auto good =
            within({{"ordered_left", state.ordered_left, -DriverLimits::speed, DriverLimits::speed},
                    {"ordered_right", state.ordered_right, -DriverLimits::speed, DriverLimits::speed}});
        !good)
        return good;
    if (state.has_encoders)
        if (auto good =
                within({{"left_ticks", static_cast<double>(state.left_ticks), -most_ticks, most_ticks},
                        {"right_ticks", static_cast<double>(state.right_ticks), -most_ticks, most_ticks}});
            !good)
            return good;
    if (state.has_imu)
        if (auto good = within({{"yaw_rate", state.yaw_rate, -100, 100},
                                {"acceleration", state.acceleration, -1000, 1000},
                                {"tilt", state.tilt, -7, 7}});
            !good)
            return good;
    if (state.has_battery)
        if (auto good = within({{"level", state.level, 0, 1},
                                {"volts", state.volts, 0, big},
                                {"amperes", state.amperes, -big, big}});
            !good)
            return good;
    if (state.has_charger) return within({{"charging_amperes", state.charging_amperes, 0, big}});
    return {};
}

Result<void> check_next_state(const State& state, const State& before, const Hello& hello) {
    if (state.time_us < before.time_us) return fail(Code::malformed, "its clock went back");
    if (!state.has_encoders || !before.has_encoders) return {};
    // Wide limits: noise, pushes by hand and a slipping wheel are no lie, a jump by meters is one.
    const double seconds = static_cast<double>(state.time_us - before.time_us) * 1e-6;
    const double most = 3.0 * hello.max_speed * seconds + 0.05;
    for (const auto& [name, after, earlier] : {std::tuple("left", state.left_ticks, before.left_ticks),
                                               std::tuple("right", state.right_ticks, before.right_ticks)}) {
        const double meters =
            (static_cast<double>(after) - static_cast<double>(earlier)) * hello.meters_per_tick;
        if (std::abs(meters) > most)
            return fail(Code::malformed,
                        fmt::format("its {} encoder jumped by {:.2f} m in {:.3f} s", name, meters, seconds));
    }
    return {};
}

Result<void> check_scan(const Scan& scan) {
    if (auto good =
            within({{"first_angle", scan.first_angle, -7, 7}, {"angle_step", scan.angle_step, -1, 1}});
        !good)
        return good;
    if (!std::ranges::all_of(scan.ranges, is_distance))
        return fail(Code::malformed, "a range of a scan is below zero");
    return {};
}

Result<void> check_sights(const Sights& sights) {
    for (const Cube& cube : sights.cubes)
        if (auto good = check_place("cube", cube.place, DriverLimits::reach); !good) return good;
    return sights.sees_dock ? check_place("dock", sights.dock, DriverLimits::reach) : Result<void>();
}

motion::BodyPlan plan_of(const Hello& hello) {
    motion::BodyPlan plan{hello.radius, hello.wheel_base, hello.meters_per_tick, hello.max_speed};
    for (const Sensor& sensor : hello.sensors)
        plan.sensors.push_back({sensor.name,
                                static_cast<SensorKind>(sensor.kind),
                                {sensor.place.x, sensor.place.y, sensor.place.heading},
                                sensor.reach,
                                sensor.required,
                                sensor.can_power_down});
    return plan;
}

}  // namespace caribou::driver
