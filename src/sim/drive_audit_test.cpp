#include "sim/drive_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using link::RunMode;
using motion::MovementCommand;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr StreamNumber station{1};

/// A robot in RM3, and wheels that do what a test says.
struct DriveAuditTest : testing::Test {
    DriveAuditTest() { audit.mode(RunMode::rm3); }

    void order(Duration life = 500ms, const char* movement = "MOVE_FW_2") {
        audit.sent(now, life);
        audit.moved(station, MovementCommand::parse(movement).value(), life, now, now);
    }
    void drive(double speed, Duration time) { drive({speed, speed}, time); }
    void drive(motion::WheelSpeeds speeds, Duration time) {
        for (const Instant end = now + time; now < end;) {
            now += settings.period;
            audit.driven(speeds, now);
        }
    }

    motion::MotionSettings settings;
    DriveAudit audit{settings};
    Instant now{10s};
};

TEST_F(DriveAuditTest, AllowsWhatACommandAllows) {
    for (int i = 0; i < 10; ++i) {
        order();
        drive(0.2, 200ms);
    }
    drive(0.1, 400ms);
    drive(0, 1s);
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(DriveAuditTest, FindsMovementAfterTheLifeOfTheLastCommand) {
    order();
    drive(0.2, 1200ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("no command that it has read is valid"));
}

TEST_F(DriveAuditTest, FindsSpeedThatIsKeptAfterTheLifeOfTheLastCommand) {
    order();
    drive(0.1, 620ms);
    EXPECT_THAT(audit.findings(), IsEmpty());
    drive(0.1, 60ms);
    ASSERT_FALSE(audit.findings().empty()) << "a slow robot that does not brake, too";
    EXPECT_THAT(audit.findings().front(), HasSubstr("turn at 0.10 m/s"));
}

TEST_F(DriveAuditTest, FindsMovementInAnotherDirectionThanOrdered) {
    order();
    drive(0.2, 100ms);
    order(2s, "MOVE_BW_1");
    for (double speed = 0.2; speed > 0; speed -= settings.deceleration * 0.02) drive(speed, 20ms);
    drive(0, 120ms);
    drive(-0.1, 100ms);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "brakes first";
    drive(0, 200ms);
    order(2s, "MOVE_BW_1");
    audit.feel({.behind = true}, now);
    drive(0.1, 300ms);
    audit.feel({}, now);
    drive(0.1, 500ms);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "a reflex";
    drive(0.1, 1s);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("another order"));
}

TEST_F(DriveAuditTest, FindsMovementForThePreviousHolderOfTheLease) {
    order(2s);
    audit.leased(station, now);
    drive(0.2, 500ms);
    EXPECT_THAT(audit.findings(), IsEmpty());
    audit.leased({2}, now);
    drive(0.2, 200ms);
    EXPECT_FALSE(audit.findings().empty());
}

TEST_F(DriveAuditTest, FindsMovementToWhereASensorResponds) {
    audit.mode(RunMode::rm2);
    audit.feel({.behind = true}, now);
    drive(0.2, 1s);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "away from it";
    drive(0, 200ms);
    audit.feel({}, now);
    drive(-0.2, 200ms);
    audit.feel({.behind = true}, now);
    drive(-0.15, 80ms);
    EXPECT_THAT(audit.findings(), IsEmpty());
    drive(-0.15, 200ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("responds there"));
}

TEST_F(DriveAuditTest, FindsAnyMovementWhileItIsLifted) {
    audit.mode(RunMode::rm2);
    audit.feel({.ahead = true, .behind = true, .aside = true, .lifted = true}, now);
    drive({0.1, -0.1}, 300ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("it is lifted"));
}

TEST_F(DriveAuditTest, FindsSpeedThatIsGainedWithoutACommand) {
    drive(0, 1s);
    drive(0.02, 40ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("gain speed"));
}

TEST_F(DriveAuditTest, FindsMovementThatAFullStopDidNotEnd) {
    order(2s);
    drive(0.4, 200ms);
    audit.stop(now);
    drive(0.1, 100ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("a full stop was not released"));
}

