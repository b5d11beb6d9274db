#include "robot/sim_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/geometry.hpp"
#include "base/suggestion.hpp"

namespace caribou::robot {
namespace {

constexpr double pi = std::numbers::pi;

/// Returns a pose on the hull, facing outward.
Pose on_hull(double radius, double bearing) {
    return {radius * std::cos(bearing), radius * std::sin(bearing), wrapped_angle(bearing)};
}

}  // namespace

SimBody::SimBody(RunningWorld& world, world::RobotId robot, const SimBodySettings& settings)
    : world_(world), robot_(robot), settings_(settings) {
    const world::RobotModel& model = world.now().model(robot);
    plan_ = {model.radius, model.wheel_base, 1.0 / model.ticks_per_metre, model.max_speed};
    add({"encoder_right", motion::SensorKind::encoder_right});
    add({"encoder_left", motion::SensorKind::encoder_left});
    add_ring(model);
    add({"lidar", motion::SensorKind::lidar, {}, model.lidar_reach, false, true});
    add({"imu", motion::SensorKind::imu});
    add({"battery", motion::SensorKind::battery});
    add({"charger", motion::SensorKind::charger});
    add({"emergency_stop", motion::SensorKind::emergency_stop});
    add({"eyes", motion::SensorKind::eyes, {}, model.cube_sight, false, true});
}

void SimBody::add(motion::SensorPlan sensor, std::size_t index) {
    sensor.required = std::ranges::find(settings_.required, sensor.name) != settings_.required.end();
    plan_.sensors.push_back(std::move(sensor));
    sensors_.push_back({index});
}

void SimBody::add_ring(const world::RobotModel& model) {
    for (std::size_t i = 0; i < model.ranges.size(); ++i)
        add({"range_" + model.ranges[i].name, motion::SensorKind::range,
             on_hull(model.radius, model.ranges[i].bearing), model.range_reach, false, true},
            i);
    constexpr std::array bumpers = {std::pair{"bumper_front", 0.0}, std::pair{"bumper_left", pi / 2},
                                    std::pair{"bumper_rear", pi}, std::pair{"bumper_right", -pi / 2}};
    constexpr std::array cliffs = {
        std::pair{"cliff_front_left", 0.25 * pi}, std::pair{"cliff_front_right", -0.25 * pi},
        std::pair{"cliff_rear_left", 0.75 * pi}, std::pair{"cliff_rear_right", -0.75 * pi}};
    for (std::size_t i = 0; i < bumpers.size(); ++i)
        add({bumpers.at(i).first, motion::SensorKind::bumper, on_hull(model.radius, bumpers.at(i).second)},
            i);
    for (std::size_t i = 0; i < cliffs.size(); ++i)
        add({cliffs.at(i).first, motion::SensorKind::cliff, on_hull(model.radius, cliffs.at(i).second)}, i);
}

motion::SensorReading SimBody::read(std::size_t sensor) {
    const auto [index, powered] = sensors_.at(sensor);
    if (!powered) return motion::NoReading{};
    world::World& world = world_.now();
    switch (const motion::SensorKind kind = plan_.sensors[sensor].kind) {
        case motion::SensorKind::encoder_right:
        case motion::SensorKind::encoder_left: {
            const auto ticks = world.encoders(robot_);
            if (!ticks) return motion::NoReading{};
            return kind == motion::SensorKind::encoder_right ? ticks->right : ticks->left;
        }
        case motion::SensorKind::range: {
            const double distance = world.ranges(robot_)[index];
            return std::isnan(distance) ? motion::SensorReading(motion::NoReading{}) : distance;
        }
        case motion::SensorKind::lidar: return lidar();
        case motion::SensorKind::bumper:
        case motion::SensorKind::cliff: return flag(kind, index);
        case motion::SensorKind::imu: {
            const auto imu = world.imu(robot_);
            return imu ? motion::ImuReading{imu->yaw_rate, imu->acceleration, imu->tilt}
                       : motion::SensorReading(motion::NoReading{});
        }
        case motion::SensorKind::battery: {
            const world::Power power = world.power(robot_);
            return motion::BatteryReading{power.level, power.volts, power.amperes};
        }
        case motion::SensorKind::charger: {
            const world::Power power = world.power(robot_);
            return motion::ChargerReading{power.on_contacts,
                                          power.on_contacts ? std::max(0.0, power.amperes) : 0.0};
        }
        case motion::SensorKind::emergency_stop: return emergency_;
        case motion::SensorKind::eyes: return eyes();
    }
    return motion::NoReading{};
}

motion::SensorReading SimBody::lidar() {
    world::World& world = world_.now();
    const bool due = !scan_ || world.now() >= scanned_at_ + settings_.lidar_period;
    if (!due) return scan_;
    const world::LidarScan* const seen = world.lidar(robot_);
    if (seen == nullptr) return motion::NoReading{};
    scanned_at_ = world.now();
    scan_ = std::make_shared<const motion::LidarScan>(
        motion::LidarScan{0.0, 2.0 * pi / static_cast<double>(seen->ranges.size()), seen->ranges});
    return scan_;
}

motion::SensorReading SimBody::eyes() {
    const world::World& world = world_.now();
    if (sights_ && world.now() < looked_at_ + settings_.lidar_period) return sights_;
    looked_at_ = world.now();
    auto seen = world.cubes_in_sight(robot_);
    std::ranges::sort(seen, {}, &world::CubeSight::distance);
    motion::Sights sights{.dock = world.charger_in_sight(robot_)};
    for (const world::CubeSight& cube : seen)
        sights.cubes.push_back({.pose = pose_at(towards(cube.bearing) * cube.distance, 0),
                                .name = world.plan().cubes.at(cube.cube).name});
    sights_ = std::make_shared<const motion::Sights>(std::move(sights));
    return sights_;
}

motion::SensorReading SimBody::flag(motion::SensorKind kind, std::size_t index) {
    if (kind == motion::SensorKind::bumper) {
        const auto b = world_.now().bumpers(robot_);
        return b ? std::array{b->front, b->left, b->rear, b->right}.at(index)
                 : motion::SensorReading(motion::NoReading{});
    }
    const auto c = world_.now().cliffs(robot_);
    return c ? std::array{c->front_left, c->front_right, c->rear_left, c->rear_right}.at(index)
             : motion::SensorReading(motion::NoReading{});
}

Result<void> SimBody::enable_motors(bool enabled) {
    motors_on_ = enabled;
    if (!enabled) world_.now().drive(robot_, {});
    return {};
}

void SimBody::drive(motion::WheelSpeeds speeds) {
    if (motors_on_) world_.now().drive(robot_, {.left = speeds.left, .right = speeds.right});
}

Result<void> SimBody::cut_motors() {
    motors_on_ = false;
    world_.now().drive(robot_, {});
    return {};
}

void SimBody::cut_motors_at(Instant at) {
    motors_on_ = false;
    world_.at(at).drive(robot_, {});
}

Result<void> SimBody::set_power(std::size_t sensor, bool on) {
    if (!plan_.sensors.at(sensor).can_power_down)
        return fail(Code::refused, fmt::format("{} cannot be powered down", plan_.sensors[sensor].name));
    sensors_[sensor].powered = on;
    return {};
}

std::vector<motion::PartCheck> SimBody::self_check() {
    std::vector<motion::PartCheck> checks = {{"motors", true, {}}};
    for (std::size_t i = 0; i < plan_.sensors.size(); ++i) {
        const motion::SensorPlan& sensor = plan_.sensors[i];
        motion::PartCheck check{sensor.name, sensor.required, {}};
        if (std::holds_alternative<motion::NoReading>(read(i)))
            check.outcome = fail(Code::unavailable, fmt::format("{} gives no reading", sensor.name));
        checks.push_back(std::move(check));
    }
    return checks;
}

std::vector<std::pair<std::string, world::Fault>> SimBody::possible_faults() {
    std::vector<std::string> ranges;
    for (const auto& range : world_.now().model(robot_).ranges) ranges.push_back(range.name);
    std::vector<std::pair<std::string, world::Fault>> all;
    for (const std::string& name : world::fault_kinds()) {
        world::Fault fault{.kind = *world::fault_kind(name), .robot = robot_};
        if (fault.kind == world::FaultKind::lying_encoder) fault.value = 0.5;
        if (fault.kind == world::FaultKind::low_battery) fault.value = 0.1;
        const auto subjects = world::subjects_of(fault.kind, ranges);
        if (subjects.empty()) all.emplace_back(name, fault);
        for (const std::string& subject : subjects) {
            fault.what = subject;
            all.emplace_back(fmt::format("{}.{}", name, subject), fault);
        }
    }
    return all;
}

std::vector<motion::BodyFault> SimBody::faults() {
    std::vector<motion::BodyFault> all;
    for (const auto& [name, fault] : possible_faults())
        all.push_back(
            {name, broken_.contains(name), std::string(world::about(fault.kind)), ends_driving(fault)});
    return all;
}

/// Returns whether propulsion refuses to drive with this fault: an unreliable wheel, or a missing required
/// sensor.
bool SimBody::ends_driving(const world::Fault& fault) const {
    using world::FaultKind;
    if (fault.kind == FaultKind::lying_encoder) return true;
    if (fault.kind != FaultKind::dead_sensor) return false;
    // `bumpers` are bumper_front and so on, and `range.front` is range_front.
    std::string prefix = fault.what.ends_with('s') ? fault.what.substr(0, fault.what.size() - 1) : fault.what;
    std::ranges::replace(prefix, '.', '_');
    return std::ranges::any_of(plan_.sensors, [&](const motion::SensorPlan& sensor) {
        return sensor.required && sensor.name.starts_with(prefix);
    });
}

Result<void> SimBody::set_fault(std::string_view name, bool broken) {
    std::vector<std::string> names;
    for (const auto& [known, fault] : possible_faults()) {
        names.push_back(known);
        if (known != name) continue;
        if (broken_.contains(known) == broken)
            return fail(Code::wrong_state,
                        fmt::format("{} is {} already", name, broken ? "broken" : "whole"));
        if (broken)
            world_.now().apply(fault);
        else
            world_.now().undo(fault);
        // An emptied battery is restored by charging.
        if (!broken)
            broken_.erase(known);
        else if (fault.kind != world::FaultKind::low_battery)
            broken_.insert(known);
        return {};
    }
    return fail(Code::not_found,
                fmt::format("nothing called `{}` can be broken{}", name, instead_of(name, names)));
}

}  // namespace caribou::robot
