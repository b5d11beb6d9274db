#pragma once

#include <cstdint>

#include "motion/movement.hpp"

namespace caribou::motion {

/// The direction of a movement. Movements in one direction may follow each other; between different ones the
/// robot comes to rest.
enum class Way : std::uint8_t { rest, ahead, back, left, right };

/// Returns the direction of a class; a curve counts as moving forward or backward.
inline Way way_of(MovementClass movement) {
    switch (movement) {
        case MovementClass::move_fw:
        case MovementClass::turn_fw: return Way::ahead;
        case MovementClass::move_bw:
        case MovementClass::turn_bw: return Way::back;
        case MovementClass::swiv_left: return Way::left;
        case MovementClass::swiv_right: return Way::right;
        case MovementClass::unknown:
        case MovementClass::halt: break;
    }
    return Way::rest;
}

}  // namespace caribou::motion
