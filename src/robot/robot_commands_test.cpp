// All commands, and all their errors.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "link/command_table.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::RunMode;
using link::WaitReason;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

TEST(RobotCommands, AreAnsweredAgainButNotCarriedOutAgain) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("full_stop", 77), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("release_stop", 78), ElementsAre("DONE"));
    EXPECT_THAT(rig.tell("ping text=again", 78), ElementsAre("DONE", "DONE"));  // the id decides
    EXPECT_FALSE(rig.propulsion->report().stop);
    // A full stop is executed regardless of its id.
    std::ignore = rig.tell("full_stop", 77);
    EXPECT_TRUE(rig.propulsion->report().stop);
}

TEST(RobotCommands, StopUntilReleasedThroughEveryRestart) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre("DONE: stopped until released"));
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::station);
    EXPECT_THAT(rig.tell("setRM(5)"), testing::Contains(StartsWith("ACCEPTED")));
    for (int starts = 0; starts < 2; ++starts) {
        rig.start_again();
        rig.connect();
        rig.loop.advance(2s);
        EXPECT_EQ(rig.mode(), link::RunMode::rm2);
        EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
        EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::station);
    }
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre("DONE"));
    rig.loop.advance(1s);
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    rig.start_again();
    rig.connect();
    rig.loop.advance(2s);
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(rig.audit.findings(), testing::IsEmpty());
}

TEST(RobotCommands, AcknowledgeAStopWhoseLatchIsNotStored) {
    RobotRig rig;
    rig.latch.hangs = true;
    rig.start_connected();
    const std::uint64_t id = rig.station.send("full_stop");
    rig.loop.advance(100ms);
    EXPECT_TRUE(rig.propulsion->report().stop) << "cut first";
    EXPECT_THAT(rig.station.answers_to(id), testing::IsEmpty());
    rig.loop.advance(1s);
    EXPECT_THAT(
        rig.station.answers_to(id),
        ElementsAre(
            "DONE: stopped until released; latch not stored: storing it takes longer than one second"));
}

TEST(RobotCommands, SayThatAStopIsNotReleasedWhileTheEmergencyInputSaysStop) {
    RobotRig rig;
    rig.start_connected();
    rig.body.say("emergency", true);
    rig.loop.advance(100ms);
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::emergency_input);
    const std::uint64_t id = rig.station.send("release_stop");
    rig.loop.advance(1100ms);
    EXPECT_THAT(rig.station.answers_to(id), ElementsAre(StartsWith("FAILED: it is still stopped")));
}

TEST(RobotCommands, AreRefusedWithTheReasonWhileTheBodyIsAbsentOrCut) {
    RobotRig rig("DefaultRunMode = 3\n");
    rig.start_connected();
    EXPECT_THAT(rig.tell("move movement=MOVE_FW_1"), ElementsAre(StartsWith("DONE")));
    rig.body.away = "driver base: the driver closed the connection";
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.tell("move movement=MOVE_FW_1"),
                ElementsAre(AllOf(StartsWith("UNAVAILABLE"), HasSubstr("the driver closed the connection"))));
    EXPECT_THAT(rig.tell("move movement=HALT"), ElementsAre(StartsWith("DONE"))) << "a halt is never refused";
    rig.body.away.clear();
    rig.robot->main().on_guard_gave_up("the body was cut 6 times within 60 s");
    rig.propulsion->set_guard_cut(true);
    rig.loop.advance(100ms);
    EXPECT_THAT(
        rig.tell("move movement=MOVE_FW_1"),
        ElementsAre(AllOf(StartsWith("UNAVAILABLE"), HasSubstr("the guard has stopped the body: it has given "
                                                               "up, because the body was cut 6 times"))));
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("faults guard gave up")));
    rig.propulsion->set_guard_cut(false);
    rig.robot->main().on_guard_cut("");
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.tell("move movement=MOVE_FW_1"), ElementsAre(StartsWith("DONE")));
}

