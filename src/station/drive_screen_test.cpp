#include "station/drive_screen.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "station/station.hpp"
#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string key(std::string_view bytes, int level = 2) {
    const DriveKey pressed = take_key(bytes, level);
    EXPECT_TRUE(bytes.empty());
    return pressed.what == DriveKey::What::move ? to_string(pressed.movement)
                                                : std::to_string(static_cast<int>(pressed.what));
}

TEST(DriveKey, MovesWithArrowsAndLetters) {
    EXPECT_EQ(key("\x1b[A"), "MOVE_FW_2");
    EXPECT_EQ(key("w"), "MOVE_FW_2");
    EXPECT_EQ(key("\x1b[B", 3), "MOVE_BW_3");
    EXPECT_EQ(key("\x1bOD"), "SWIV_LEFT_2");
    EXPECT_EQ(key("d"), "SWIV_RIGHT_2");
    EXPECT_EQ(key("q"), "TURN_FW_2_1");
    EXPECT_EQ(key("e", 1), "TURN_FW_0_1");
    std::string_view several = "w \x1b[A";
    EXPECT_EQ(take_key(several, 1).what, DriveKey::What::move);
    EXPECT_EQ(take_key(several, 1).what, DriveKey::What::full_stop);
    EXPECT_EQ(take_key(several, 1).what, DriveKey::What::move);
}

TEST(DriveScreen, ShowsUnknownSpeedsAsUnknown) {
    RobotPicture robot;
    robot.status.robot.emplace();
    robot.motion.emplace();
    robot.motion->right.speed = 0.25F;
    robot.motion->left.speed = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THAT(drive_screen({.robot = "rover", .picture = &robot, .now = 1}, 80),
                HasSubstr("does       unknown  right +0.25 m/s  left unknown"));
}

TEST(DriveScreen, ShowsAHeadingWithoutMinusZero) {
    RobotPicture robot;
    robot.status.robot.emplace();
    robot.motion.emplace().pose = {1, 0, -0.001};
    EXPECT_THAT(drive_screen({.robot = "rover", .picture = &robot, .now = 1}, 80), HasSubstr("heading 0°"));
}

TEST(DriveScreen, ShowsThatTheStationIsSilent) {
    RobotPicture robot;
    robot.status.robot.emplace();
    robot.status.stale_after = 1;
    robot.motion.emplace().at = 100;
    const auto screen = [&](double silent) {
        return drive_screen({.robot = "rover", .picture = &robot, .now = 100 + silent, .silent = silent}, 80);
    };
    EXPECT_THAT(screen(0.9), AllOf(Not(HasSubstr("SILENT")), Not(HasSubstr("STALE"))));
    EXPECT_THAT(screen(1.6),
                AllOf(HasSubstr("STATION SILENT for 1.6 s"),
                      HasSubstr("1.6 s  STALE: the robot's state is not known"), Not(HasSubstr("lost"))));
    robot.status.stale = true;
    robot.status.presence = data::Presence::lost;
    EXPECT_THAT(screen(0.1), HasSubstr("STALE: lost")) << "as the station reports";
}

TEST(DriveScreen, ShowsWhatARobotWithoutTelemetryHasAcknowledged) {
    RobotPicture robot;
    robot.status.presence = data::Presence::no_telemetry;
    robot.status.heard = 99.5;
    robot.status.acknowledged_stop = true;
    robot.status.acknowledged_stop_at = 99;
    robot.status.acknowledged_mode = link::RunMode::rm3;
    robot.status.acknowledged_mode_at = 98.8;
    EXPECT_THAT(drive_screen({.robot = "mole", .picture = &robot, .now = 100}, 80),
                AllOf(HasSubstr("driven blind"), HasSubstr("heard      0.5 s ago"),
                      HasSubstr("RM3, confirmed 1.2 s ago"), HasSubstr("STOPPED: press r")));
    EXPECT_THAT(drive_screen({.robot = "mole", .picture = &robot, .now = 110}, 80),
                HasSubstr("STOPPED when last confirmed: press r"));
}

TEST(DriveScreen, ShowsWhatAReleaseLeadsTo) {
    RobotPicture robot;
    robot.status.robot.emplace().stopped = true;
    robot.motion.emplace();
    const auto screen = [&] { return drive_screen({.robot = "rover", .picture = &robot, .now = 1}, 80); };
    EXPECT_THAT(screen(), HasSubstr("press r to release the full stop\n"));
    robot.status.robot->run_mode = link::RunMode::rm2;
    EXPECT_THAT(screen(), HasSubstr("press r to release the full stop; it will drive on by itself\n"));
}

