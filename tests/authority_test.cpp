// Who may drive a robot, and that no peer can block others: on separate processes of the program.

#include <csignal>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