TEST_F(DriveAuditTest, FindsAnOrderThatSurvivesAStopAndItsRelease) {
    order(2s);
    drive(0.2, 200ms);
    audit.stop(now);
    drive(0, 200ms);
    audit.release();
    drive(0.02, 100ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("gain speed"));
}

TEST_F(DriveAuditTest, FindsMovementForAConnectionThatIsGone) {
    order(2s);
    drive(0.2, 200ms);
    audit.gone(station, now);
    drive(0.2, 800ms);
    EXPECT_FALSE(audit.findings().empty());
}

TEST_F(DriveAuditTest, FindsCommandsThatAreCarriedOutLongAfterTheyWereSent) {
    audit.sent(now, 500ms);
    drive(0, 5s);
    audit.moved(station, MovementCommand::parse("MOVE_FW_2").value(), 2s, now, now);
    drive(0.02, 100ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("no command was sent to it in time"));
}

TEST_F(DriveAuditTest, FindsCommandsThatWaitedInTheRobotForTooLong) {
    const Instant read = now;
    drive(0, 600ms);
    audit.sent(now, 500ms);
    audit.moved(station, MovementCommand::parse("MOVE_FW_2").value(), 500ms, read, now);
    drive(0.02, 100ms);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("no command that it has read is valid"));
}

TEST_F(DriveAuditTest, AllowsBehaviorsInAutonomyAndNothingInAWait) {
    audit.mode(RunMode::rm2);
    drive(0.3, 2s);
    EXPECT_THAT(audit.findings(), IsEmpty());
    audit.mode(RunMode::rm1);
    drive(0.3, 1s);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("its mode does not allow it"));
}

TEST_F(DriveAuditTest, KeepsAnAcknowledgedStopAcrossARestart) {
    audit.mode(RunMode::rm2);
    audit.stop(now);
    audit.restart();
    drive(0.3, 2s);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "the program was killed before it had stored the stop";
    drive(0, 2s);
    audit.stop(now);
    audit.acknowledged();
    audit.restart();
    drive(0.3, 2s);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("a full stop was not released"));
}

TEST_F(DriveAuditTest, AllowsAReflexForAMoment) {
    drive(0, 1s);
    audit.feel({.ahead = true}, now);
    drive(-0.1, 400ms);
    drive(0, 1s);
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(DriveAuditTest, FindsAMissingDwellBetweenOppositeWays) {
    order(2s, "MOVE_FW_1");
    drive(0.1, 200ms);
    drive(0, settings.halt_dwell + 2 * settings.period);
    order(2s, "MOVE_BW_1");
    drive(-0.1, 200ms);
    EXPECT_THAT(audit.findings(), IsEmpty());
    drive(0, settings.halt_dwell - 2 * settings.period);
    order(2s, "MOVE_FW_1");
    drive(0.1, 200ms);
    EXPECT_THAT(audit.findings(), ElementsAre(HasSubstr("without a HALT")));
}

TEST_F(DriveAuditTest, NeedsNoDwellAfterAVelocityNorFromBehaviors) {
    order(2s, "MOVE_FW_1");
    drive(0.1, 200ms);
    audit.moved(station, Velocity{0.0, 1.0}, 2s, now, now);
    drive({0.1, -0.05}, 200ms);
    EXPECT_THAT(audit.findings(), IsEmpty());
    audit.mode(RunMode::rm2);
    drive({-0.1, -0.05}, 200ms);
    drive(0.1, 200ms);
    EXPECT_THAT(audit.findings(), IsEmpty());
}

TEST_F(DriveAuditTest, FindsAnotherDirectionThanThatOfAVelocityAfterATurnaround) {
    const auto back = [&] {
        audit.sent(now, 2s);
        audit.moved(station, Velocity{-0.1, 0.0}, 2s, now, now);
    };
    back();
    drive(0.1, 1s);
    EXPECT_THAT(audit.findings(), IsEmpty()) << "it may still come from the highest speed";
    back();
    drive(0.1, 1s);
    ASSERT_FALSE(audit.findings().empty());
    EXPECT_THAT(audit.findings().front(), HasSubstr("after another order"));
}

}  // namespace
}  // namespace caribou::sim