TEST(RobotCommands, AreRefusedWithASentence) {
    RobotRig rig;
    rig.start_connected();
    rig.station.send(link::Command{{900}, static_cast<link::CommandCode>(999), {}});
    rig.station.send(link::Command{{901}, link::CommandCode::move_forward, {{"level", "9"}}});
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.station.answers_to(900), ElementsAre("UNKNOWN_COMMAND: there is no command 999"));
    EXPECT_THAT(rig.station.answers_to(901), ElementsAre(StartsWith("BAD_ARGUMENT: level is `9`")));
    EXPECT_THAT(rig.tell("move_forward ttl=5s"), ElementsAre(StartsWith("BAD_ARGUMENT")));
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
}

TEST(RobotCommands, SucceedWithoutAChangeInTheModeThatIsRequested) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre("DONE: it is in RM3 already"));
    EXPECT_THAT(rig.tell("set_run_mode mode=1"), ElementsAre(StartsWith("DONE: RM3 -> RM1")));
    EXPECT_THAT(rig.tell("set_run_mode mode=1"), ElementsAre("DONE: it is in RM1 already"));
    EXPECT_THAT(rig.tell("set_run_mode mode=1 time=1h"), ElementsAre(StartsWith("ILLEGAL_TRANSITION")))
        << "another wait";
}

TEST(RobotCommands, TellWhoWasRefused) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("status"), ElementsAre(Not(HasSubstr("refused"))));
    PlayedStation second(rig.loop, rig.network, "second");
    for (int i = 0; i < 2; ++i) {
        second.dial(rig.robot->main().receive_port());
        rig.loop.advance(100ms);
        EXPECT_TRUE(second.goodbye);
    }
    EXPECT_THAT(rig.tell("status"),
                ElementsAre(AllOf(HasSubstr("refused 2, the last: "),
                                  HasSubstr("was refused: station is this robot's station already"))));
}

TEST(RobotCommands, LeaveTheLeaseFreeUnlessTheyDrive) {
    RobotRig rig;
    rig.start_connected();
    PlayedStation second(rig.loop, rig.network, "second");
    second.dial(rig.robot->main().receive_port(), link::Role::drive, false);
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.tell("set_run_mode mode=3"), ElementsAre("DONE: it is in RM3 already"));
    const std::uint64_t id = second.send("move_forward");
    rig.loop.advance(100ms);
    EXPECT_THAT(second.answers_to(id), ElementsAre("DONE"));
    EXPECT_THAT(rig.tell("set_run_mode mode=3"), ElementsAre(StartsWith("NO_LEASE: second drives")));
}

