// Who may drive a robot, and that no peer can block others: on separate processes of the program.

#include <csignal>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>

#include "child/terminal_process.hpp"
#include "clock/set_clock.hpp"
#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"
#include "field/stalled_thread.hpp"
#include "field/stop_under_attack.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class Authority : public testing::Test {
protected:
    /// A robot that was paired before its first start starts stopped: releases the stop.
    static void release(Operator& person) {
        ASSERT_EQ(station::to_string(person.answer_to(person.send("release_stop"), limit).value()), "DONE");
    }

    Field field;
};

TEST_F(Authority, EndsWithItsSessionWhenTheRobotsMainThreadStalls) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station();
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    Operator person(field.station_at, field.token());
    const auto runs = [](const station::RobotPicture& rover) {
        return rover.status.mode == data::StationMode::run1 && rover.is_in(link::RunMode::rm3);
    };
    ASSERT_TRUE(person.sees(runs, limit));
    release(person);
    ASSERT_EQ(station::to_string(person.answer_to(person.send("105 level=2"), limit).value()), "DONE");
    OrderTrace::Order halted;
    {
        const StalledThread main(field.robot->id(), "main");
        for (int i = 0; i < 5; ++i) {
            person.send("105 level=2");
            person.wait(100ms);
        }
        // The robot loses its station, while commands of the session wait for main.
        field.station->signal(SIGSTOP);
        person.wait(6s);
        field.station->signal(SIGCONT);
        trace.take();
        halted = trace.latest();
        ASSERT_NE(halted.at, Instant{}) << "it has moved";
        ASSERT_FALSE(halted.moves) << "the dead-man's switch has halted it";
    }
    ASSERT_TRUE(person.sees(runs, limit));
    person.wait(1s);
    trace.take();
    EXPECT_EQ(trace.latest().at, halted.at) << "a command of the ended session moved the robot";
    // A main that hangs stops the robot until a person releases it.
    release(person);
    EXPECT_EQ(station::to_string(person.answer_to(person.send("105 level=1"), limit).value()), "DONE");
    EXPECT_TRUE(person.sees([&](const auto&) { return trace.take(), trace.latest().moves; }, limit));
}

TEST_F(Authority, DrivesNothingThatWaitedForAFrozenStation) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station();
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(
        [](const auto& rover) {
            return rover.status.mode == data::StationMode::run1 && rover.is_in(link::RunMode::rm3);
        },
        limit));
    release(person);
    std::vector<std::unique_ptr<ChildProcess>> programs;
    std::vector<std::uint64_t> sent;
    field.station->signal(SIGSTOP);
    for (int i = 0; i < 5; ++i) {
        programs.push_back(std::make_unique<ChildProcess>(
            command({"send", "rover", "105", "level=3", "--station", field.station_at}),
            field.environment("of_station")));
        sent.push_back(person.send("105 level=3"));
    }
    person.wait(2s);
    field.station->signal(SIGCONT);
    for (const auto& program : programs) {
        const auto end = end_of(*program);
        EXPECT_EQ(end.code, 1);
        EXPECT_THAT(end.err, HasSubstr("EXPIRED")) << end.out;
    }
    for (const std::uint64_t id : sent)
        EXPECT_EQ(person.answer_to(id, limit).value().refusal, data::Refusal::expired);
    person.wait(500ms);
    trace.take();
    EXPECT_FALSE(trace.latest().moves);
    EXPECT_EQ(trace.latest().at, Instant{}) << "it has never moved";
    // A fresh command is executed.
    EXPECT_EQ(field.send({"105", "level=1"}).out, "DONE\n");
    // A full stop that waited takes effect.
    field.station->signal(SIGSTOP);
    const std::uint64_t stop = person.send("full_stop");
    person.wait(2s);
    field.station->signal(SIGCONT);
    EXPECT_FALSE(person.answer_to(stop, limit).value().refusal);
    EXPECT_TRUE(person.sees(
        [](const auto& rover) { return rover.status.robot && rover.status.robot->stopped; }, limit));
}

