// A complete robot: start, connection, loss, sleep, charging and end.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::RunMode;
using link::WaitReason;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Robot, StartsAndIsSteeredByItsStation) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_TRUE(rig.ready);
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    EXPECT_EQ(rig.station.welcome->robot, "cbot");
    EXPECT_THAT(rig.tell("move_forward level=2"), ElementsAre("DONE"));
    EXPECT_GT(rig.body.driven.right, 0);
    rig.loop.advance(1s);  // the dead man's switch
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_GE(rig.station.telemetry.size(), 10U);
    EXPECT_EQ(rig.station.telemetry.back().run_mode, RunMode::rm3);
    EXPECT_EQ(rig.station.telemetry.back().com_mode, link::ComMode::cm3);
    EXPECT_THAT(rig.audit.findings(), IsEmpty());
}

TEST(Robot, CallsForAStationAndWaitsWhenNoneComes) {
    RobotRig rig;
    rig.start();
    rig.loop.advance(4900ms);
    EXPECT_EQ(rig.mode(), RunMode::init);
    rig.loop.advance(200ms);
    EXPECT_EQ(rig.wait_reason(), WaitReason::waiting_to_receive);
    ASSERT_THAT(rig.station.calls, Not(IsEmpty()));
    EXPECT_EQ(rig.station.calls.front().receive_port, rig.robot->main().receive_port());
    EXPECT_THAT(rig.station.telemetry, IsEmpty());  // telemetry waits for the station's request
    rig.connect();
    EXPECT_EQ(rig.mode(), RunMode::rm3);
}

TEST(Robot, LosesItsStationAndStopsAndWaits) {
    RobotRig rig;
    rig.start_connected();
    std::ignore = rig.tell("move_forward level=3 ttl=2s");
    EXPECT_GT(rig.body.driven.right, 0);
    rig.station.hang_up();
    rig.loop.advance(700ms);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    rig.loop.advance(2500ms);
    EXPECT_EQ(rig.wait_reason(), WaitReason::waiting_to_receive);
    rig.connect();
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    rig.loop.advance(1s);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});  // never resumes by itself
}

TEST(Robot, TakesASilentStationForALostOne) {
    RobotRig rig;
    rig.start_connected();
    rig.station.fall_silent();
    rig.loop.advance(4s);
    EXPECT_EQ(rig.wait_reason(), WaitReason::waiting_to_receive);
}

TEST(Robot, DrivesItselfInRm2AndLetsNobodyElse) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    EXPECT_EQ(rig.mode(), RunMode::rm2);
    rig.loop.advance(1s);
    EXPECT_LT(rig.body.driven.left, 0);
    EXPECT_EQ(rig.station.telemetry.back().behavior, "spin");
    EXPECT_THAT(rig.tell("move_forward"), ElementsAre(HasSubstr("WRONG_MODE")));
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre(HasSubstr("DONE")));
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(rig.tell("move_forward"), ElementsAre(HasSubstr("STOPPED")));
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre("DONE"));
    EXPECT_THAT(rig.tell("move_forward"), ElementsAre("DONE"));
    EXPECT_THAT(rig.audit.findings(), IsEmpty());
}

TEST(Robot, StandsStillInRm2AndReportsWhyWhenItsTreeFailsItsCheck) {
    RobotRig rig("DefaultRunMode = 2");
    rig.tree_text = R"({"base": "spin", "behaviors": [{"class": "spinn", "id": "spin"}]})";
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(2s);
    EXPECT_EQ(rig.mode(), RunMode::rm2);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.station.telemetry.back().behavior, "stand_still");
    EXPECT_THAT(rig.station.telemetry.back().faults, testing::Contains("behavior_tree"));
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("spin.json:1:")));
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(HasSubstr("DONE")));
    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(HasSubstr("DONE"))) << "it can stand still by itself";
}

TEST(Robot, IsHealthyHoweverSlowItsTelemetryIs) {
    RobotRig rig("[telemetry]\nrate = 0.1\n");
    rig.start_connected();
    rig.loop.advance(30s);
    EXPECT_GE(rig.healthy, 29U);
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none")));
}

TEST(Robot, HasNoFaultAtItsStartHoweverSlowItsTelemetryIs) {
    RobotRig rig("[telemetry]\nrate = 0.5\n");
    rig.start_connected();
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none")));
}

TEST(Robot, KeepsItsLinkHoweverShortItsLimitIs) {
    RobotRig rig("[safety]\nlink_lost = 0.5\n");
    rig.start_connected();
    for (int i = 0; i < 200; ++i) {
        rig.loop.advance(100ms);
        ASSERT_EQ(rig.mode(), RunMode::rm3) << i;
    }
}

TEST(Robot, StartsOnceEvenIfPropulsionReportsBefore) {
    RobotRig rig("DefaultRunMode = 0");
    rig.propulsion->start();
    rig.loop.advance(100ms);
    EXPECT_EQ(rig.mode(), link::RunMode::init);
    rig.robot->start();
    EXPECT_EQ(rig.mode(), link::RunMode::rm0);
}

