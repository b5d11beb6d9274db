#pragma once

#include <cstdint>

#include "link/movement.hpp"

namespace caribou::robot {

/// Where a movement leads. Movements of one way may follow each other; from one to another the
/// robot comes to rest.
enum class Way : std::uint8_t { rest, ahead, back, left, right };

inline Way way_of(link::MovementClass movement) {
    switch (movement) {
        case link::MovementClass::move_fw:
        case link::MovementClass::turn_fw: return Way::ahead;
        case link::MovementClass::move_bw:
        case link::MovementClass::turn_bw: return Way::back;
        case link::MovementClass::swiv_left: return Way::left;
        case link::MovementClass::swiv_right: return Way::right;
        case link::MovementClass::halt: break;
    }
    return Way::rest;
}

}  // namespace caribou::robot
