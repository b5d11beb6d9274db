// What a session knows of a robot from its answers and its goodbye.

#include <algorithm>

#include "station/robot_session.hpp"
#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

using SessionStateTest = StationRig;

TEST_F(SessionStateTest, ReportsAnAcknowledgedStopBeforeTelemetryShowsIt) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    std::optional<bool> stopped_when_answered;
    session().send(link::command_from("full_stop").value(), watcher,
                   [&](const link::Answer&) { stopped_when_answered = session().reported()->stopped; });
    loop.run_ready();
    EXPECT_EQ(stopped_when_answered, true);
    EXPECT_EQ(session().engage_autopilot()->refusal, link::Refusal::stopped);
    send("release_stop");
    EXPECT_FALSE(session().reported()->stopped);
    send("set_run_mode mode=2");
    EXPECT_EQ(session().reported()->run_mode, link::RunMode::rm2);
    robot.sends_telemetry = true;
    loop.advance(1s);
    EXPECT_EQ(session().reported()->run_mode, link::RunMode::rm3) << "as telemetry reports it";
}

TEST_F(SessionStateTest, KeepsTheAcknowledgedStopOfARobotWithoutTelemetry) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    robot.hang_up();
    loop.advance(2s);
    ASSERT_FALSE(session().telemetry());
    EXPECT_FALSE(session().acknowledged_stop());
    send("full_stop", watcher);
    EXPECT_TRUE(session().acknowledged_stop()->value);
    robot.hang_up();
    loop.advance(2s);
    EXPECT_TRUE(session().acknowledged_stop()->value) << "a latched stop survives";
}

TEST_F(SessionStateTest, AsksARobotWithoutTelemetryForItsState) {
    PlayedRobot& robot = connect();
    std::string line = "RM1(TimedSleep) CM2 stopped";
    robot.answering = [&](const link::Command& command) {
        const bool asks = to_string(command) == "status brief=true";
        return std::vector{link::Answer::done(command.id, asks ? line : "")};
    };
    loop.advance(3s);
    EXPECT_FALSE(session().acknowledged_stop()) << "telemetry shows it";
    robot.sends_telemetry = false;
    loop.advance(3s);
    EXPECT_TRUE(session().acknowledged_stop()->value) << "nobody has asked for a stop here";
    EXPECT_EQ(session().acknowledged_mode()->value.mode, link::RunMode::rm1);
    EXPECT_TRUE(session().reported()->stopped);
    line = "RM2 CM2 not_stopped";  // released at the robot, and awake
    loop.advance(1100ms);
    EXPECT_FALSE(session().acknowledged_stop()->value);
    EXPECT_EQ(session().acknowledged_mode()->value.mode, link::RunMode::rm2);
    EXPECT_GE(session().acknowledged_stop()->at, loop.clock().now() - 1100ms);
    const Instant confirmed = session().acknowledged_stop()->at;
    robot.answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    loop.advance(5s);
    EXPECT_LE(session().acknowledged_stop()->at, confirmed + 1s) << "the age shows that it is silent";
}

TEST_F(SessionStateTest, AsksForTheTelemetryOfASleepThatWasLost) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    robot.hang_up();
    robot.telemetry.run_mode = link::RunMode::rm1;
    robot.telemetry.waits_for = link::WaitReason::timed_sleep;
    robot.answering = [&](const link::Command& command) {
        if (to_string(command) == "status brief=true telemetry=true") robot.send(robot.telemetry);
        return std::vector{link::Answer::done(command.id, "RM1(TimedSleep) CM3 not_stopped")};
    };
    loop.advance(10s);
    EXPECT_EQ(session().presence(), data::Presence::asleep);
    EXPECT_EQ(session().reported()->run_mode, link::RunMode::rm1);
    EXPECT_EQ(std::ranges::count(robot.commands, "status brief=true telemetry=true",
                                 [](const link::Command& command) { return to_string(command); }),
              1);
}

TEST_F(SessionStateTest, AsksARobotThatDoesNotKnowTheRequestOnlyOnce) {
    PlayedRobot& robot = connect();
    robot.answering = [&](const link::Command& command) {
        return std::vector{link::Answer::refused(command.id, {link::Refusal::bad_argument, "brief"})};
    };
    robot.sends_telemetry = false;
    loop.advance(10s);
    EXPECT_EQ(std::ranges::count(robot.commands, link::CommandCode::status, &link::Command::code), 1);
}