TEST(DriveScreen, ShowsARefusalWithWhoAndWhyOnAsManyLinesAsItNeeds) {
    const DriveAnswers::Refused refused{
        "MOVE_FW_2", "NO_LEASE: page#9 drives, and the lease was taken with your key less than 5 s ago", {}};
    EXPECT_THAT(
        drive_screen({.robot = "rover", .last_answer = "DONE", .refused = refused, .refused_age = 3.7}, 80),
        HasSubstr("  answer     DONE\n"
                  "  REFUSED    MOVE_FW_2, 3 s ago: NO_LEASE: page#9 drives, and the lease was\n"
                  "             taken with your key less than 5 s ago\n"));
}

TEST(DriveScreen, ShowsAStopThatIsNotConfirmedWithWhoAndWhy) {
    RobotPicture robot;
    robot.status.stop_pending = data::PendingStop{
        .since = 88,
        .by = "ann#2",
        .why = "rover is not connected: it cannot be reached: its program or the network is down"};
    EXPECT_THAT(
        drive_screen({.robot = "rover", .picture = &robot, .now = 100}, 80),
        AllOf(HasSubstr("  STOP NOT CONFIRMED for 12 s (ann#2): rover is not connected: it cannot be\n"),
              HasSubstr("network is down\n")));
}

TEST(DriveScreen, ShowsNoSpeedOfARobotThatSleeps) {
    RobotPicture robot;
    robot.status.robot.emplace();
    robot.status.presence = data::Presence::asleep;
    robot.motion.emplace().right.speed = 0.25F;
    EXPECT_THAT(drive_screen({.robot = "rover", .picture = &robot, .now = 1}, 80),
                AllOf(HasSubstr("does       nothing: asleep"), Not(HasSubstr("0.25"))));
}

using FleetPictureTest = StationRig;

TEST_F(FleetPictureTest, IsWhatTheStationTells) {
    Station station(loop, *station_host, {}, log);
    ASSERT_TRUE(station.fleet().listen(Address::ip("0.0.0.0", 9600)));
    PlayedRobot& robot = add_robot();
    robot.telemetry.pose = {1.5, -2, 0.5};
    robot.telemetry.winner = "safety";
    robot.telemetry.reason = "a wall";
    robot.telemetry.faults = {"lidar"};
    loop.advance(1s);

    FleetPicture picture;
    EXPECT_FALSE(picture.complete());
    FleetFeed::Cursor cursor;
    ASSERT_TRUE(picture.take(station.feed().next(cursor, 7)));
    EXPECT_TRUE(picture.complete());
    robot.telemetry.stopped = true;
    loop.advance(1s);
    ASSERT_TRUE(picture.take(station.feed().next(cursor, 8)));
    const RobotPicture& rover = picture.robots().at("rover");
    EXPECT_EQ(rover.status.mode, StationMode::run1);
    EXPECT_TRUE(rover.is_in(link::RunMode::rm3));
    EXPECT_EQ(rover.status.robot->com_mode, link::ComMode::cm3);
    EXPECT_EQ(rover.motion->pose, (Pose{1.5, -2, 0.5}));
    EXPECT_EQ(rover.motion->winner, "safety");
    EXPECT_THAT(rover.status.robot->faults, ElementsAre("lidar"));
    EXPECT_TRUE(rover.status.robot->stopped);
    EXPECT_EQ(picture.now(), 8);

    ASSERT_TRUE(picture.take(
        R"({"type":"answer","id":3,"kind":"REFUSED","final":true,"refusal":"BUSY","text":"x"})"));
    const auto told = picture.take_answers();
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(to_string(told[0]), "BUSY: x");
    EXPECT_FALSE(picture.take("nonsense"));

    const std::string screen = drive_screen(
        {.robot = "rover", .picture = &rover, .now = loop.clock().unix_seconds(), .last_answer = "DONE"}, 80);
    EXPECT_THAT(screen, AllOf(HasSubstr("driven by  safety: a wall"), HasSubstr("STOPPED"),
                              HasSubstr("faults     `lidar`"), HasSubstr("answer     DONE"),
                              Not(HasSubstr("STALE"))));
    for (std::size_t at = 0, end = 0; (end = screen.find('\n', at)) != std::string::npos; at = end + 1)
        EXPECT_LE(end - at, 90u);
}

}  // namespace
}  // namespace caribou::station
