#include "station/robot_session.hpp"

#include <algorithm>

#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using RobotSessionTest = StationRig;

TEST_F(RobotSessionTest, SendsAFullStopBeforeCommandsThatWaitForRoom) {
    PlayedRobot& robot = connect();
    robot.beats = false;
    robot.set_reading(false);
    network.set_faults({.stream_buffer = 100});
    for (const char* const text : {"ping text=a", "ping text=b", "ping text=c", "ping text=d", "ping text=e"})
        send(text + std::string(60, '.'));
    send("full_stop", watcher);
    robot.set_reading(true);
    loop.advance(100ms);
    const std::vector<std::string> told = robot.told();
    ASSERT_EQ(told.size(), 6U);
    const auto stop = std::ranges::find(told, "full_stop") - told.begin();
    EXPECT_LE(stop, 2) << "after what had begun to leave, and before all else";
}

// Modes.

TEST(StationMode, FollowsOneThatItMayFollow) {
    using enum StationMode;
    const std::vector<std::pair<StationMode, StationMode>> allowed{
        {init, wait}, {wait, shake}, {shake, run1}, {shake, wait},
        {run1, run2}, {run1, wait},  {run2, run1},  {run2, wait}};
    for (const StationMode from : {init, wait, shake, run1, run2})
        for (const StationMode to : {init, wait, shake, run1, run2})
            EXPECT_EQ(may_follow(from, to),
                      (std::ranges::find(allowed, std::pair(from, to)) != allowed.end()))
                << to_string(from) << " -> " << to_string(to);
}

TEST_F(RobotSessionTest, GoesFromInitToRun1WhenTheRobotCalls) {
    listen({.robots = {"rover"}});
    EXPECT_THAT(modes, ElementsAre("wait"));
    add_robot();
    loop.advance(10ms);
    EXPECT_THAT(modes, ElementsAre("wait", "shake", "run1"));
    ASSERT_TRUE(robots[0]->auth);
    EXPECT_EQ(robots[0]->auth->name, "station");
    EXPECT_THAT(robots[0]->auth->send_to, HasSubstr(":9600"));
}

TEST_F(RobotSessionTest, WaitsAgainWhenThereIsNoWelcome) {
    listen();
    add_robot().welcomes = false;
    loop.advance(4900ms);
    EXPECT_EQ(session().mode(), StationMode::shake);
    robots[0]->calls = false;
    loop.advance(200ms);
    EXPECT_EQ(session().mode(), StationMode::wait);
    EXPECT_EQ(session().why(), "no welcome within 5s");
    EXPECT_EQ(session().failed_handshakes(), 0u) << "a frozen robot refuses nothing";
}

TEST_F(RobotSessionTest, DoesNotBelieveARobotThatLiesAboutItsName) {
    listen();
    add_robot({.true_name = "impostor"}).calls = false;
    loop.advance(10ms);
    EXPECT_EQ(session().mode(), StationMode::wait);
    EXPECT_EQ(session().why(), "it called itself rover, and is impostor");
}

TEST_F(RobotSessionTest, PausesLongerAndLongerBeforeItDialsARobotThatRefuses) {
    listen();
    add_robot({.true_name = "impostor"});
    loop.advance(20s);
    EXPECT_GT(session().failed_handshakes(), 5u);
    EXPECT_LT(session().failed_handshakes(), 12u) << "it calls ten times a second";
    robots.clear();
    add_robot();
    loop.advance(200ms);
    EXPECT_EQ(session().mode(), StationMode::run1) << "one at another address is dialed at once";
}

TEST_F(RobotSessionTest, WaitsWhenTheConnectionEndsAndConnectsAgain) {
    PlayedRobot& robot = connect();
    robot.hang_up();
    loop.run_ready();
    EXPECT_EQ(session().mode(), StationMode::wait);
    EXPECT_TRUE(log.mentions("rover: link lost"));
    EXPECT_EQ(session().why(), "its program has ended, or has closed the connection");
    loop.advance(1s);
    EXPECT_EQ(session().mode(), StationMode::run1);
}

