// Who may drive a robot, and that no peer can block others: on separate processes of the program.

#include <csignal>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
        // The operator keeps driving until the station has lost the robot.
        for (int i = 0; i < 600 && runs(person.rover()); ++i) {
            person.send("105 level=2");
            person.wait(100ms);
        }
        ASSERT_FALSE(runs(person.rover()));
        person.wait(500ms);
        trace.take();
        halted = trace.latest();
        ASSERT_NE(halted.at, Instant{}) << "it has moved";
        ASSERT_FALSE(halted.moves) << "the dead-man's switch has halted it";
    }
    ASSERT_TRUE(person.sees(runs, limit));
    person.wait(1s);
    trace.take();
    EXPECT_EQ(trace.latest().at, halted.at) << "a command of the ended session moved the robot";
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

/// Stops by programs that have just connected, during attacks.
class UnderAttack : public testing::Test {
protected:
    static void expect_stops(const std::vector<std::string>& attacks, int stops) {
        StopUnderAttack field(attacks);
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
TEST_F(UnderAttack, StopsInTimeDuringAllAttacksAtOnce) {
    expect_stops({"flood", "sessions", "handshakes", "requests", "watchers"}, 20);
}

}  // namespace
}  // namespace caribou::tests
