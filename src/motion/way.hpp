#pragma once

#include <cstdint>

#include "motion/body.hpp"

namespace caribou::motion {

/// The direction of a motion. Movements in one direction may follow each other; between different ones the
/// robot comes to rest.
enum class Way : std::uint8_t { rest, ahead, back, left, right };

/// Returns the direction of a robot with these speeds of its wheels, in any unit. One whose center moves goes
/// ahead or back, also while it turns; only one that rotates on the spot goes left or right.
inline Way way_of(const WheelSpeeds& speeds) {
    const double forward = speeds.right + speeds.left;
    if (forward != 0.0) return forward > 0.0 ? Way::ahead : Way::back;
    if (speeds.right != speeds.left) return speeds.right > speeds.left ? Way::left : Way::right;
    return Way::rest;
}

}  // namespace caribou::motion
