#include "motion/motion_command.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace caribou::motion {
namespace {

WheelSpeeds scaled(const WheelSpeeds& speeds, double factor) {
    return {speeds.right * factor, speeds.left * factor};
}

}  // namespace

bool MotionCommand::is_halt() const { return movement() ? movement()->is_halt() : *velocity() == Velocity{}; }

bool MotionCommand::is_valid() const {
    return !velocity() || (std::isfinite(velocity()->forward) && std::isfinite(velocity()->turn));
}

WheelSpeeds MotionCommand::speeds(const MotionSettings& settings, double wheel_base) const {
    if (movement()) return {settings.speed_of(movement()->right()), settings.speed_of(movement()->left())};
    const auto [forward, turn] = *velocity();
    const double aside = turn * wheel_base / 2.0;
    const WheelSpeeds wanted{forward + aside, forward - aside};
    const double turns = std::abs(turn) / settings.turn_speed;
    const double rolls = std::max(std::abs(wanted.right), std::abs(wanted.left)) / settings.level_3;
    const double excess = std::max(turns, rolls);
    return excess > 1.0 ? scaled(wanted, 1.0 / excess) : wanted;
}

std::string to_string(const MotionCommand& command) {
    if (command.movement()) return to_string(*command.movement());
    return fmt::format("{:.2f} m/s {:.2f} rad/s", command.velocity()->forward, command.velocity()->turn);
}

}  // namespace caribou::motion