TEST_F(RobotSessionTest, WaitsWhenNothingIsHeardFor3s) {
    PlayedRobot& robot = connect();
    loop.advance(5s);
    robot.beats = false;
    loop.advance(3s + 100ms);
    EXPECT_EQ(session().mode(), StationMode::wait);
    EXPECT_EQ(session().why(), "nothing heard for 3s");
}

TEST_F(RobotSessionTest, DialsAtOnceWhenASilentRobotCallsAgain) {
    connect();
    network.crash("rover");
    robots.clear();
    loop.advance(2s);
    EXPECT_EQ(session().mode(), StationMode::run1);
    add_robot();
    loop.advance(50ms);
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_TRUE(robots[0]->auth) << "the new one";
    EXPECT_TRUE(log.mentions("it called again"));
}

TEST_F(RobotSessionTest, IsNotDisturbedByASecondRobotOfItsName) {
    connect();
    PlayedRobot& second = add_robot();
    loop.advance(1200ms);
    EXPECT_FALSE(second.auth);
    EXPECT_TRUE(robots[0]->auth);
    EXPECT_EQ(session().mode(), StationMode::run1);
}

TEST_F(RobotSessionTest, LosesTheLinkOnNonsense) {
    PlayedRobot& robot = connect();
    robot.say(link::Auth{});
    loop.run_ready();
    EXPECT_EQ(session().why(), "the robot sent a message that only stations send");
}

// Heartbeats and clocks.

TEST_F(RobotSessionTest, BeatsOnceASecondAndEchoes) {
    PlayedRobot& robot = connect();
    loop.advance(10s);
    // In addition, one after the welcome and one in reply to the first of the robot.
    EXPECT_NEAR(static_cast<double>(robot.heartbeats.size()), 12, 1);
    const link::Heartbeat& last = robot.heartbeats.back();
    const double ahead = robot.clock() - loop.clock().boot_seconds();
    EXPECT_NEAR(last.heard - last.sent, ahead, 1e-3) << "the echo includes the time since it was received";
}

TEST_F(RobotSessionTest, TellsAgesByItsOwnClock) {
    listen();
    network.set_faults({.min_delay = 20ms, .max_delay = 20ms});
    add_robot({.clock_ahead = 3600});
    loop.advance(5s);
    ASSERT_NE(session().telemetry(), nullptr);
    EXPECT_NEAR(*session().clock_ahead(), 3600, 0.021);
    EXPECT_LT(to_seconds(loop.clock().now() - session().telemetry_at()), 0.15);
    robots[0]->set_clock(-50);
    loop.advance(5s);
    EXPECT_NEAR(*session().clock_ahead(), -50, 0.021);
    EXPECT_LT(to_seconds(loop.clock().now() - session().telemetry_at()), 0.15);
}

TEST_F(RobotSessionTest, MarksTelemetryAsStale) {
    PlayedRobot& robot = connect();
    EXPECT_FALSE(session().stale());
    robot.sends_telemetry = false;
    loop.advance(1200ms);
    EXPECT_TRUE(session().stale());
    EXPECT_EQ(session().mode(), StationMode::run1);
    robot.sends_telemetry = true;
    loop.advance(200ms);
    EXPECT_FALSE(session().stale());
}

TEST_F(RobotSessionTest, MarksTelemetryAsStaleWhetherTheRobotIsConnectedOrNot) {
    PlayedRobot& robot = connect();
    robot.calls = false;
    robot.hang_up();
    loop.advance(500ms);
    EXPECT_EQ(session().mode(), StationMode::wait);
    EXPECT_FALSE(session().stale()) << "it is half a second old";
    loop.advance(700ms);
    EXPECT_TRUE(session().stale());
}

