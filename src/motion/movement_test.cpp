#include "motion/movement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include <fmt/format.h>
#include <rapidcheck/gtest.h>

namespace caribou::motion {
namespace {

using testing::HasSubstr;

MovementCommand command(int right, int left) { return MovementCommand::of(right, left).value(); }

std::string refusal(std::string_view text) {
    const auto parsed = MovementCommand::parse(text);
    return parsed ? "read as " + to_string(*parsed) : parsed.error().message;
}

TEST(MovementCommand, ReadsEveryFormRightThenLeft) {
    EXPECT_EQ(MovementCommand::parse("HALT"), MovementCommand());
    EXPECT_EQ(MovementCommand::parse("MOVE_FW_3"), command(3, 3));
    EXPECT_EQ(MovementCommand::parse("MOVE_BW_2"), command(-2, -2));
    EXPECT_EQ(MovementCommand::parse("TURN_FW_3_1"), command(3, 1));
    EXPECT_EQ(MovementCommand::parse("TURN_BW_0_-2"), command(0, -2));
    EXPECT_EQ(MovementCommand::parse("SWIV_LEFT_1"), command(1, -1));
    EXPECT_EQ(MovementCommand::parse("SWIV_RIGHT_3"), command(-3, 3));
}

TEST(MovementCommand, TakesLevelZeroForHalt) {
    for (const auto* const text : {"MOVE_FW_0", "MOVE_BW_0", "SWIV_LEFT_0", "SWIV_RIGHT_0"}) {
        EXPECT_EQ(MovementCommand::parse(text), MovementCommand()) << text;
    }
    EXPECT_EQ(to_string(MovementCommand()), "HALT");
}

TEST(MovementCommand, NamesThePositionOfWhatIsWrong) {
    EXPECT_EQ(refusal("MOVE_FW_4"), "`MOVE_FW_4` is no movement: position 9: expected a level from 0 to 3");
    EXPECT_THAT(refusal("MOVE_FW_"), HasSubstr("position 9: expected a level"));
    EXPECT_THAT(refusal("MOVE_FW_12"), HasSubstr("position 10: the command should end here"));
    EXPECT_THAT(refusal("MOVE_FW_-1"), HasSubstr("position 9: expected a level"));
    EXPECT_THAT(refusal("MOVE_FW"), HasSubstr("position 1: expected `_` and a level, as in `MOVE_FW_1`"));
    EXPECT_THAT(refusal("TURN_BW"), HasSubstr("as in `TURN_BW_-1_0`"));
    EXPECT_THAT(refusal("TURN_FW_3"), HasSubstr("position 10: expected `_`"));
    EXPECT_THAT(refusal("TURN_FW_2_2"), HasSubstr("position 11: both wheels have one level"));
    EXPECT_THAT(refusal("TURN_FW_0_0"), HasSubstr("position 11: both wheels have one level"));
    EXPECT_THAT(refusal("TURN_BW_1_0"), HasSubstr("position 9: expected a level from -3 to 0"));
    EXPECT_THAT(refusal("TURN_BW_-0_-1"), HasSubstr("position 9: expected a level from -3 to 0"));
    EXPECT_THAT(refusal("HALT "), HasSubstr("position 5: the command should end here"));
    EXPECT_THAT(refusal(""), HasSubstr("position 1: no such command"));
}

TEST(MovementCommand, SuggestsWhatWasProbablyMeant) {
    EXPECT_THAT(refusal("MVOE_FW_2"), HasSubstr("position 1: no such command; did you mean `MOVE_FW`?"));
    EXPECT_THAT(refusal(std::string(5000, 'x')), HasSubstr("xxx...` is no movement"));
}

TEST(MovementCommand, HasNoUnequalLevelsInOppositeDirections) {
    EXPECT_EQ(MovementCommand::of(2, -1), std::nullopt);
    EXPECT_EQ(MovementCommand::of(4, 4), std::nullopt);
    EXPECT_TRUE(MovementCommand::of(2, -2).has_value());
}

TEST(MovementCommand, ReadsBackEverythingItWrites) {
    int commands = 0;
    for (int right = -3; right <= 3; ++right)
        for (int left = -3; left <= 3; ++left) {
            const auto made = MovementCommand::of(right, left);
            if (!made) continue;
            ++commands;
            EXPECT_EQ(MovementCommand::parse(to_string(*made)), *made) << to_string(*made);
        }
    EXPECT_EQ(commands, 1 + 3 + 3 + 12 + 12 + 3 + 3);
}

RC_GTEST_PROP(MovementCommand, ReadsOnlyWhatItWouldWriteOrLevelZero, (const std::string& tail)) {
    const auto head = *rc::gen::elementOf(
        std::vector<std::string>{"", "HALT", "MOVE_FW_", "MOVE_BW_", "TURN_FW_", "TURN_BW_", "SWIV_LEFT_"});
    const std::string levels = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("0123-_")));
    for (const std::string& text : {head + tail, head + levels})
        if (const auto parsed = MovementCommand::parse(text); parsed && !parsed->is_halt())
            RC_ASSERT(to_string(*parsed) == text);
}

TEST(MovementState, FollowsTheTable) {
    using enum WheelState;
    EXPECT_EQ(movement_state(still, still), MovementState::halted);
    EXPECT_EQ(movement_state(forward, forward), MovementState::forward);
    EXPECT_EQ(movement_state(backward, backward), MovementState::backward);
    EXPECT_EQ(movement_state(forward, still), MovementState::turning_left_forward);
    EXPECT_EQ(movement_state(forward, backward), MovementState::swiveling_left);
    EXPECT_EQ(movement_state(still, forward), MovementState::turning_right_forward);
    EXPECT_EQ(movement_state(backward, still), MovementState::turning_right_backward);
    EXPECT_EQ(movement_state(still, backward), MovementState::turning_left_backward);
    EXPECT_EQ(movement_state(backward, forward), MovementState::swiveling_right);
    EXPECT_EQ(movement_state(std::nullopt, still), MovementState::unknown);
    EXPECT_EQ(movement_state(forward, std::nullopt), MovementState::unknown);
}

TEST(MovementClass, MayFollowAsTheTableSays) {
    // Rows: from classes 1..7; values: the classes that may follow, besides itself.
    const std::array<std::string, 7> allowed = {"234567", "14", "15", "12", "13", "1", "1"};
    for (int from = 1; from <= 7; ++from)
        for (int to = 1; to <= 7; ++to) {
            const bool expected =
                from == to || allowed.at(static_cast<std::size_t>(from) - 1).contains(fmt::format("{}", to));
            EXPECT_EQ(may_follow(static_cast<MovementClass>(from), static_cast<MovementClass>(to)), expected)
                << from << " -> " << to;
        }
}

TEST(MovementClass, IsToldByTheSpeedsOfTheWheels) {
    EXPECT_EQ(classify(0.0, 0.0), MovementClass::halt);
    EXPECT_EQ(classify(0.2, 0.2), MovementClass::move_fw);
    EXPECT_EQ(classify(0.0, 0.2), MovementClass::turn_fw);
    EXPECT_EQ(classify(-0.1, -0.2), MovementClass::turn_bw);
    EXPECT_EQ(classify(0.2, -0.2), MovementClass::swiv_left);
    EXPECT_EQ(classify(-0.2, 0.2), MovementClass::swiv_right);
    EXPECT_EQ(classify(0.2, -0.1), std::nullopt);
}

}  // namespace
}  // namespace caribou::motion
