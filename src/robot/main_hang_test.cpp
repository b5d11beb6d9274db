// A robot whose main thread hangs.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class MainHangTest : public testing::Test {
protected:
    MainHangTest() {
        rig.start_connected();
        rig.loop.advance(1s);
        EXPECT_EQ(rig.mode(), link::RunMode::rm2);
        EXPECT_NE(rig.body.driven, motion::WheelSpeeds{}) << "it drives itself";
    }

    RobotRig rig{"DefaultRunMode = 2"};
};

TEST_F(MainHangTest, StopsTheRobotUntilAPersonReleasesIt) {
    rig.main_strand.hang();
    rig.loop.advance(main_limit - 150ms);
    EXPECT_FALSE(rig.propulsion->report().stop) << "it may only be busy";
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::main_silent);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::main_silent) << "a restart does not release it";
    rig.main_strand.go_on();
    rig.loop.advance(5s);
    EXPECT_EQ(rig.mode(), link::RunMode::rm2);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{}) << "it does not drive off by itself";
    EXPECT_EQ(rig.station.telemetry.back().stop_cause, "main_silent");
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre("DONE"));
    rig.loop.advance(1s);
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.station.telemetry.back().stop_cause, "");
}

TEST_F(MainHangTest, IsOverForAReleaseThatMainCarriesOutFirst) {
    rig.main_strand.hang();
    rig.loop.advance(main_limit + 500ms);
    ASSERT_EQ(rig.propulsion->report().stop, motion::StopCause::main_silent);
    const std::uint64_t release = rig.station.send("release_stop");
    rig.loop.advance(5ms);
    rig.main_strand.go_on();
    rig.loop.advance(50ms);
    EXPECT_THAT(rig.station.answers_to(release), ElementsAre("DONE"));
    EXPECT_FALSE(rig.propulsion->report().stop);
}

TEST_F(MainHangTest, IsShownByTelemetryAndHealth) {
    EXPECT_THAT(rig.station.telemetry.back().faults, Not(Contains("main is silent")));
    rig.main_strand.hang();
    rig.loop.advance(main_limit + 200ms);
    EXPECT_THAT(rig.station.telemetry.back().faults, Contains("main is silent"));
    EXPECT_THAT(rig.robot->main().health_json(), HasSubstr(R"("name":"main","state":"late")"));
    rig.main_strand.go_on();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.station.telemetry.back().faults, Not(Contains("main is silent")));
    EXPECT_THAT(rig.robot->main().health_json(), HasSubstr(R"("name":"main","state":"running")"));
}

TEST_F(MainHangTest, KeepsTheLink) {
    rig.main_strand.hang();
    rig.loop.advance(2s);
    const std::size_t before = rig.station.heartbeats;
    rig.loop.advance(5s);
    EXPECT_GE(rig.station.heartbeats, before + 5);
    EXPECT_TRUE(rig.station.connected());
}

TEST_F(MainHangTest, DelaysNeitherTheAnswerToAFullStopNorItsStorage) {
    rig.main_strand.hang();
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre("DONE: stopped until released"));
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::station);
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::station);
}

TEST_F(MainHangTest, LetsNoReleaseUndoAStopThatWasRequestedAfterIt) {
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre("DONE: stopped until released"));
    rig.main_strand.hang();
    const std::uint64_t release = rig.station.send("release_stop");
    rig.loop.advance(100ms);
    PlayedStation person(rig.loop, rig.network, "person");
    person.dial(rig.robot->main().receive_port(), link::Role::observe, false);
    rig.loop.advance(50ms);
    const std::uint64_t stop = person.send("full_stop");
    rig.loop.advance(50ms);
    EXPECT_THAT(person.answers_to(stop), ElementsAre("DONE: stopped until released"));
    rig.main_strand.go_on();
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.station.answers_to(release),
                ElementsAre(StartsWith("EXPIRED: a full stop was sent or took effect after")));
    EXPECT_TRUE(rig.propulsion->report().stop);
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::station);
}

TEST_F(MainHangTest, IsNotUndoneByAReleaseThatWaitedForMain) {
    rig.main_strand.hang();
    const std::uint64_t release = rig.station.send("release_stop");
    rig.loop.advance(1500ms);
    rig.main_strand.go_on();
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.station.answers_to(release), ElementsAre(StartsWith("EXPIRED")));
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::main_silent);
}

TEST_F(MainHangTest, LeavesALineOfEachStopAndReleaseInTheLog) {
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre("DONE"));
    EXPECT_TRUE(rig.log.mentions("full stop by station (admin, "));
    EXPECT_TRUE(rig.log.mentions("stop released by station (admin, "));
}

}  // namespace
}  // namespace caribou::robot
