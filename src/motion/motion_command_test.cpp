#include "motion/motion_command.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace caribou::motion {
namespace {

constexpr double wheel_base = 0.24;

WheelSpeeds speeds(const MotionCommand& command) { return command.speeds(MotionSettings{}, wheel_base); }

TEST(MotionCommand, DrivesAMovementAtTheSpeedsOfItsLevels) {
    const MotionSettings settings;
    EXPECT_EQ(speeds(*MovementCommand::of(3, 1)), (WheelSpeeds{settings.level_3, settings.level_1}));
    EXPECT_EQ(speeds({}), WheelSpeeds{});
}

TEST(MotionCommand, TurnsLeftWithTheRightWheelFaster) {
    const WheelSpeeds wheels = speeds(Velocity{0.2, 1.0});
    EXPECT_NEAR(wheels.right, 0.32, 1e-12);
    EXPECT_NEAR(wheels.left, 0.08, 1e-12);
}

TEST(MotionCommand, ReducesAVelocityToTheFastestWheelOnTheSameCurve) {
    const MotionSettings settings;
    const WheelSpeeds wheels = speeds(Velocity{-0.6, 1.5});
    EXPECT_NEAR(wheels.left, -settings.level_3, 1e-12);
    EXPECT_NEAR((wheels.right - wheels.left) / (wheels.right + wheels.left), 0.24 * 1.5 / (2 * -0.6), 1e-12);
}

TEST(MotionCommand, ReducesAVelocityToTheTurnSpeed) {
    const MotionSettings settings;
    const WheelSpeeds wheels = speeds(Velocity{0.0, -100.0});
    EXPECT_NEAR(wheels.right, -settings.turn_speed * wheel_base / 2, 1e-12);
    EXPECT_EQ(wheels.left, -wheels.right);
}

TEST(MotionCommand, IsAHaltIfItIsZero) {
    EXPECT_TRUE(MotionCommand().is_halt());
    EXPECT_TRUE(MotionCommand(Velocity{}).is_halt());
    EXPECT_FALSE(MotionCommand(Velocity{0.0, 0.1}).is_halt());
    EXPECT_FALSE(MotionCommand(*MovementCommand::of(0, 1)).is_halt());
}

TEST(MotionCommand, IsInvalidWithoutFiniteNumbers) {
    EXPECT_TRUE(MotionCommand(Velocity{-0.3, 2.0}).is_valid());
    EXPECT_FALSE(MotionCommand(Velocity{std::nan(""), 0.0}).is_valid());
    EXPECT_FALSE(MotionCommand(Velocity{0.0, std::numeric_limits<double>::infinity()}).is_valid());
}

TEST(MotionCommand, IsPrintedAsItWasOrdered) {
    EXPECT_EQ(to_string(MotionCommand(*MovementCommand::of(2, 2))), "MOVE_FW_2");
    EXPECT_EQ(to_string(MotionCommand(Velocity{0.3, -1.0})), "0.30 m/s -1.00 rad/s");
}

}  // namespace
}  // namespace caribou::motion
