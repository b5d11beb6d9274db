#include "link/command_movement.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::link {
namespace {

using testing::HasSubstr;

TEST(CommandMovement, MoveAsTheyAreNumbered) {
    const struct {
        std::string_view command;
        int right;
        int left;
    } rows[] = {{"101 level=2", 2, -2},
                {"102", -1, 1},
                {"103 level=2 inner_level=1", 2, 1},
                {"104 level=3", 0, 3},
                {"104 level=3 inner_level=1 direction=backward", -3, -1},
                {"105 level=3", 3, 3},
                {"106 level=2", -2, -2},
                {"107 movement=TURN_BW_-2_-1", -2, -1},
                {"105 level=0", 0, 0}};
    for (const auto& [command, right, left] : rows) {
        const auto movement = motion_of(command_from(command).value());
        ASSERT_TRUE(movement) << command;
        EXPECT_EQ(*movement, motion::MovementCommand::of(right, left)) << command;
    }
    EXPECT_THAT(command_from("103 level=1 inner_level=2").error().message, HasSubstr("below level"));
    EXPECT_THAT(command_from("107 movement=SIDEWAYS").error().message, HasSubstr("SIDEWAYS"));
}

TEST(CommandMovement, DrivesAtAVelocity) {
    const auto velocity = [](std::string_view text) { return motion_of(command_from(text).value()).value(); };
    EXPECT_EQ(velocity("110 forward=0.25 turn=-1.5"), motion::MotionCommand(Velocity{0.25, -1.5}));
    EXPECT_EQ(velocity("drive turn=0.5 ttl=300ms"), motion::MotionCommand(Velocity{0.0, 0.5}));
    for (const Velocity each : {Velocity{0.1, -0.3}, {-0.45, 1e-7}, {}}) {
        const Command command = command_for(each);
        EXPECT_EQ(objection_to(command), std::nullopt);
        EXPECT_EQ(motion_of(command_from(to_string(command)).value()), motion::MotionCommand(each));
    }
    EXPECT_EQ(to_string(command_for(*motion::MovementCommand::of(1, 1))), "move movement=MOVE_FW_1");
}

TEST(CommandMovement, RefusesVelocitiesThatAreNotNumbersInRange) {
    const auto fault = [](std::string_view text) { return command_from(text).error().message; };
    EXPECT_EQ(fault("drive forward=fast"), "forward is `fast`, and should be a number from -5 to 5");
    EXPECT_THAT(fault("drive forward=nan"), HasSubstr("should be a number"));
    EXPECT_THAT(fault("drive turn=10.5"), HasSubstr("should be a number from -10 to 10"));
    EXPECT_THAT(fault("drive level=2"), HasSubstr("drive has no argument `level`"));
}

TEST(CommandMovement, TreatsAVelocityOfZeroAsAHalt) {
    EXPECT_TRUE(is_halt(command_from("drive forward=0").value()));
    EXPECT_EQ(max_age(command_from("drive").value()), std::nullopt);
    const Command drives = command_from("drive turn=0.1").value();
    EXPECT_FALSE(is_halt(drives));
    EXPECT_TRUE(is_motion(drives.code) && needs_lease(drives.code) && states_given(drives.code));
    EXPECT_EQ(max_age(drives), std::chrono::milliseconds(500));
}

/// Returns a command with a level, an inner level (-1: none) and a direction (empty: none).
std::string turn_text(std::string_view name, int level, int inner, std::string_view direction) {
    return fmt::format("{} level={}{}{}{}", name, level,
                       inner < 0 ? "" : fmt::format(" inner_level={}", inner),
                       direction.empty() ? "" : " direction=", direction);
}

/// The table of the nine movement states, by the signs of left and right wheel.
int state_of(int right, int left) {
    constexpr int table[3][3] = {{3, 8, 5}, {7, 1, 4}, {9, 6, 2}};  // [left][right], from - to +
    const auto sign = [](int level) { return static_cast<std::size_t>((level > 0) - (level < 0) + 1); };
    return table[sign(left)][sign(right)];
}

TEST(CommandMovement, TurnToTheSideThatTheyNameWhateverTheirArguments) {
    for (const bool left : {true, false})
        for (int level = 0; level <= 3; ++level)
            for (int inner = -1; inner <= 3; ++inner)
                for (const std::string_view direction : {"", "forward", "backward"}) {
                    const std::string text =
                        turn_text(left ? "turn_left" : "turn_right", level, inner, direction);
                    const auto command = command_from(text);
                    const int slower = std::max(inner, 0);
                    ASSERT_EQ(command.has_value(), slower < level || (slower == 0 && level == 0)) << text;
                    if (!command) continue;
                    const auto wanted = motion_of(*command);
                    const auto* const movement = wanted->movement();
                    const int sign = direction == "backward" ? -1 : 1;
                    EXPECT_GE(sign * movement->right(), 0) << text;
                    EXPECT_GE(sign * movement->left(), 0) << text;
                    EXPECT_EQ(std::max(std::abs(movement->right()), std::abs(movement->left())), level)
                        << text;
                    EXPECT_EQ(std::min(std::abs(movement->right()), std::abs(movement->left())), slower)
                        << text;
                    const int heading = movement->right() - movement->left();
                    EXPECT_EQ(heading == 0, level == 0) << text;
                    EXPECT_GE(left ? heading : -heading, 0) << text;
                    // With a still inner wheel: 4 and 8 are left, 6 and 7 right; both wheels: 2 and 3.
                    const int alone = sign > 0 ? (left ? 4 : 6) : (left ? 8 : 7);
                    const int state = level == 0 ? 1 : slower == 0 ? alone : sign > 0 ? 2 : 3;
                    EXPECT_EQ(state_of(movement->right(), movement->left()), state) << text;
                }
}

TEST(CommandMovement, MoveAndSpinAtEveryLevel) {
    for (int level = 0; level <= 3; ++level) {
        const std::tuple<std::string_view, int, int, int> rows[] = {{"spin_left", level, -level, 5},
                                                                    {"spin_right", -level, level, 9},
                                                                    {"move_forward", level, level, 2},
                                                                    {"move_backward", -level, -level, 3}};
        for (const auto& [name, right, left, state] : rows) {
            const auto wanted = motion_of(command_from(turn_text(name, level, -1, "")).value());
            ASSERT_TRUE(wanted) << name;
            const auto* const movement = wanted->movement();
            EXPECT_EQ(movement->right(), right) << name;
            EXPECT_EQ(movement->left(), left) << name;
            EXPECT_EQ(state_of(right, left), level == 0 ? 1 : state) << name;
        }
    }
}

}  // namespace
}  // namespace caribou::link