TEST(RobotCommands, NeedARoleAndTheLease) {
    RobotRig rig;
    rig.start_connected();
    PlayedStation watcher(rig.loop, rig.network, "watcher");
    watcher.dial(rig.robot->main().receive_port(), link::Role::observe, false);
    rig.loop.advance(100ms);
    const auto ask = [&](PlayedStation& who, std::string_view command) {
        const std::uint64_t id = who.send(command);
        rig.loop.advance(100ms);
        return who.answers_to(id);
    };
    EXPECT_THAT(ask(watcher, "move_forward"),
                ElementsAre(StartsWith("NOT_ALLOWED: move_forward needs the role drive")));
    EXPECT_THAT(ask(watcher, "status"), ElementsAre(HasSubstr("RM3 CM3")));
    EXPECT_THAT(ask(watcher, "status brief=true"), ElementsAre("DONE: RM3 CM3 not_stopped"));
    EXPECT_THAT(ask(watcher, "full_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(rig.propulsion->report().stop);
    EXPECT_THAT(ask(watcher, "status brief=true"), ElementsAre("DONE: RM3 CM3 stopped"));

    PlayedStation second(rig.loop, rig.network, "second");
    second.dial(rig.robot->main().receive_port(), link::Role::drive, false);
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.tell("take_lease", 999), ElementsAre("DONE"));
    EXPECT_THAT(ask(second, "release_stop"), ElementsAre("DONE")) << "for every driver, without the lease";
    EXPECT_FALSE(rig.propulsion->report().stop);
    EXPECT_THAT(ask(second, "ping"), SizeIs(1));
    EXPECT_THAT(ask(second, "move_forward"), ElementsAre(StartsWith("NO_LEASE: station drives")));
    EXPECT_THAT(rig.tell("release_lease", 1001), ElementsAre("DONE"));
    EXPECT_THAT(ask(second, "take_lease"), ElementsAre("DONE"));
    rig.station.hang_up();
    rig.loop.advance(100ms);
    EXPECT_THAT(ask(second, "take_lease"), ElementsAre("DONE"));  // a closed session no longer drives
}

TEST(RobotCommands, TakeTheLeaseOverAndHaltTheRobot) {
    RobotRig rig;
    rig.start_connected();
    PlayedStation second(rig.loop, rig.network, "second");
    second.dial(rig.robot->main().receive_port(), link::Role::drive, false);
    rig.loop.advance(100ms);
    const auto ask = [&](std::string_view command) {
        const std::uint64_t id = second.send(command);
        rig.loop.advance(20ms);
        return second.answers_to(id);
    };
    EXPECT_THAT(rig.tell("move_forward level=2 ttl=2s", 1), ElementsAre("DONE"));
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(ask("move_forward"), ElementsAre("NO_LEASE: station drives; take_lease takes over"));
    EXPECT_THAT(ask("take_lease"), ElementsAre("DONE: second has taken the lease from station"));
    rig.loop.advance(1s);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{}) << "it halts, and nothing goes on";
    EXPECT_THAT(rig.station.errors, testing::Contains("second has taken the lease from station"));
    EXPECT_THAT(rig.tell("move_forward", 2), ElementsAre("NO_LEASE: second drives; take_lease takes over"));
    EXPECT_THAT(rig.tell("take_lease", 3), ElementsAre("DONE: station has taken the lease from second"));
    EXPECT_THAT(
        ask("take_lease"),
        ElementsAre("NO_LEASE: station drives, and the lease was taken with your key less than 5 s ago"));
    rig.loop.advance(5s);
    EXPECT_THAT(ask("take_lease"), ElementsAre("DONE: second has taken the lease from station"));
}

TEST(RobotCommands, SayThatNoPersonDrivesWithoutAStation) {
    RobotRig rig;
    rig.start();
    rig.loop.advance(10s);
    ASSERT_NE(rig.mode(), link::RunMode::rm3);
    std::vector<std::string> answers;
    std::uint64_t id = 0;
    const std::uint64_t session = rig.buffers->open_session();
    for (const char* const text : {"spin_left level=1", "set_run_mode mode=3"}) {
        link::Command command = link::command_from(text).value();
        command.id = {++id};
        rig.robot->command(
            {.peer = {.name = "own page", .role = link::Role::drive, .session = session},
             .command = std::move(command),
             .reply = [&](const link::Answer& answer) { answers.push_back(to_string(answer)); }});
        rig.loop.advance(100ms);
    }
    constexpr const char* why = "no station answers, and without one no person drives the robot";
    EXPECT_THAT(answers, ElementsAre(AllOf(HasSubstr("does not move; RM3 needs CM3"), HasSubstr(why)),
                                     HasSubstr(why)));
}

TEST(RobotCommands, ChangeTheConfigurationAsAWhole) {
    RobotRig rig("SendPort = 7000 # mine\n");
    rig.start_connected();
    EXPECT_THAT(rig.tell("set_parameter name=telemetry.rate value=50"), ElementsAre("DONE: it is in effect"));
    const std::size_t before = rig.station.telemetry.size();
    rig.loop.advance(1s);
    EXPECT_NEAR(static_cast<double>(rig.station.telemetry.size() - before), 50, 2);
    EXPECT_THAT(rig.tell("set_parameter name=DefaultRunMode value=2"), ElementsAre(HasSubstr("reboot")));
    EXPECT_THAT(rig.store.text, HasSubstr("DefaultRunMode = 2\n"));
    const std::string kept = rig.store.text;
    EXPECT_THAT(rig.tell("set_parameter name=safety.link_lost value=30"),
                ElementsAre(StartsWith("NOT_ALLOWED")));
    EXPECT_THAT(rig.tell("set_parameter name=telemetry.rat value=3"),
                ElementsAre(HasSubstr("did you mean `telemetry.rate`")));
    EXPECT_THAT(rig.tell("set_parameter name=telemetry.rate value=1e9"),
                ElementsAre(StartsWith("BAD_ARGUMENT")));
    EXPECT_EQ(rig.store.text, kept);
    EXPECT_TRUE(rig.log.mentions("station sets DefaultRunMode to 2"));
}