TEST(Robot, HaltsItsBehaviorsWhenTelemetryIsOld) {
    RobotRig rig("DefaultRunMode = 2\nDefaultComMode = 0");
    rig.start();
    rig.loop.advance(1s);
    EXPECT_LT(rig.body.driven.left, 0);
    rig.buffers->tell_telemetry({.collects = false});
    rig.loop.advance(800ms);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    const std::uint64_t ticks = rig.robot->ai().ticks();
    rig.loop.advance(1s);
    EXPECT_EQ(rig.robot->ai().ticks(), ticks);
}

TEST(Robot, SleepsAndWakesByItself) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    EXPECT_THAT(rig.tell("go_to_run_mode mode=1 reason=TimedSleep time=10s"), ElementsAre(HasSubstr("DONE")));
    EXPECT_EQ(rig.wait_reason(), WaitReason::timed_sleep);
    rig.loop.advance(500ms);
    EXPECT_FALSE(rig.body.motors_on);
    EXPECT_EQ(rig.station.telemetry.back().run_mode, RunMode::rm1) << "it shows that it falls asleep";
    EXPECT_EQ(rig.station.telemetry.back().waits_for, WaitReason::timed_sleep);
    const std::size_t heard = rig.station.telemetry.size();
    rig.loop.advance(5s);
    EXPECT_EQ(rig.station.telemetry.size(), heard);  // telemetry is off, too
    EXPECT_THAT(rig.tell("ping text=hello"), ElementsAre("DONE: hello"));
    EXPECT_THAT(rig.tell("status brief=true telemetry=true"),
                ElementsAre("DONE: RM1(TimedSleep) CM3 not_stopped"));
    rig.loop.advance(1s);
    EXPECT_EQ(rig.station.telemetry.size(), heard + 1) << "one, for a station that has missed it";
    EXPECT_EQ(rig.station.telemetry.back().waits_for, WaitReason::timed_sleep);
    rig.loop.advance(4s);
    EXPECT_EQ(rig.mode(), RunMode::rm2);
}

TEST(Robot, EndsInRm0WithAReasonAndStandsStill) {
    RobotRig rig;
    rig.start_connected();
    std::ignore = rig.tell("move_forward level=2 ttl=2s");
    const auto answers = rig.tell("setRM(0)");
    EXPECT_THAT(answers, ElementsAre(HasSubstr("ACCEPTED"), HasSubstr("DONE")));
    rig.loop.advance(500ms);
    ASSERT_TRUE(rig.end);
    EXPECT_EQ(rig.end->mode, RunMode::rm0);
    EXPECT_EQ(rig.end->why, "requested");
    EXPECT_FALSE(rig.body.motors_on);
    EXPECT_EQ(rig.station.telemetry.back().run_mode, RunMode::rm0) << "the station knows that it is off";
}

TEST(Robot, RebootsAsOftenAsItMay) {
    RobotRig rig;
    rig.reboots = RebootLimit({.most = 1}, "");
    rig.start_connected();
    EXPECT_THAT(rig.tell("setRM(4)"), ElementsAre(HasSubstr("ACCEPTED"), HasSubstr("DONE")));
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.end->mode, RunMode::rm5);

    RobotRig again;
    again.reboots = RebootLimit({.most = 1}, rig.reboots.history());
    again.start_connected();
    EXPECT_THAT(again.tell("setRM(5)"), ElementsAre(HasSubstr("BUSY")));
    EXPECT_EQ(again.mode(), RunMode::rm3);
}

TEST(Robot, WaitsForItsStationAfterRm5BeforeItDrivesItself) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    EXPECT_THAT(rig.tell("setRM(5)"), testing::Contains(HasSubstr("ACCEPTED")));
    rig.loop.advance(500ms);
    rig.start_again();
    rig.loop.advance(4s);
    EXPECT_NE(rig.mode(), RunMode::rm2) << "a full stop may be on its way";
    rig.connect();
    EXPECT_NE(rig.mode(), RunMode::rm2);
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.mode(), RunMode::rm2);
    rig.start_again();
    rig.loop.advance(6s);
    EXPECT_EQ(rig.mode(), RunMode::rm2) << "not for longer than the limit of a handshake";
}

TEST(Robot, EndsWhenSomethingUnrecoverableHappens) {
    RobotRig rig;
    rig.start_connected();
    rig.body.complaint = "over-current";
    rig.loop.advance(2s);
    ASSERT_TRUE(rig.end);
    EXPECT_EQ(rig.end->mode, RunMode::rm0);
    EXPECT_THAT(rig.end->why, HasSubstr("motor"));
    EXPECT_THAT(rig.station.errors, Not(IsEmpty()));
}