TEST_F(RobotSessionTest, KnowsWhetherARobotIsLiveLostAsleepOrOff) {
    PlayedRobot& robot = connect();
    EXPECT_EQ(session().presence(), data::Presence::live);
    robot.sends_telemetry = false;
    loop.advance(2200ms);
    EXPECT_EQ(session().presence(), data::Presence::no_telemetry) << "heartbeats go on";
    link::Telemetry last = *session().telemetry();
    const auto report = [&](link::RunMode mode, std::optional<link::WaitReason> reason) {
        last.number += 1;
        last.stamp = loop.clock().unix_seconds();
        last.run_mode = mode;
        last.waits_for = reason;
        robot.send(last);
        loop.run_ready();
    };
    report(link::RunMode::rm1, link::WaitReason::timed_sleep);
    loop.advance(1200ms);
    EXPECT_EQ(session().presence(), data::Presence::asleep);
    report(link::RunMode::rm1, link::WaitReason::requested_sleep);
    EXPECT_EQ(session().presence(), data::Presence::live);
    report(link::RunMode::rm1, link::WaitReason::timed_sleep);
    robot.calls = false;
    robot.hang_up();
    loop.advance(5s);
    EXPECT_EQ(session().presence(), data::Presence::lost) << "a sleeper would call again";
    last.com_mode = link::ComMode::cm1;
    report(link::RunMode::rm1, link::WaitReason::timed_sleep);
    loop.advance(5s);
    EXPECT_EQ(session().presence(), data::Presence::asleep) << "it never had a connection";
    report(link::RunMode::rm0, std::nullopt);
    loop.advance(30s);
    EXPECT_EQ(session().presence(), data::Presence::off);
}

TEST_F(RobotSessionTest, ShowsTelemetryThatArrivesWithoutAConnection) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry telemetry = *session().telemetry();
    robot.calls = false;
    robot.hang_up();
    loop.advance(2s);
    const auto send = [&](std::uint64_t number) {
        telemetry.number = number;
        telemetry.stamp = loop.clock().unix_seconds();
        telemetry.com_mode = link::ComMode::cm1;
        robot.send(telemetry);
        loop.run_ready();
    };
    send(1);
    EXPECT_EQ(session().presence(), data::Presence::lost) << "an old datagram";
    send(telemetry.number + 1000);
    EXPECT_EQ(session().presence(), data::Presence::telemetry_only);
    std::string text;
    session().send(link::command_from("105").value(), driver,
                   [&](const link::Answer& answer) { text = to_string(answer); });
    EXPECT_THAT(text, HasSubstr("UNAVAILABLE: rover is not connected")) << "it will be connected again";
    loop.advance(3s);
    send(1);
    EXPECT_EQ(session().presence(), data::Presence::telemetry_only) << "it was restarted";
    EXPECT_EQ(session().telemetry()->number, 1u);
}

TEST_F(RobotSessionTest, ShowsARobotThatWasOffAndIsStartedAgainWithoutAConnection) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry telemetry = *session().telemetry();
    const auto send = [&](std::uint64_t number) {
        telemetry.number = number;
        telemetry.stamp = loop.clock().unix_seconds();
        robot.send(telemetry);
        loop.run_ready();
    };
    robot.calls = false;
    robot.say(link::Goodbye{"RM0: PowerOff"});
    loop.advance(100ms);
    send(telemetry.number + 1);
    EXPECT_EQ(session().presence(), data::Presence::off) << "sent before it had ended";
    loop.advance(5s);
    telemetry.com_mode = link::ComMode::cm1;
    send(1);
    EXPECT_EQ(session().presence(), data::Presence::telemetry_only);
    std::string text;
    session().send(link::command_from("full_stop").value(), driver,
                   [&](const link::Answer& answer) { text = to_string(answer); });
    EXPECT_THAT(text, testing::Not(HasSubstr("is off")));
}

TEST_F(RobotSessionTest, GivesARobotThatSendsSlowlyThreeOfItsPeriods) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry slow = *session().telemetry();
    for (int i = 0; i < 3; ++i) {
        slow.number += 1;
        slow.stamp = loop.clock().unix_seconds();
        robot.send(slow);
        loop.advance(2s);
    }
    EXPECT_NEAR(to_seconds(session().stale_after()), 6, 0.1);
    EXPECT_FALSE(session().stale());
    loop.advance(4200ms);
    EXPECT_TRUE(session().stale());
}