TEST(RobotCommands, SwitchSensorsAndTelemetryOffAndOn) {
    RobotRig rig;
    rig.start_connected();
    const auto sensors = [&] {
        rig.loop.advance(200ms);
        return rig.station.telemetry.back().ages.size();
    };
    const std::size_t all = sensors();
    EXPECT_THAT(rig.tell("disable_sensor sensor=rear"), ElementsAre("DONE"));
    EXPECT_EQ(sensors(), all - 1);
    EXPECT_THAT(rig.tell("enable_sensor sensor=rear"), ElementsAre("DONE"));
    EXPECT_EQ(sensors(), all);
    EXPECT_THAT(rig.tell("disable_sensor sensor=front"), ElementsAre(StartsWith("UNSAFE")));
    EXPECT_THAT(rig.tell("disable_sensor sensor=reer"), ElementsAre(HasSubstr("did you mean `rear`")));

    std::ignore = rig.tell("move_forward ttl=2s");
    EXPECT_THAT(rig.tell("disable_telemetry"), ElementsAre(StartsWith("UNSAFE")));
    rig.loop.advance(3s);
    EXPECT_THAT(rig.tell("disable_telemetry"), ElementsAre("DONE"));
    rig.loop.advance(200ms);
    const std::size_t heard = rig.station.telemetry.size();
    const std::size_t beats = rig.station.heartbeats;
    rig.loop.advance(3s);
    EXPECT_EQ(rig.station.telemetry.size(), heard);
    EXPECT_GE(rig.station.heartbeats, beats + 2);  // a stopped thread counts as healthy
    EXPECT_THAT(rig.tell("enable_telemetry"), ElementsAre("DONE"));
    rig.loop.advance(1s);
    EXPECT_GT(rig.station.telemetry.size(), heard);
}

TEST(RobotCommands, MoveTelemetryToAnotherPort) {
    RobotRig rig;
    rig.start_connected();
    PlayedStation other(rig.loop, rig.network);
    EXPECT_THAT(rig.tell("set_udp_port port=" + std::to_string(other.address().port)), ElementsAre("DONE"));
    const std::size_t heard = rig.station.telemetry.size();
    rig.loop.advance(1s);
    EXPECT_THAT(other.telemetry, Not(IsEmpty()));
    EXPECT_LE(rig.station.telemetry.size(), heard + 1);
}

TEST(RobotCommands, DisableTheServerForAWhileOrForGood) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("disable_server"), ElementsAre(StartsWith("WRONG_MODE")));
    EXPECT_THAT(rig.tell("disable_server connect_to_me=10s"), ElementsAre(StartsWith("DONE")));
    EXPECT_EQ(rig.wait_reason(), WaitReason::waiting_to_receive);
    EXPECT_FALSE(rig.station.connected());
    rig.station.dial(rig.robot->main().receive_port());
    rig.loop.advance(1s);
    EXPECT_FALSE(rig.station.connected());  // no longer listening
    const std::size_t calls = rig.station.calls.size();
    rig.loop.advance(9s);
    EXPECT_GT(rig.station.calls.size(), calls);
    rig.connect();
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    rig.loop.advance(20s);
    EXPECT_EQ(rig.mode(), RunMode::rm3);

    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("disable_server"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(30s);
    EXPECT_FALSE(rig.station.connected());
    EXPECT_EQ(rig.mode(), RunMode::rm2);
}

