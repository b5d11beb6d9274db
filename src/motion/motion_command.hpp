#pragma once

#include <string>
#include <variant>

#include "base/velocity.hpp"
#include "motion/motion_settings.hpp"
#include "motion/movement.hpp"

namespace caribou::motion {

/// What an order requests: a movement at levels, or a velocity. Gates, reflexes and limits apply to both.
class MotionCommand {
public:
    /// HALT.
    MotionCommand() = default;
    MotionCommand(MovementCommand movement) : wanted_(movement) {}
    MotionCommand(Velocity velocity) : wanted_(velocity) {}

    /// Returns null for a velocity.
    const MovementCommand* movement() const { return std::get_if<MovementCommand>(&wanted_); }
    /// Returns null for a movement.
    const Velocity* velocity() const { return std::get_if<Velocity>(&wanted_); }
    /// Returns whether both wheels are to rest.
    bool is_halt() const;
    /// Returns false for a velocity with a number that is not finite.
    bool is_valid() const;
    /// Returns the speeds of the wheels, which are `wheel_base` (m) apart. A velocity beyond `turn_speed` or
    /// `level_3` is reduced to it, on the same curve.
    WheelSpeeds speeds(const MotionSettings& settings, double wheel_base) const;

    friend bool operator==(const MotionCommand&, const MotionCommand&) = default;

private:
    std::variant<MovementCommand, Velocity> wanted_;
};

/// Returns the movement, such as `MOVE_FW_2`, or the velocity, such as `0.30 m/s 0.50 rad/s`.
std::string to_string(const MotionCommand& command);

}  // namespace caribou::motion