TEST_F(Authority, DrivesByCommandsThatAreGivenRightAfterAFrozenStation) {
    field.start_station();
    field.start_robot();
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    ASSERT_EQ(field.send({"release_stop"}).code, 0) << "of its first start";
    field.station->signal(SIGSTOP);
    person.wait(1500ms);
    field.station->signal(SIGCONT);
    const auto driven = field.send({"105", "level=1"});
    EXPECT_EQ(driven.out, "DONE\n") << driven.err;
}

TEST_F(Authority, RefusesAReleaseWhoseTimeIsMalformed) {
    field.start_station();
    field.start_robot();
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    ASSERT_EQ(field.send({"full_stop"}).code, 0);
    for (const char* const given : {R"("given": "now")", R"("given": null)", R"("given": [5])"}) {
        const auto answer = person.answer_to(person.send_with("release_stop", given), limit);
        ASSERT_TRUE(answer) << given;
        EXPECT_EQ(answer->refusal, data::Refusal::bad_argument) << given;
        EXPECT_THAT(answer->text, HasSubstr("given should be a number")) << given;
    }
    EXPECT_TRUE(person.sees([](const auto& rover) { return rover.status.robot->stopped; }, limit));
}

TEST_F(Authority, ReleasesNothingAndEntersNoModeAfterAFrozenStation) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station("[groups]\nidle = []\n");
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    for (const bool measured : {false, true}) {
        if (measured) {
            ASSERT_TRUE(person.measure_clock(limit));
        }
        ASSERT_EQ(field.send({"full_stop"}).code, 0);
        field.station->signal(SIGSTOP);
        const std::uint64_t release = person.send("release_stop");
        const std::uint64_t mode = person.send("set_run_mode mode=2");
        person.wait(3s);
        field.station->signal(SIGCONT);
        EXPECT_EQ(person.answer_to(release, limit).value().refusal, data::Refusal::expired) << measured;
        EXPECT_EQ(person.answer_to(mode, limit).value().refusal, data::Refusal::expired) << measured;
        person.wait(500ms);
        EXPECT_TRUE(person.rover().status.robot->stopped);
        EXPECT_TRUE(person.rover().is_in(link::RunMode::rm3));
    }
    // A time in the future does not make a command young.
    release(person);
    const auto early = person.answer_to(person.send_from_future("105 level=3", 2s), limit).value();
    EXPECT_EQ(early.refusal, data::Refusal::bad_argument);
    EXPECT_THAT(early.text, HasSubstr("in the future"));
    trace.take();
    EXPECT_EQ(trace.latest().at, Instant{}) << "it has never moved";
    // A stop that stops no robot is not a success.
    const auto nobody =
        run({"send", "@idle", "full_stop", "--station", field.station_at}, field.environment("of_station"));
    EXPECT_EQ(nobody.code, 1);
    EXPECT_THAT(nobody.err, HasSubstr("no robot was stopped"));
    EXPECT_TRUE(person.sees([](const auto& rover) { return !rover.status.robot->stopped; }, limit));
}

TEST_F(Authority, ReleasesNoStopByAReleaseThatWasGivenBeforeIt) {
    field.start_station();
    field.start_robot("");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    ASSERT_TRUE(person.measure_clock(limit));
    ASSERT_EQ(field.send({"full_stop"}).code, 0);
    // As if the connection had delayed it.
    const auto late = person.answer_to(person.send_from_future("release_stop", -1500ms), limit).value();
    EXPECT_EQ(late.refusal, data::Refusal::expired);
    EXPECT_THAT(late.text, HasSubstr("a full stop was sent or took effect after this release was given"));
    person.wait(500ms);
    EXPECT_TRUE(person.rover().status.robot->stopped);
    release(person);
}

TEST_F(Authority, DrivesNoKeyThatWaitedForAFrozenDriveProgram) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station();
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    TerminalProcess drive(command({"drive", "rover", "--station", field.station_at}),
                          field.environment("of_station"));
    ASSERT_TRUE(drive.shows("forward", limit)) << drive.shown();
    drive.signal(SIGSTOP);
    drive.press("www");
    person.wait(2s);
    drive.signal(SIGCONT);
    person.wait(1s);
    trace.take();
    EXPECT_EQ(trace.latest().at, Instant{}) << "it has never moved";
    // A fresh key drives.
    drive.press("w");
    EXPECT_TRUE(person.sees([&](const auto&) { return trace.take(), trace.latest().moves; }, limit));
    drive.press("x");
    EXPECT_EQ(drive.wait(limit), 0);
}