TEST(Robot, EndsWhenItsConfigurationIsLostAndNotForAMoment) {
    RobotRig rig;
    rig.start_connected();
    rig.store.is_lost = true;
    rig.loop.advance(15s);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("configuration_unreadable")));
    rig.store.is_lost = false;
    rig.loop.advance(20s);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none")));
    EXPECT_FALSE(rig.end);
    rig.store.is_lost = true;
    rig.loop.advance(40s);
    ASSERT_TRUE(rig.end);
    EXPECT_EQ(rig.end->mode, link::RunMode::rm0);
    EXPECT_EQ(rig.end->why, "configuration_lost");
}

TEST(Robot, StartsNothingWhenItsSoftwareIsNotWhatItShouldBe) {
    RobotRig rig("DefaultRunMode = 2\n");
    rig.software = {{"network", false, fail(Code::io, "none")}, {"installed files", true, {}}};
    rig.start();
    rig.loop.advance(2s);
    EXPECT_FALSE(rig.end) << "not required";
    RobotRig other("DefaultRunMode = 2\n");
    other.software = {{"installed files", true, fail(Code::malformed, "changed")}};
    other.start();
    other.loop.advance(2s);
    ASSERT_TRUE(other.end);
    EXPECT_EQ(other.end->why, "the software check failed: installed files");
}

TEST(Robot, HasNoFaultOfTheNetworkAnyMoreOnceItsStationHasConnected) {
    RobotRig rig("DefaultRunMode = 2\n");
    rig.software = {{"network", false, fail(Code::unavailable, "no network leads to the station")}};
    rig.start();
    rig.loop.advance(2s);
    EXPECT_THAT(rig.robot->main().faults(), Contains("network"));
    rig.connect();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.robot->main().faults(), Not(Contains("network")));
}

TEST(Robot, EndsWhenAThreadDoesNotStart) {
    RobotRig rig("DefaultRunMode = 2");
    rig.body.say("front", motion::NoReading{});
    rig.start();
    rig.loop.advance(2900ms);
    EXPECT_FALSE(rig.end) << "a sensor may take a while for its first reading";
    rig.loop.advance(1s);
    ASSERT_TRUE(rig.end);
    EXPECT_THAT(rig.end->why, HasSubstr("required sensors give no reading: front"));
}

TEST(Robot, WaitsForTheFirstReadingOfARequiredSensor) {
    RobotRig rig("DefaultRunMode = 2");
    rig.body.say("front", motion::NoReading{});
    rig.start();
    rig.loop.advance(1s);
    rig.body.say("front", motion::BodyRig::far);
    rig.loop.advance(1s);
    EXPECT_FALSE(rig.end);
    EXPECT_EQ(rig.mode(), link::RunMode::rm2);
}

TEST(Robot, ReportsAnOptionalSensorWhileItIsSilent) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    rig.loop.advance(5s);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none")));
    rig.body.say("rear", motion::NoReading{});
    rig.loop.advance(1900ms);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none")));
    rig.loop.advance(300ms);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults rear is silent")));
    EXPECT_THAT(rig.station.telemetry.back().faults, testing::Contains("rear is silent"));
    rig.body.say("rear", 1.0);
    rig.loop.advance(300ms);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none")));
    rig.body.say("rear", motion::NoReading{});
    EXPECT_THAT(rig.tell("disable_sensor sensor=rear"), ElementsAre("DONE"));
    rig.loop.advance(10s);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults none"))) << "switched off on purpose";
}

TEST(Robot, TestsItselfWithoutMoving) {
    RobotRig rig("DefaultRunMode = 2");
    rig.robot->main().only_test();
    rig.start();
    rig.loop.advance(1s);
    ASSERT_TRUE(rig.end);
    EXPECT_EQ(rig.end->why, ThreadMain::self_test_over);
    EXPECT_EQ(rig.body.rolled_left(), 0);
}

TEST(Robot, StartsNothingWhenConfiguredToEnd) {
    RobotRig rig("DefaultRunMode = 0");
    rig.start();
    rig.loop.advance(1s);
    ASSERT_TRUE(rig.end);
    EXPECT_EQ(rig.end->why, "configured");
}

TEST(Robot, TellsHowOftenItsThreadsGoRound) {
    RobotRig rig;
    rig.start_connected();
    rig.loop.advance(5s);
    const std::string health = rig.robot->main().health_json();
    EXPECT_THAT(health, HasSubstr(R"("name":"propulsion","state":"running","rate":50.0)"));
    EXPECT_THAT(health, HasSubstr(R"("name":"telemetry","state":"running","rate":10.0)"));
}

TEST(Robot, BeatsWhileAllThreadsAreAlive) {
    RobotRig rig;
    rig.start_connected();
    rig.loop.advance(5s);
    const std::size_t beats = rig.station.heartbeats;
    EXPECT_GE(beats, 4U);
    EXPECT_GE(rig.healthy, 4U);
    rig.robot->stop_telemetry();  // as if it hung
    rig.loop.advance(5s);
    EXPECT_LE(rig.station.heartbeats, beats + 3);
    EXPECT_TRUE(rig.log.mentions("RM")) << "it goes on";
}

}  // namespace
}  // namespace caribou::robot
