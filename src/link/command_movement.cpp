#include "link/command_movement.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/number_text.hpp"

namespace caribou::link {

namespace {

Result<motion::MovementCommand> movement_of(const Command& command) {
    if (command.code == CommandCode::move) return motion::MovementCommand::parse(command.text("movement"));
    const int level = command.number("level").value_or(1);
    const int inner = command.number("inner_level").value_or(0);
    const bool back = command.text("direction") == "backward";
    const bool turns = command.code == CommandCode::turn_left || command.code == CommandCode::turn_right;
    if (turns && (inner > level || (inner == level && level != 0)))
        return fail(
            Code::invalid_argument,
            fmt::format("inner_level is {}, level is {}; expected an inner_level below level, because "
                        "the inner wheel is the slower one",
                        inner, level));
    // Left means that the heading increases. When driving backward, the left wheel is then the faster one.
    std::optional<motion::MovementCommand> movement;
    switch (command.code) {
        case CommandCode::spin_left: movement = motion::MovementCommand::of(level, -level); break;
        case CommandCode::spin_right: movement = motion::MovementCommand::of(-level, level); break;
        case CommandCode::turn_left:
            movement = back ? motion::MovementCommand::of(-inner, -level)
                            : motion::MovementCommand::of(level, inner);
            break;
        case CommandCode::turn_right:
            movement = back ? motion::MovementCommand::of(-level, -inner)
                            : motion::MovementCommand::of(inner, level);
            break;
        case CommandCode::move_forward: movement = motion::MovementCommand::of(level, level); break;
        case CommandCode::move_backward: movement = motion::MovementCommand::of(-level, -level); break;
        default: break;
    }
    if (!movement) return fail(Code::invalid_argument, "there is no such movement");
    return *movement;
}

}  // namespace

Result<motion::MotionCommand> motion_of(const Command& command) {
    if (command.code == CommandCode::drive)
        return Velocity{command.decimal("forward").value_or(0), command.decimal("turn").value_or(0)};
    auto movement = movement_of(command);
    if (!movement) return fail(std::move(movement.error()));
    return *movement;
}

Command command_for(const motion::MotionCommand& motion) {
    if (const auto* movement = motion.movement())
        return {.code = CommandCode::move, .arguments = {{"movement", to_string(*movement)}}};
    const auto [forward, turn] = *motion.velocity();
    return {.code = CommandCode::drive,
            .arguments = {{"forward", number_text(forward)}, {"turn", number_text(turn)}}};
}

}  // namespace caribou::link