/// Holds a key, as a terminal repeats it. Returns whether the robot was ordered to move meanwhile.
bool moves_while_held(TerminalProcess& drive, Operator& person, OrderTrace& trace, Duration time) {
    bool moved = false;
    for (Duration held{}; held < time; held += 40ms) {
        drive.press("w");
        person.wait(40ms);
        trace.take();
        moved |= trace.latest().moves;
    }
    return moved;
}

TEST_F(Authority, EndsTheMovementOfAHeldKeyWhenTheStationFreezes) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station();
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    TerminalProcess drive(command({"drive", "rover", "--station", field.station_at}),
                          field.environment("of_station"));
    ASSERT_TRUE(drive.shows("forward", limit)) << drive.shown();
    const auto hold = [&](Duration time) { return moves_while_held(drive, person, trace, time); };
    ASSERT_TRUE(hold(1s));
    field.station->signal(SIGSTOP);
    hold(2500ms);
    EXPECT_TRUE(drive.shows("STATION SILENT", limit)) << drive.shown();
    ASSERT_FALSE(trace.latest().moves);
    field.station->signal(SIGCONT);
    EXPECT_FALSE(hold(2s)) << "the key was never released";
    EXPECT_TRUE(drive.shows("release it, then press it again", limit)) << drive.shown();
    person.wait(1s);
    EXPECT_TRUE(hold(1s)) << "a fresh key press";
    drive.press("x");
    EXPECT_EQ(drive.wait(limit), 0);
}

TEST_F(Authority, DrivesNoKeyThatWasHeldThroughAStopWhenAnotherPersonReleasesIt) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station();
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    TerminalProcess drive(command({"drive", "rover", "--station", field.station_at}),
                          field.environment("of_station"));
    ASSERT_TRUE(drive.shows("forward", limit)) << drive.shown();
    const auto hold = [&](Duration time) { return moves_while_held(drive, person, trace, time); };
    ASSERT_TRUE(hold(1s));
    person.send("full_stop");
    hold(1s);
    ASSERT_FALSE(trace.latest().moves);
    release(person);
    EXPECT_FALSE(hold(1s)) << "the key was never released";
    person.wait(1s);
    EXPECT_TRUE(hold(1s)) << "a fresh key press";
    drive.press("x");
    EXPECT_EQ(drive.wait(limit), 0);
}

TEST_F(Authority, TakesAStopThatWaitedForAStationThatWasFrozenForLong) {
    field.start_station();
    field.start_robot("");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    TerminalProcess drive(command({"drive", "rover", "--station", field.station_at}),
                          field.environment("of_station"));
    ASSERT_TRUE(drive.shows("forward", limit)) << drive.shown();
    field.station->signal(SIGSTOP);
    drive.press(" ");
    person.wait(12s);  // the station closes clients that are silent for 10 s
    field.station->signal(SIGCONT);
    EXPECT_TRUE(drive.shows("STOPPED: press r", limit)) << drive.shown();
    drive.press("x");
    EXPECT_EQ(drive.wait(limit), 0);
}

