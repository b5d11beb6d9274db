#include <algorithm>

#include "base/check.hpp"
#include "world/world.hpp"

namespace caribou::world {
namespace {

/// Sets whether a sensor is dead. Returns false if there is no such sensor.
bool set_dead(SimulatedRobot& robot, const std::string& sensor, bool dead) {
    for (const auto& [name, flag] : {std::pair<std::string_view, bool*>{"lidar", &robot.lidar_dead},
                                     {"imu", &robot.imu_dead},
                                     {"bumpers", &robot.bumpers_dead},
                                     {"cliffs", &robot.cliffs_dead},
                                     {"encoders", &robot.encoders_dead}})
        if (name == sensor) {
            *flag = dead;
            return true;
        }
    for (std::size_t i = 0; i < robot.model.ranges.size(); ++i)
        if ("range." + robot.model.ranges[i].name == sensor) {
            robot.dead_ranges[i] = dead;
            robot.ranges_tick = -1;
            return true;
        }
    return false;
}

Wheel& wheel_of(SimulatedRobot& robot, const std::string& side) {
    check(side == "left" || side == "right", "a fault of a wheel names `left` or `right`");
    return side == "left" ? robot.left : robot.right;
}

}  // namespace

void World::run_faults() {
    for (; next_fault_ < plan_.faults.size() && plan_.faults[next_fault_].at <= now(); ++next_fault_) {
        const Fault& fault = plan_.faults[next_fault_];
        if (fault.kind != FaultKind::removed_charger && fault.robot >= robots_.size()) continue;
        befall(fault);
    }
    std::erase_if(mending_, [this](const Fault& fault) {
        if (*fault.until > now()) return false;
        undo(fault);
        return true;
    });
}

void World::befall(const Fault& fault) {
    apply(fault);
    if (fault.until) mending_.push_back(fault);
}

void World::apply(const Fault& fault) {
    if (fault.kind == FaultKind::removed_charger) return set_charger_present(false);
    SimulatedRobot& robot = robots_[fault.robot];
    switch (fault.kind) {
        case FaultKind::dead_sensor:
            check(set_dead(robot, fault.what, true), "a dead sensor is one that the robot has");
            return;
        case FaultKind::stuck_motor: wheel_of(robot, fault.what).stuck = true; return;
        case FaultKind::blocked_wheel: wheel_of(robot, fault.what).blocked = true; return;
        case FaultKind::lying_encoder: wheel_of(robot, fault.what).encoder_scale = fault.value; return;
        case FaultKind::low_battery:
            robot.energy = std::min(robot.energy, robot.model.battery.capacity * fault.value);
            return;
        case FaultKind::picked_up: return pick_up(fault.robot);
        case FaultKind::removed_charger: return;
    }
}

void World::undo(const Fault& fault) {
    if (fault.kind == FaultKind::removed_charger) return set_charger_present(true);
    SimulatedRobot& robot = robots_[fault.robot];
    switch (fault.kind) {
        case FaultKind::dead_sensor: set_dead(robot, fault.what, false); return;
        case FaultKind::stuck_motor: wheel_of(robot, fault.what).stuck = false; return;
        case FaultKind::blocked_wheel: wheel_of(robot, fault.what).blocked = false; return;
        case FaultKind::lying_encoder: wheel_of(robot, fault.what).encoder_scale = 1; return;
        case FaultKind::picked_up:
            // If the place is occupied by now, the robot remains lifted.
            if (robot.held) static_cast<void>(put_down(fault.robot, robot.pose));
            return;
        case FaultKind::low_battery:
        case FaultKind::removed_charger: return;
    }
}

}  // namespace caribou::world