TEST(RobotCommands, ReachCubesAndBehaviors) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: spin"));
    EXPECT_THAT(rig.tell("behaviors line=facts"), ElementsAre(HasSubstr("battery = 100")));
    EXPECT_THAT(rig.tell("behaviors line=shwo"), ElementsAre(HasSubstr("did you mean `show`")));
    EXPECT_THAT(rig.tell("behaviors line=\"why spin\""), ElementsAre(HasSubstr("spin: it is active")));
    EXPECT_THAT(rig.tell("behaviors line=\"why spni\""), ElementsAre(HasSubstr("did you mean `spin`?")));
    EXPECT_THAT(rig.tell("behaviors line=\"show spin\""),
                ElementsAre(HasSubstr("`show` takes no argument, found `spin`")));
    EXPECT_THAT(rig.tell("cubes line=status"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("cubes line=statsu"), ElementsAre(StartsWith("BAD_ARGUMENT")));
    EXPECT_THAT(rig.tell("cubes line=tap"), ElementsAre(HasSubstr("only simulated cubes")));
}

TEST(RobotCommands, DockIsCanceledByAModeChange) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    EXPECT_THAT(rig.tell("dock", 5), ElementsAre(StartsWith("ACCEPTED")));
    EXPECT_TRUE(rig.robot->ai().facts().holds("dock_wanted"));
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.station.answers_to(5),
                ElementsAre(StartsWith("ACCEPTED"), StartsWith("FAILED: canceled by RM2 -> RM3")));
}

TEST(RobotCommands, DockHasAnEndWithoutAChargerAndCanBeRepeated) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    for (const std::uint64_t id : {5U, 6U}) {
        EXPECT_THAT(rig.tell("dock", id), ElementsAre(StartsWith("ACCEPTED: on its way to the dock")));
        EXPECT_THAT(rig.tell("dock"), ElementsAre(StartsWith("BUSY")));
        rig.loop.advance(link::dock_limit);
        EXPECT_THAT(rig.station.answers_to(id),
                    ElementsAre(StartsWith("ACCEPTED"), StartsWith("FAILED: it did not reach its dock")));
        EXPECT_FALSE(rig.robot->ai().facts().holds("dock_wanted"));
        EXPECT_EQ(rig.mode(), RunMode::rm2);
    }
}

TEST(RobotCommands, DockLeavesServerModeAndReturnsToItWhenItFails) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("dock", 5), ElementsAre(HasSubstr("RM3 -> RM2: station sends it to its dock")));
    EXPECT_EQ(rig.mode(), RunMode::rm2);
    EXPECT_THAT(rig.tell("status"), ElementsAre(HasSubstr("station sends it to its dock")));
    EXPECT_THAT(rig.tell("move_forward"), ElementsAre(StartsWith("WRONG_MODE")));
    rig.loop.advance(link::dock_limit);
    EXPECT_THAT(rig.station.answers_to(5), ElementsAre(StartsWith("ACCEPTED"), StartsWith("FAILED")));
    EXPECT_EQ(rig.mode(), RunMode::rm3) << "nobody has asked for autonomy";
}

TEST(RobotCommands, DockIsEndedAndRefusedByAFullStop) {
    RobotRig rig;
    rig.start_connected();
    std::ignore = rig.tell("dock", 5);
    std::ignore = rig.tell("full_stop");
    rig.loop.advance(1s);
    EXPECT_THAT(rig.station.answers_to(5), ElementsAre(StartsWith("ACCEPTED"), StartsWith("STOPPED")));
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    EXPECT_THAT(rig.tell("dock"), ElementsAre(StartsWith("STOPPED")));
}

TEST(RobotCommands, DockIsEndedByAFullStopThatIsReleasedAtOnce) {
    RobotRig rig;
    rig.start_connected();
    std::ignore = rig.tell("dock", 5);
    rig.station.send("full_stop");
    rig.loop.run_ready();
    rig.station.send("release_stop");
    rig.loop.advance(1s);
    EXPECT_FALSE(rig.propulsion->report().stop);
    EXPECT_THAT(rig.station.answers_to(5), ElementsAre(StartsWith("ACCEPTED"), StartsWith("STOPPED")));
    EXPECT_EQ(rig.mode(), RunMode::rm3) << "the release sets it moving";
}