TEST_F(Authority, DrivesNothingThatWaitedOnTheWayToTheStation) {
    OrderTrace trace((field.scratch / "orders").string());
    field.start_station();
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n");
    // Forwards all bytes, and can be stopped while station and operator run.
    ChildProcess relay({"/usr/bin/python3", "-c",
                        "import socket, threading\n"
                        "server = socket.create_server(('127.0.0.1', 0))\n"
                        "print(server.getsockname()[1], flush=True)\n"
                        "near = server.accept()[0]\n"
                        "far = socket.create_connection(('127.0.0.1', " +
                            field.station_at.substr(field.station_at.rfind(':') + 1) +
                            "))\n"
                            "def pump(source, sink):\n"
                            "    while data := source.recv(65536): sink.sendall(data)\n"
                            "threading.Thread(target=pump, args=(far, near), daemon=True).start()\n"
                            "pump(near, far)\n"});
    Operator person("127.0.0.1:" + relay.read_line(limit).value_or("0"), field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    ASSERT_TRUE(person.measure_clock(limit));
    relay.signal(SIGSTOP);
    const std::uint64_t late = person.send("105 level=3");
    person.wait(700ms);
    relay.signal(SIGCONT);
    EXPECT_EQ(person.answer_to(late, limit).value().refusal, data::Refusal::expired);
    trace.take();
    EXPECT_EQ(trace.latest().at, Instant{}) << "it has never moved";
    EXPECT_EQ(station::to_string(person.answer_to(person.send("105 level=1"), limit).value()), "DONE");
    relay.signal(SIGSTOP);
    const std::uint64_t stop = person.send("full_stop");
    person.wait(700ms);
    relay.signal(SIGCONT);
    EXPECT_FALSE(person.answer_to(stop, limit).value().refusal) << "a stop is never too old";
}

TEST_F(Authority, DoesNotDependOnTheTimeOfDay) {
    OrderTrace trace((field.scratch / "orders").string());
    SetClock of_station((field.scratch / "station_clock").string());
    SetClock of_robot((field.scratch / "robot_clock").string());
    field.start_station("", of_station.environment());
    field.start_robot("[body]\ntrace = \"" + trace.path() + "\"\n", of_robot.environment());
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    ASSERT_TRUE(person.measure_clock(limit));
    const double before = person.now();
    for (const auto& [station_shift, robot_shift] :
         {std::pair{3600L, 0L}, {-3600L, 0L}, {0L, 3600L}, {0L, -3600L}}) {
        of_station.set(station_shift);
        of_robot.set(robot_shift);
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(station::to_string(person.answer_to(person.send("105 level=1"), limit).value()), "DONE")
                << station_shift << " " << robot_shift;
            person.wait(100ms);
            EXPECT_FALSE(person.rover().status.stale);
        }
        field.station->signal(SIGSTOP);
        const std::uint64_t late = person.send("105 level=3");
        person.wait(700ms);
        field.station->signal(SIGCONT);
        EXPECT_EQ(person.answer_to(late, limit).value().refusal, data::Refusal::expired)
            << station_shift << " " << robot_shift;
    }
    of_station.set(3600);
    EXPECT_TRUE(person.sees([&](const auto&) { return person.now() > before + 3000; }, limit))
        << "the clock of the station was set indeed";
}

/// A server that closes connections without a response, the first ones or all, and forwards the others to the
/// station.
class ClosingServer {
public:
    ClosingServer(const std::string& station, int closed)
        : process_({"/usr/bin/python3", "-c",
                    "import socket, threading\n"
                    "server = socket.create_server(('127.0.0.1', 0))\n"
                    "print(server.getsockname()[1], flush=True)\n"
                    "for _ in range(" +
                        std::to_string(closed) +
                        "): server.accept()[0].close()\n"
                        "def pump(source, sink):\n"
                        "    while data := source.recv(65536): sink.sendall(data)\n"
                        "    sink.close()\n"
                        "while True:\n"
                        "    near = server.accept()[0]\n"
                        "    far = socket.create_connection(('127.0.0.1', " +
                        station.substr(station.rfind(':') + 1) +
                        "))\n"
                        "    for pair in (near, far), (far, near):\n"
                        "        threading.Thread(target=pump, args=pair, daemon=True).start()\n"}),
          at("127.0.0.1:" + process_.read_line(limit).value_or("0")) {}

private:
    ChildProcess process_;

public:
    const std::string at;
};

TEST_F(Authority, SendsAStopUntilItIsAnsweredIfConnectionsAreClosed) {
    field.start_station();
    field.start_robot();
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(is_driven, limit));
    release(person);
    const ClosingServer server(field.station_at, 5);
    ChildProcess stop(command({"send", "rover", "full_stop", "--station", server.at}),
                      field.environment("of_station"));
    const auto end = end_of(stop);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_TRUE(person.sees([](const auto& rover) { return rover.status.robot->stopped; }, limit));
    const ClosingServer all(field.station_at, 1'000'000);
    ChildProcess drive(command({"send", "rover", "105", "--station", all.at}),
                       field.environment("of_station"));
    const auto given_up = end_of(drive);
    EXPECT_EQ(given_up.code, 1);
    EXPECT_THAT(given_up.err, HasSubstr("closed the connection without a response"));
}