TEST_F(SessionStateTest, KnowsWhyARobotIsOffOnlyFromTheRobot) {
    PlayedRobot& robot = connect();
    robot.telemetry.run_mode = link::RunMode::rm0;
    loop.advance(200ms);
    robot.sends_telemetry = false;
    robot.freeze();
    loop.advance(4s);
    EXPECT_EQ(session().presence(), data::Presence::off);
    EXPECT_THAT(session().why(), HasSubstr("nothing heard"));
    EXPECT_FALSE(session().off_reason()) << "the silence is no reason";
    robot.calls = true;
    loop.advance(1s);
    robot.say(link::Goodbye{"RM0: sensor_dead"});
    loop.advance(10ms);
    EXPECT_EQ(session().off_reason(), "sensor_dead");
    EXPECT_EQ(session().why(), "sensor_dead");
}

TEST_F(SessionStateTest, IsOffWhenARobotWithoutTelemetrySaysSoAtItsEnd) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    loop.advance(2s);
    robot.say(link::Goodbye{"the program ends"});
    loop.advance(10ms);
    EXPECT_EQ(session().presence(), data::Presence::lost) << "it may be started again at any time";
    loop.advance(2s);
    ASSERT_EQ(session().mode(), StationMode::run1);
    robot.calls = false;
    robot.say(link::Goodbye{"RM0: missed_deadlines"});
    loop.advance(4s);
    EXPECT_EQ(session().presence(), data::Presence::off);
    send("ping");
    EXPECT_EQ(answers.back(), "UNAVAILABLE: rover is off (RM0: missed deadlines); start it again");
}

TEST_F(SessionStateTest, RefusesCommandsOfARobotThatReboots) {
    PlayedRobot& robot = connect();
    robot.telemetry.run_mode = link::RunMode::rm5;
    loop.advance(200ms);
    robot.calls = false;
    robot.say(link::Goodbye{"RM3 -> RM5: station asks for it"});
    loop.advance(10ms);
    send("ping");
    EXPECT_EQ(answers.back(), "UNAVAILABLE: rover is rebooting");
}

TEST_F(SessionStateTest, ReadsTheGoodbyeThatCameWhileTheStationWasFrozen) {
    PlayedRobot& robot = connect();
    robot.freeze();
    loop.post([&] {
        robot.say(link::Goodbye{"RM0: sensor_dead"});
        loop.take_time(4s);
        session().tick();  // before what is readable is reported
    });
    loop.run_ready();
    EXPECT_EQ(session().presence(), data::Presence::off);
    EXPECT_EQ(session().off_reason(), "sensor_dead");
    EXPECT_EQ(session().reported()->run_mode, link::RunMode::rm0) << "telemetry of before shows RM3";
}

TEST_F(SessionStateTest, KnowsWhyARobotIsOffFromItsReport) {
    PlayedRobot& robot = connect();
    robot.send(link::ErrorReport{"RM2 -> RM0: sensor_dead"});
    loop.advance(200ms);
    EXPECT_FALSE(session().off_reason()) << "telemetry shows RM3";
    robot.telemetry.run_mode = link::RunMode::rm0;
    loop.advance(200ms);
    robot.sends_telemetry = false;
    robot.freeze();
    robot.hang_up();
    loop.advance(2s);
    EXPECT_EQ(session().presence(), data::Presence::off);
    EXPECT_EQ(session().off_reason(), "sensor_dead");
    robot.calls = robot.beats = true;
    loop.advance(3s);
    ASSERT_EQ(session().mode(), StationMode::run1);
    EXPECT_FALSE(session().off_reason()) << "it was started again";
}

TEST_F(SessionStateTest, KeepsTheTelemetryOfBeforeIfAConnectionEndsWithoutAny) {
    PlayedRobot& robot = connect();
    robot.telemetry.pose = {.x = 1.5, .y = 2, .heading = 0};
    loop.advance(200ms);
    robot.sends_telemetry = false;
    robot.hang_up();
    loop.advance(500ms);
    ASSERT_EQ(session().mode(), StationMode::run1) << "connected again";
    ASSERT_FALSE(session().telemetry());
    robot.calls = false;
    robot.say(link::Goodbye{"RM0: PowerOff"});
    loop.advance(100ms);
    ASSERT_TRUE(session().telemetry());
    EXPECT_EQ(session().telemetry()->pose.x, 1.5);
    EXPECT_TRUE(session().stale());
    EXPECT_EQ(session().presence(), data::Presence::off);
    EXPECT_EQ(session().reported()->run_mode, link::RunMode::rm0);
}

TEST_F(SessionStateTest, RefusesCommandsForARobotThatOnlySends) {
    listen();
    PlayedRobot& robot = add_robot({.calls = false});
    robot.send(link::ConnectToMe{"rover", 0});
    link::Telemetry telemetry = robot.telemetry;
    telemetry.number = 1;
    telemetry.stamp = loop.clock().unix_seconds();
    telemetry.com_mode = link::ComMode::cm1;
    robot.send(telemetry);
    loop.run_ready();
    ASSERT_EQ(session().presence(), data::Presence::telemetry_only);
    send("dock");
    EXPECT_THAT(answers.back(), HasSubstr("rover only sends telemetry (CM1), and receives no commands"));
}