/// A station sends a halt when a person there has taken the lease from another.
TEST(RobotCommands, DockThatHasLeftServerModeIsEndedByAHaltAndByTheNextDriver) {
    RobotRig rig;
    rig.start_connected();
    PlayedStation second(rig.loop, rig.network, "second");
    second.dial(rig.robot->main().receive_port(), link::Role::drive, false);
    rig.loop.advance(100ms);
    std::ignore = rig.tell("dock", 5);
    EXPECT_THAT(rig.tell("move movement=HALT"), ElementsAre("DONE: it is not sent anywhere any more"));
    EXPECT_THAT(rig.station.answers_to(5), ElementsAre(StartsWith("ACCEPTED"), "FAILED: halted by station"));
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    std::ignore = rig.tell("dock", 6);
    EXPECT_THAT(rig.tell("take_lease"), ElementsAre("DONE"));
    EXPECT_EQ(rig.mode(), RunMode::rm2) << "it is of the same person";
    std::ignore = second.send("take_lease");
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.station.answers_to(6),
                ElementsAre(StartsWith("ACCEPTED"), "FAILED: second has taken the lease"));
    EXPECT_EQ(rig.mode(), RunMode::rm3);
}

TEST(RobotCommands, DockOfARobotThatDrivesItselfIsNotEndedByAHalt) {
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    std::ignore = rig.tell("dock", 5);
    EXPECT_THAT(rig.tell("move movement=HALT"), ElementsAre(StartsWith("WRONG_MODE")));
    EXPECT_THAT(rig.station.answers_to(5), ElementsAre(StartsWith("ACCEPTED")));
}

TEST(RobotCommands, EnteringAutonomyCollectsTelemetryAgain) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("disable_telemetry"), ElementsAre("DONE"));
    rig.loop.advance(2s);
    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(2s);
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{}) << "the behaviors have nothing to act on";
}

TEST(RobotLink, LetsInOneStationAndSaysWhyNotToOthers) {
    RobotRig rig;
    rig.start_connected();
    PlayedStation second(rig.loop, rig.network);
    second.dial(rig.robot->main().receive_port());
    rig.loop.advance(100ms);
    ASSERT_TRUE(second.goodbye);
    EXPECT_EQ(second.goodbye->why, "station is this robot's station already");
    EXPECT_EQ(rig.mode(), RunMode::rm3);
}

TEST(RobotLink, EndsSessionsThatMakeNoSense) {
    RobotRig rig;
    rig.start();
    rig.loop.advance(100ms);
    struct Raw final : StreamEvents {
        void on_readable() override {
            std::array<std::byte, 1024> scratch;
            ended = !stream->read(scratch);
            if (ended) stream.reset();
        }
        void on_writable() override {}
        std::unique_ptr<Stream> stream;
        bool ended = false;
    };
    const auto port = Address::ip("127.0.0.1", rig.robot->main().receive_port());
    Raw garbage;
    garbage.stream = rig.network.connect(port, garbage);
    rig.loop.run_ready();
    const std::array pieces{bytes_of("GET / HTTP/1.1\r\n\r\n")};
    std::ignore = garbage.stream->write(pieces);
    Raw early;
    early.stream = rig.network.connect(port, early);
    rig.loop.run_ready();
    const Bytes frame = link::frame_of(link::command_from("full_stop").value());
    const std::array command{ByteView(frame)};
    std::ignore = early.stream->write(command);
    Raw old;
    old.stream = rig.network.connect(port, old);
    rig.loop.run_ready();
    Bytes of_tomorrow = link::frame_of(link::Auth{"station", link::Role::drive, {}});
    of_tomorrow[4] = std::byte{2};
    const std::array auth{ByteView(of_tomorrow)};
    std::ignore = old.stream->write(auth);
    Raw mute;
    mute.stream = rig.network.connect(port, mute);
    rig.loop.advance(1s);
    EXPECT_TRUE(garbage.ended);
    EXPECT_TRUE(early.ended);
    EXPECT_TRUE(old.ended);
    EXPECT_FALSE(rig.propulsion->report().stop);  // the peer is unknown
    EXPECT_FALSE(mute.ended);
    rig.loop.advance(6s);
    EXPECT_TRUE(mute.ended);
    const auto told = std::ranges::count_if(
        rig.log.lines, [](const auto& line) { return line.text.contains("was refused"); });
    EXPECT_EQ(told, 1);  // all from the same host
}

