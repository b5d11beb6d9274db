#include "motion/motion.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

TEST(MotionReport, IsUnchangedWhileItIsYoung) {
    MotionReport report;
    report.at = Instant(10s);
    report.winner = MotionSource::reflex;
    report.odometry.speed = 0.2;
    EXPECT_EQ(as_of(report, report.at + 200ms, 200ms).winner, MotionSource::reflex);
    EXPECT_EQ(as_of(report, report.at + 200ms, 200ms).odometry.speed, 0.2);
}

TEST(MotionReport, KeepsOnlyWhatIsStillValidWhenItIsOld) {
    MotionReport report;
    report.at = Instant(10s);
    report.state = MovementState::forward;
    report.driven = {0.1, 0.2};
    report.measured = WheelSpeeds{0.1, 0.2};
    report.winner = MotionSource::reflex;
    report.command = MovementCommand::of(1, 1).value();
    report.stuck = true;
    report.odometry = {.pose = {1, 2, 3}, .speed = 0.2, .yaw_rate = 0.3};
    report.stop = StopCause::station;
    const MotionReport old = as_of(report, report.at + 201ms, 200ms);
    EXPECT_EQ(old.state, MovementState::unknown);
    EXPECT_EQ(old.driven, WheelSpeeds{});
    EXPECT_EQ(old.measured, std::nullopt);
    EXPECT_EQ(old.winner, std::nullopt);
    EXPECT_TRUE(old.command.is_halt());
    EXPECT_FALSE(old.stuck);
    EXPECT_EQ(old.reason, MotionReason::motion_unknown);
    EXPECT_EQ(old.odometry.speed, 0);
    EXPECT_EQ(old.odometry.yaw_rate, 0);
    EXPECT_EQ(old.odometry.pose, report.odometry.pose);
    EXPECT_EQ(old.stop, StopCause::station);
}

TEST(Odometry, IsExtrapolatedAlongAnArcForAtMostATenthOfASecond) {
    const Odometry odometry{.pose = {1, 2, 0}, .speed = 0.5, .yaw_rate = 2};
    for (const Duration later : {Duration(100ms), Duration(1s)}) {
        const Pose pose = pose_after(odometry, later);
        EXPECT_NEAR(pose.heading, 0.2, 1e-12);
        EXPECT_NEAR(pose.x, 1 + 0.05 * std::cos(0.1), 1e-12);
        EXPECT_NEAR(pose.y, 2 + 0.05 * std::sin(0.1), 1e-12);
    }
    EXPECT_EQ(pose_after(odometry, -1s), odometry.pose);
}

}  // namespace
}  // namespace caribou::motion