/// Returns the full stops that the robot has received.
std::size_t stops_in(const PlayedRobot& robot) {
    return static_cast<std::size_t>(std::ranges::count(robot.told(), "full_stop"));
}

TEST_F(SessionStateTest, SendsAStopThatIsNotConfirmedAgainWhenTheRobotReturns) {
    PlayedRobot& robot = connect();
    const auto answers_all = robot.answering;
    robot.freeze();
    send("full_stop", watcher);
    EXPECT_FALSE(session().unconfirmed_stop()) << "an answer may still come";
    loop.advance(1600ms);
    ASSERT_TRUE(session().unconfirmed_stop());
    EXPECT_EQ(session().unconfirmed_stop()->by, "tim");
    EXPECT_EQ(session().unconfirmed_stop()->why, "");
    robot.hang_up();
    loop.advance(1h);
    ASSERT_TRUE(session().unconfirmed_stop()) << "however long";
    EXPECT_THAT(session().unconfirmed_stop()->why, HasSubstr("the link was lost before"));
    EXPECT_EQ(stops_in(robot), 1U);

    robot.answering = answers_all;
    robot.calls = robot.beats = true;
    loop.advance(1s);
    EXPECT_EQ(stops_in(robot), 2U);
    EXPECT_FALSE(session().unconfirmed_stop());
    EXPECT_THAT(reports, testing::Contains("the full stop that tim requested 3602 s ago is confirmed"));
    loop.advance(1min);
    EXPECT_EQ(stops_in(robot), 2U) << "not again";
}

TEST_F(SessionStateTest, KeepsAStopThatWasRequestedWhileTheRobotWasAway) {
    PlayedRobot& robot = connect();
    robot.calls = false;
    robot.hang_up();
    loop.advance(5s);
    modes.clear();
    send("full_stop", watcher);
    EXPECT_THAT(answers, testing::ElementsAre(HasSubstr("UNAVAILABLE: rover is not connected")));
    ASSERT_TRUE(session().unconfirmed_stop());
    EXPECT_THAT(session().unconfirmed_stop()->why, HasSubstr("rover is not connected"));
    EXPECT_FALSE(modes.empty()) << "all who watch are notified";
    robot.calls = true;
    loop.advance(2s);
    EXPECT_EQ(stops_in(robot), 1U);
    EXPECT_FALSE(session().unconfirmed_stop());
}

TEST_F(SessionStateTest, SendsAStopAgainThatTheRobotRefusesToConfirm) {
    PlayedRobot& robot = connect();
    const auto answers_all = robot.answering;
    robot.answering = [](const link::Command& command) {
        return std::vector{link::Answer::refused(command.id, {link::Refusal::busy, "later"})};
    };
    send("full_stop", watcher);
    loop.advance(2500ms);
    EXPECT_EQ(stops_in(robot), 3U) << "once per second";
    EXPECT_EQ(session().unconfirmed_stop()->why, "later");
    robot.answering = answers_all;
    loop.advance(1s);
    EXPECT_FALSE(session().unconfirmed_stop());
}

TEST_F(SessionStateTest, TakesTelemetryOfAStoppedRobotForAConfirmation) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    send("full_stop", watcher);
    loop.advance(1600ms);
    EXPECT_TRUE(session().unconfirmed_stop());
    robot.telemetry.stopped = true;
    loop.advance(200ms);
    EXPECT_FALSE(session().unconfirmed_stop());
}

TEST_F(SessionStateTest, SendsADismissedStopNoMore) {
    PlayedRobot& robot = connect();
    robot.calls = false;
    robot.hang_up();
    loop.advance(5s);
    EXPECT_FALSE(session().dismiss_stop(driver)) << "there is none";
    send("full_stop", watcher);
    EXPECT_TRUE(session().dismiss_stop(driver));
    EXPECT_THAT(reports, testing::Contains("ann has dismissed the full stop that is not confirmed"));
    EXPECT_FALSE(session().unconfirmed_stop());
    robot.calls = true;
    loop.advance(2s);
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_EQ(stops_in(robot), 0U);
}

TEST_F(SessionStateTest, DropsAnUnconfirmedStopWhenTheRobotIsReleased) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command& command) {
        if (command.code == link::CommandCode::full_stop) return std::vector<link::Answer>{};
        return std::vector{link::Answer::done(command.id)};
    };
    send("full_stop", watcher);
    loop.advance(2s);
    EXPECT_TRUE(session().unconfirmed_stop());
    send("release_stop");
    EXPECT_FALSE(session().unconfirmed_stop());
    loop.advance(10s);
    EXPECT_EQ(stops_in(robot), 1U);
}

}  // namespace
}  // namespace caribou::station
