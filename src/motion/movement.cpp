#include "motion/movement.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::motion {

MovementState movement_state(std::optional<WheelState> right, std::optional<WheelState> left) {
    using enum MovementState;
    if (!right || !left) return unknown;
    // Indexed [left][right], in the order of WheelState.
    static constexpr MovementState table[3][3] = {{halted, turning_left_forward, turning_right_backward},
                                                  {turning_right_forward, forward, swiveling_right},
                                                  {turning_left_backward, swiveling_left, backward}};
    return table[static_cast<std::size_t>(*left)][static_cast<std::size_t>(*right)];
}

std::optional<MovementClass> classify(double right, double left) {
    using enum MovementClass;
    if (right == 0.0 && left == 0.0) return halt;
    if (right >= 0.0 && left >= 0.0) return right == left ? move_fw : turn_fw;
    if (right <= 0.0 && left <= 0.0) return right == left ? move_bw : turn_bw;
    if (right == -left) return right > 0.0 ? swiv_left : swiv_right;
    return std::nullopt;
}

MovementClass class_of(double right, double left) {
    if (const auto movement = classify(right, left)) return *movement;
    return right > left ? MovementClass::swiv_left : MovementClass::swiv_right;
}

bool may_follow(MovementClass from, MovementClass to) {
    using enum MovementClass;
    if (from == to || from == halt || to == halt) return true;
    switch (from) {
        case move_fw: return to == turn_fw;
        case turn_fw: return to == move_fw;
        case move_bw: return to == turn_bw;
        case turn_bw: return to == move_bw;
        default: return false;
    }
}

std::optional<MovementCommand> MovementCommand::of(int right, int left) {
    const auto is_level = [](int level) { return -max_level <= level && level <= max_level; };
    if (!is_level(right) || !is_level(left) || !classify(right, left)) return std::nullopt;
    return MovementCommand(right, left);
}

MovementClass MovementCommand::movement_class() const {
    const auto movement = classify(right_, left_);
    check(movement.has_value(), "a command is of one of the classes");
    return *movement;
}

std::string to_string(MovementCommand command) {
    const MovementClass movement = command.movement_class();
    switch (movement) {
        case MovementClass::halt: return "HALT";
        case MovementClass::turn_fw:
        case MovementClass::turn_bw:
            return fmt::format("{}_{}_{}", to_string(movement), command.right(), command.left());
        default: return fmt::format("{}_{}", to_string(movement), std::abs(command.right()));
    }
}

}  // namespace caribou::motion