TEST_F(RobotSessionTest, KnowsThePeriodFromTheFirstTelemetryThatStatesIt) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry slow = *session().telemetry();
    slow.number += 1;
    slow.stamp = loop.clock().unix_seconds();
    slow.period = 10;
    robot.send(slow);
    loop.advance(29s);
    EXPECT_EQ(session().stale_after(), 30s);
    EXPECT_EQ(session().presence(), data::Presence::live);
    loop.advance(1100ms);
    EXPECT_TRUE(session().stale());
    slow.number += 1;
    slow.period = 1e9F;
    robot.send(slow);
    loop.run_ready();
    EXPECT_EQ(session().stale_after(), 30s) << "at most that of the slowest robot";
}

TEST_F(RobotSessionTest, KeepsTheNewestTelemetryWhenAnOlderOneComesLate) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry old = *session().telemetry();
    old.number -= 1;
    old.winner = "late";
    robot.send(old);
    loop.run_ready();
    EXPECT_EQ(session().telemetry()->winner, "");
}

TEST_F(RobotSessionTest, KeepsItsLimitOfStalenessThroughASingleGap) {
    PlayedRobot& robot = connect();
    loop.advance(1s);
    robot.sends_telemetry = false;
    link::Telemetry late = *session().telemetry();
    loop.advance(5s);
    late.number += 1;  // it was frozen: the rounds of these 5 s did not take place
    late.stamp = loop.clock().unix_seconds();
    robot.send(late);
    loop.run_ready();
    EXPECT_EQ(session().stale_after(), 1s);
}

TEST_F(RobotSessionTest, CountsTheLivesOfTheRobotByItsTelemetry) {
    PlayedRobot& robot = connect();
    loop.advance(1s);
    EXPECT_EQ(session().life(), 1U);
    robot.hang_up();
    loop.advance(1s);
    EXPECT_EQ(session().life(), 1U) << "only the connection was lost";
    network.crash("rover");
    robots.clear();
    connect();
    loop.advance(1s);
    EXPECT_EQ(session().life(), 2U);
}

// Presence.

TEST_F(RobotSessionTest, IsLostFromTheLastTelemetryOnWhenTheRobotFreezes) {
    PlayedRobot& robot = connect();
    loop.advance(3s);
    robot.sends_telemetry = false;
    robot.freeze();
    std::vector<data::Presence> seen{session().presence()};
    for (int i = 0; i < 60; ++i) {
        loop.advance(100ms);
        if (session().presence() != seen.back()) seen.push_back(session().presence());
    }
    EXPECT_THAT(seen, ElementsAre(data::Presence::live, data::Presence::lost));
}

TEST_F(RobotSessionTest, LivesWithoutTelemetryWhenOnlyHeartbeatsArrive) {
    PlayedRobot& robot = connect();
    loop.advance(3s);
    robot.sends_telemetry = false;
    loop.advance(3s);
    EXPECT_EQ(session().presence(), data::Presence::no_telemetry);
    EXPECT_LE(loop.clock().now() - *session().heard_at(), 1s);
    robot.freeze();
    loop.advance(4s);
    EXPECT_EQ(session().presence(), data::Presence::lost);
    EXPECT_GE(loop.clock().now() - *session().heard_at(), 4s);
}

TEST_F(RobotSessionTest, IsOffWhenARobotWithoutTelemetryHasAcknowledgedIt) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    robot.hang_up();
    loop.advance(2s);
    ASSERT_FALSE(session().telemetry());
    send("power_off", driver);
    robots.clear();
    loop.advance(4s);
    EXPECT_EQ(session().presence(), data::Presence::off);
}

// run2.

TEST_F(RobotSessionTest, StopsTheRobotInRun2WhenTelemetryGoesStale) {
    PlayedRobot& robot = connect();
    ASSERT_FALSE(session().engage_autopilot());
    EXPECT_EQ(session().mode(), StationMode::run2);
    robot.sends_telemetry = false;
    loop.advance(1200ms);
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_EQ(session().why(), "telemetry has become stale");
    EXPECT_THAT(robot.told(), ElementsAre("full_stop"));
}

TEST_F(RobotSessionTest, DoesNotEngageWithoutFreshTelemetry) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    loop.advance(2s);
    ASSERT_TRUE(session().engage_autopilot());
    EXPECT_EQ(session().engage_autopilot()->text, "there is no fresh telemetry of rover");
}