TEST_F(Authority, StopsARobotThatHasNotCalledItsRestartedStationYet) {
    field.start_station();
    field.start_robot();
    {
        Operator person(field.station_at, field.token());
        ASSERT_TRUE(person.sees(is_driven, limit));
        release(person);
    }
    field.robot->signal(SIGTERM);
    ASSERT_TRUE(field.robot->wait(limit));
    field.station->signal(SIGKILL);
    ASSERT_TRUE(field.station->wait(limit));
    field.start_station();
    EXPECT_THAT(field.send({"full_stop"}).err, HasSubstr("UNAVAILABLE: rover is not connected"));
    const auto all =
        run({"send", "@all", "full_stop", "--station", field.station_at}, field.environment("of_station"));
    EXPECT_EQ(all.code, 1);
    EXPECT_THAT(all.err, HasSubstr("0 stopped; rover: UNAVAILABLE"));
    field.start_robot("DefaultRunMode = 2\n");
    Operator person(field.station_at, field.token());
    EXPECT_TRUE(person.sees(
        [](const auto& rover) { return rover.status.robot && rover.status.robot->stopped; }, limit));
}

/// Stops by programs that have just connected, during attacks.
class UnderAttack : public testing::Test {
protected:
    static void expect_stops(const std::vector<std::string>& attacks, int stops,
                             AttackerPriority priority = AttackerPriority::lowest) {
        StopUnderAttack field(attacks, priority);
        for (int i = 0; i < stops; ++i) {
            const auto time = field.stop_once(30s);
            ASSERT_TRUE(time) << i << ": " << field.trouble();
            EXPECT_LE(*time, 100ms) << i;
        }
        EXPECT_TRUE(field.attacked());
    }
};

TEST_F(UnderAttack, StopsInTimeDuringAFloodOfHeartbeats) { expect_stops({"flood"}, 10); }
TEST_F(UnderAttack, StopsInTimeDespiteIdleSessions) { expect_stops({"sessions"}, 10); }
TEST_F(UnderAttack, StopsInTimeDespiteFailedHandshakes) { expect_stops({"handshakes"}, 10); }
TEST_F(UnderAttack, StopsInTimeDespiteHalfOpenRequests) { expect_stops({"requests"}, 10); }
TEST_F(UnderAttack, StopsInTimeDespiteIdleWatchers) { expect_stops({"watchers"}, 10); }
TEST_F(UnderAttack, StopsInTimeDuringAStormOfHalfOpenRequests) { expect_stops({"storm"}, 10); }
TEST_F(UnderAttack, StopsInTimeDespitePipelinedRequests) { expect_stops({"pipeline"}, 10); }
TEST_F(UnderAttack, StopsInTimeDespiteReplays) { expect_stops({"replays"}, 10); }
/// Programs of the account that runs the station are not kept out by attackers of usual priority, which take
/// connections to the port faster than the station can accept them.
TEST(UnderUsualAttack, LetsProgramsOfTheStationsAccountStop) {
    Field field;
    field.start_station();
    field.start_robot();
    const Words attack{in_build("caribou_attacker"), "--usual-priority", "pipeline", field.station_at};
    const ChildProcess first(attack);
    const ChildProcess second(attack);
    for (int i = 0; i < 20; ++i) {
        const auto end = field.send({"full_stop"});
        ASSERT_EQ(end.code, 0) << i << ": " << end.err;
        EXPECT_EQ(end.err, "") << i;
    }
}

TEST_F(UnderAttack, StopsInTimeDespitePipelinedRequestsOfUsualPriority) {
    expect_stops({"pipeline", "pipeline"}, 10, AttackerPriority::usual);
}

TEST_F(UnderAttack, StopsInTimeDuringAllAttacksAtOnce) {
    expect_stops({"flood", "sessions", "handshakes", "requests", "watchers", "storm", "pipeline", "replays"},
                 20);
}

}  // namespace
}  // namespace caribou::tests