TEST(RobotLink, AnswersAFloodAndStopsInTheMiddleOfIt) {
    RobotRig rig;
    rig.start_connected();
    for (std::uint64_t id = 1; id <= 500; ++id) rig.station.send("ping", 10'000 + id);
    rig.station.send("full_stop", 20'000);
    rig.loop.advance(1s);
    EXPECT_TRUE(rig.propulsion->report().stop);
    for (std::uint64_t id = 1; id <= 500; ++id)
        EXPECT_THAT(rig.station.answers_to(10'000 + id), SizeIs(1)) << id;
    EXPECT_THAT(rig.station.answers_to(20'000), SizeIs(1));
}

/// Random commands in any order: each receives exactly one final answer, and no invalid state is shown.
RC_GTEST_PROP(RobotCommandsRules, EachIsAnsweredExactlyOnce, ()) {
    RobotRig rig(*rc::gen::element<std::string>("", "DefaultRunMode = 2"));
    rig.start_connected();
    const auto table = link::command_table();
    std::vector<std::uint64_t> sent;
    for (int i = *rc::gen::inRange(1, 25); i > 0; --i) {
        const link::CommandRow& row =
            table[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(table.size())))];
        link::Command command{{static_cast<std::uint64_t>(5000 + i)}, row.code, {}};
        for (const link::ArgumentRow& argument : row.arguments)
            if (argument.required || *rc::gen::arbitrary<bool>())
                command.arguments.push_back(
                    {std::string(argument.name),
                     *rc::gen::element<std::string>("0", "1", "2", "3", "5", "true", "TimedSleep", "1s",
                                                    "forward", "rear", "MOVE_FW_1", "show")});
        rig.station.send(command);
        if (rig.station.connected()) sent.push_back(command.id.value);
        rig.loop.advance(*rc::gen::inRange(0, 8) * 100ms);
        RC_ASSERT(!link::is_invalid_pair(rig.mode(), rig.robot->main().modes().com_mode()));
        if (rig.mode() == RunMode::rm1 || rig.mode() == RunMode::rm0) {
            rig.loop.advance(600ms);
            RC_ASSERT(rig.body.driven == motion::WheelSpeeds{} || rig.mode() == RunMode::rm2 ||
                      rig.mode() == RunMode::rm3);
        }
        if (!rig.station.connected() || rig.end) break;
    }
    rig.loop.advance(2s);
    RC_ASSERT(rig.audit.findings().empty());
    for (const std::uint64_t id : sent) {
        std::size_t final_answers = 0;
        for (const link::Answer& answer : rig.station.answers)
            if (answer.id.value == id && answer.is_final()) ++final_answers;
        const bool waits = rig.robot->main().commands().open_count() > 0;  // a dock in progress
        RC_ASSERT(final_answers == 1U || (final_answers == 0U && (waits || !rig.station.connected())));
    }
}

TEST(RobotCommands, DoNotRebootARobotThatWouldNotStartAgain) {
    RobotRig rig("DefaultRunMode = 3");
    rig.start_connected();
    rig.store.text = "DefaultRunMode = 17\n";
    EXPECT_THAT(rig.tell("set_run_mode mode=5"),
                ElementsAre(HasSubstr("FAILED: the robot would not start again: the configuration:1:")));
    EXPECT_TRUE(rig.log.mentions("the robot would not start again"));
    rig.loop.advance(1s);
    EXPECT_FALSE(rig.end);
    rig.store.text = "DefaultRunMode = 3\n";
    rig.tell("set_run_mode mode=5");
    rig.loop.advance(1s);
    EXPECT_TRUE(rig.end);
}

}  // namespace
}  // namespace caribou::robot