TEST_F(RobotSessionTest, DoesNotEngageInARunModeInWhichTheStationDoesNotDrive) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry exploring = *session().telemetry();
    exploring.number += 1;
    exploring.stamp = loop.clock().unix_seconds();
    exploring.run_mode = link::RunMode::rm2;
    robot.send(exploring);
    loop.advance(100ms);
    ASSERT_TRUE(session().engage_autopilot());
    EXPECT_EQ(session().engage_autopilot()->text,
              "rover is in RM2, and a route needs RM3: send set_run_mode mode=3 first");
    EXPECT_EQ(session().mode(), StationMode::run1);
    send("set_run_mode mode=3");
    ASSERT_EQ(answers.back(), "DONE");
    EXPECT_FALSE(session().engage_autopilot()) << "the telemetry is older than the change of the mode";
}

TEST_F(RobotSessionTest, DoesNotEngageWhileTheRobotIsStopped) {
    PlayedRobot& robot = connect();
    robot.sends_telemetry = false;
    link::Telemetry stopped = *session().telemetry();
    stopped.number += 1;
    stopped.stamp = loop.clock().unix_seconds();
    stopped.stopped = true;
    robot.send(stopped);
    loop.advance(100ms);
    ASSERT_TRUE(session().engage_autopilot());
    EXPECT_EQ(session().engage_autopilot()->refusal, link::Refusal::stopped);
    send("release_stop");
    EXPECT_FALSE(session().engage_autopilot()) << "the telemetry is older than the release";
}

TEST_F(RobotSessionTest, StaysInRun2WhenACommandIsRefused) {
    PlayedRobot& robot = connect();
    ASSERT_FALSE(session().engage_autopilot());
    robot.commands.clear();
    const link::Command misspelled{.code = link::CommandCode::move, .arguments = {{"movement", "FORWRD"}}};
    session().send(misspelled, driver,
                   [&](const link::Answer& answer) { answers.push_back(to_string(answer)); });
    EXPECT_THAT(answers.back(), HasSubstr("BAD_ARGUMENT"));
    EXPECT_EQ(session().mode(), StationMode::run2);
    EXPECT_THAT(robot.commands, IsEmpty());
}

TEST_F(RobotSessionTest, LeavesRun2WhenAPersonDrives) {
    connect();
    ASSERT_FALSE(session().engage_autopilot());
    send("move_forward level=1");
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_EQ(session().why(), "ann drives");
    EXPECT_EQ(session().driver(), "ann");
}

// Commands.

TEST_F(RobotSessionTest, ReportsAcceptedAndThenDone) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command& c) {
        return std::vector{link::Answer::accepted(c.id), link::Answer::accepted(c.id),
                           link::Answer::done(c.id), link::Answer::done(c.id)};
    };
    send("dock");
    EXPECT_THAT(answers, ElementsAre("ACCEPTED", "DONE"));
    EXPECT_EQ(session().pending(), 0u);
}

TEST_F(RobotSessionTest, AnswersForARobotThatDoesNot) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    send("ping");
    const link::CommandId id = robot.commands.back().id;
    loop.advance(4900ms);
    EXPECT_THAT(answers, IsEmpty());
    loop.advance(200ms);
    EXPECT_THAT(answers, ElementsAre("FAILED: the robot received it, but did not report a result within 5s"));
    robot.say(link::Answer::done(id));
    loop.run_ready();
    EXPECT_EQ(answers.size(), 1u);
}

TEST_F(RobotSessionTest, AnswersWhatWasUnderWayWhenTheLinkIsLost) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command& c) { return std::vector{link::Answer::accepted(c.id)}; };
    send("dock");
    robot.say(link::Goodbye{"the robot reboots"});
    loop.run_ready();
    EXPECT_THAT(answers, ElementsAre("ACCEPTED", AllOf(HasSubstr("UNAVAILABLE"), HasSubstr("reboots"))));
    send("ping");
    EXPECT_EQ(answers.back(), "UNAVAILABLE: rover is not connected: the robot reboots");
}

TEST_F(RobotSessionTest, HasRoomForSoManyCommandsAndAlwaysForAFullStop) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    for (int i = 0; i < 32; ++i) send("ping");
    EXPECT_THAT(answers, IsEmpty());
    send("ping");
    EXPECT_EQ(answers.back(), "BUSY: 32 commands wait for an answer already");
    send("full_stop", watcher);
    EXPECT_EQ(robot.told().back(), "full_stop");
}

TEST_F(RobotSessionTest, HasRoomForCommandsOfADriverWhenObserversHaveSentTooMany) {
    PlayedRobot& robot = connect();
    robot.answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    for (int i = 0; i < 17; ++i) send("ping", watcher);
    EXPECT_EQ(answers, std::vector<std::string>{"BUSY: 16 commands wait for an answer already"});
    send("release_stop", driver);
    EXPECT_EQ(robot.told().back(), "release_stop");
}

TEST_F(RobotSessionTest, GivesNoIdTwiceNotEvenAfterARestart) {
    PlayedRobot& robot = connect();
    send("ping");
    send("ping");
    const auto first = robot.commands[0].id;
    const auto second = robot.commands[1].id;
    EXPECT_LT(first, second);
    fleet.reset();
    listen();
    loop.advance(1s);
    send("ping");
    EXPECT_LT(second, robot.commands.back().id);
}

TEST_F(RobotSessionTest, RefusesWhatTheRoleIsNotEnoughFor) {
    PlayedRobot& robot = connect();
    send("move_forward", watcher);
    EXPECT_EQ(answers.back(), "NOT_ALLOWED: move_forward needs the role drive, and tim has observe");
    send("disable_telemetry", driver);
    EXPECT_EQ(answers.back(), "NOT_ALLOWED: disable_telemetry needs the role admin, and ann has drive");
    EXPECT_THAT(robot.commands, IsEmpty());
    send("full_stop", watcher);
    EXPECT_EQ(answers.back(), "DONE");
}

// The lease.

TEST_F(RobotSessionTest, HasOneDriverAtATime) {
    PlayedRobot& robot = connect();
    send("move_forward", driver);
    EXPECT_EQ(answers.back(), "DONE");
    EXPECT_EQ(robot.commands[0].code, link::CommandCode::take_lease);
    send("move_backward", other);
    EXPECT_EQ(answers.back(), "NO_LEASE: ann drives; take_lease takes over");
    for (const char* command : {"set_run_mode mode=2", "power_off", "dock"}) {
        send(command, other);
        EXPECT_EQ(answers.back(), "NO_LEASE: ann drives; take_lease takes over") << command;
    }
    send("take_lease", watcher);
    EXPECT_THAT(answers.back(), HasSubstr("NOT_ALLOWED"));
    robot.commands.clear();
    send("take_lease", other);
    EXPECT_EQ(session().driver(), "bob");
    EXPECT_EQ(to_string(robot.commands.at(0)), "move movement=HALT") << "the robot halts first";
    EXPECT_EQ(reports.back(), "bob has taken the lease from ann");
    send("take_lease", driver);
    EXPECT_EQ(session().driver(), "ann");
    send("take_lease", other);
    EXPECT_EQ(answers.back(),
              "NO_LEASE: ann drives, and the lease was taken with your key less than 5 s ago");
    send("take_lease", admin);
    EXPECT_EQ(session().driver(), "eve");
    send("release_lease", driver);
    EXPECT_EQ(answers.back(), "NO_LEASE: eve drives");
    send("release_lease", admin);
    send("move_backward", other);
    EXPECT_EQ(answers.back(), "DONE");
}

TEST_F(RobotSessionTest, FreesTheLeaseOfWhoIsIdleOrGone) {
    PlayedRobot& robot = connect();
    send("move_forward");
    loop.advance(30s + 100ms);
    EXPECT_EQ(session().driver(), "");
    EXPECT_EQ(robot.commands.back().code, link::CommandCode::release_lease);
    send("move_forward");
    fleet->forget("ann");
    EXPECT_EQ(session().driver(), "");
}

}  // namespace
}  // namespace caribou::station
