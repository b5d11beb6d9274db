// A robot with a thread that hangs, other than main: on separate processes of the program.

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "field/hanging_robot.hpp"
#include "field/stalled_thread.hpp"
#include "link/link_console.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

class ThreadHang : public HangingRobot {
protected:
    /// Starts a robot that drives itself.
    std::unique_ptr<Operator> start_driving() {
        start(2);
        auto person = connect(link::RunMode::rm2);
        EXPECT_TRUE(moves(*person));
        return person;
    }
    void expect_rest(Operator& person, Instant hung) {
        const auto time = time_to_rest(person, hung);
        ASSERT_TRUE(time) << "it drives on";
        EXPECT_LE(*time, stop_limit);
        EXPECT_TRUE(person.sees([](const auto& rover) { return rover.status.robot->stopped; }, limit));
    }
    void expect_stored(const std::string& cause) const {
        EXPECT_THAT(text_of("state/caribou/rover.latch"), HasSubstr("cause = \"" + cause + "\""));
    }
};

class EndDuringInitialHang : public ThreadHang, public testing::WithParamInterface<int> {};

TEST_P(EndDuringInitialHang, StopsTheRobotAndEndsItWithoutItsInitialThread) {
    const auto person = start_driving();
    const Instant hung = clock.now();
    const StalledThread initial(field.robot->id());
    expect_rest(*person, hung);
    expect_stored("thread_silent");
    EXPECT_TRUE(person->sees([](const auto& rover) { return has_fault(rover, "signals is silent"); }, limit));
    const Instant asked = clock.now();
    if (GetParam() == 0) {
        const auto off = run({"robot", "power-off", "--config", field.scratch / "robot.toml"},
                             field.environment("of_robot"));
        EXPECT_EQ(off.code, 0) << off.err;
        EXPECT_THAT(off.out, HasSubstr("it was sent SIGPWR"));
    } else {
        field.robot->signal(GetParam());
    }
    initial.reap(limit);
    EXPECT_LE(clock.now() - asked, 10s);
    EXPECT_EQ(end_of(*field.robot).code, GetParam() == SIGTERM ? 1 : 10);
    EXPECT_THAT(text_of("robot.log"), HasSubstr("signals hangs: the robot ends without it"));
}
INSTANTIATE_TEST_SUITE_P(Ways, EndDuringInitialHang, testing::Values(SIGTERM, SIGPWR, 0),
                         [](const auto& info) {
                             return info.param == SIGTERM  ? "Sigterm"
                                    : info.param == SIGPWR ? "Sigpwr"
                                                           : "PowerOffCommand";
                         });

TEST_F(ThreadHang, OfTheInitialThreadIsOverWhenItRunsAgain) {
    const auto person = start_driving();
    {
        const Instant hung = clock.now();
        const StalledThread initial(field.robot->id());
        expect_rest(*person, hung);
    }
    EXPECT_TRUE(
        person->sees([](const auto& rover) { return !has_fault(rover, "signals is silent"); }, limit));
    EXPECT_EQ(answer(*person, "release_stop"), "DONE");
    EXPECT_TRUE(moves(*person));
}

TEST_F(ThreadHang, OfTheReceiverStopsARobotThatNoStationCanReach) {
    const auto person = start_driving();
    const Instant hung = clock.now();
    {
        const StalledThread transmission(field.robot->id(), "transmission");
        const StalledThread receiver(field.robot->id(), "receiver");
        const auto time = time_to_rest(*person, hung);
        ASSERT_TRUE(time) << "it drives on";
        EXPECT_LE(*time, stop_limit);
        EXPECT_TRUE(person->sees(
            [&](const auto&) { return text_of("state/caribou/rover.latch").contains("receiver_silent"); },
            limit));
        const auto released = run({"robot", "release", "--config", field.scratch / "robot.toml"},
                                  field.environment("of_robot"));
        EXPECT_EQ(released.code, 1);
        EXPECT_THAT(released.err, HasSubstr("it is still stopped: the thread receiver hangs"));
    }
    // Telemetry of after the hang shows the stop.
    EXPECT_TRUE(person->sees(
        [](const auto& rover) {
            return rover.status.mode == data::StationMode::run1 && rover.status.robot->stopped &&
                   !has_fault(rover, "receiver is silent");
        },
        limit));
    EXPECT_EQ(answer(*person, "release_stop"), "DONE");
    EXPECT_TRUE(moves(*person));
}

TEST_F(ThreadHang, OfTheReceiverDelaysNoStopOnTheRobotItself) {
    const auto person = start_driving();
    const StalledThread transmission(field.robot->id(), "transmission");
    const StalledThread receiver(field.robot->id(), "receiver");
    const auto stopped =
        run({"robot", "stop", "--config", field.scratch / "robot.toml"}, field.environment("of_robot"));
    EXPECT_EQ(stopped.code, 0) << stopped.err;
    EXPECT_EQ(stopped.out, "rover: stopped until released\n");
    trace.take();
    EXPECT_FALSE(trace.latest().moves);
    EXPECT_THAT(text_of("state/caribou/rover.latch"), HasSubstr("stopped = true"));
    EXPECT_THAT(text_of("robot.log"), HasSubstr("full stop by local caribou robot stop (drive)"));
}

TEST_F(ThreadHang, OfStopsLeavesNoFullStopUnstoredOrUnanswered) {
    const auto person = start_driving();
    {
        const StalledThread stops(field.robot->id(), "stops");
        const auto stopped = field.send({"full_stop"});
        EXPECT_EQ(stopped.out, "DONE: stopped until released\n") << stopped.err;
        expect_stored("thread_silent");
        EXPECT_TRUE(
            person->sees([](const auto& rover) { return has_fault(rover, "stops is silent"); }, limit));
        EXPECT_THAT(answer(*person, "release_stop"), HasSubstr("the thread stops hangs"));
        EXPECT_TRUE(person->rover().status.robot->stopped);
    }
    EXPECT_TRUE(person->sees([](const auto& rover) { return !has_fault(rover, "stops is silent"); }, limit));
    EXPECT_EQ(answer(*person, "release_stop"), "DONE");
    EXPECT_TRUE(moves(*person));
}

TEST_F(ThreadHang, OfStopsStopsARobotThatDrivesItself) {
    const auto person = start_driving();
    const Instant hung = clock.now();
    const StalledThread stops(field.robot->id(), "stops");
    expect_rest(*person, hung);
    field.robot->signal(SIGKILL);
    stops.reap(limit);
    end_of(*field.robot);
    expect_stored("thread_silent");
}

TEST_F(ThreadHang, OfLatchKeepsNoStopFromBeingStoredNorTheRobotFromStartingAgain) {
    const auto person = start_driving();
    const StalledThread latch(field.robot->id(), "latch");
    const auto stopped = field.send({"full_stop"});
    EXPECT_EQ(stopped.out, "DONE: stopped until released\n") << stopped.err;
    expect_stored("station");
    EXPECT_TRUE(person->sees([](const auto& rover) { return has_fault(rover, "latch is silent"); }, limit));
    const Instant asked = clock.now();
    EXPECT_THAT(answer(*person, "set_run_mode mode=5"), StartsWith("DONE"));
    latch.reap(limit);
    EXPECT_LE(clock.now() - asked, 10s);
    ASSERT_TRUE(field.robot->read_line(limit)) << "it is ready again\n" << end_of(*field.robot).err;
    EXPECT_TRUE(person->sees(
        [](const auto& rover) { return rover.is_in(link::RunMode::rm2) && rover.status.robot->stopped; },
        limit));
}

/// Both threads that store the latch hang, as if the disk did.
class UnstoredStop : public ThreadHang {
protected:
    std::unique_ptr<Operator> stop_without_storing() {
        auto person = start_driving();
        latch.emplace(field.robot->id(), "latch");
        latch_2.emplace(field.robot->id(), "latch_2");
        const auto stopped = field.send({"full_stop"});
        EXPECT_EQ(stopped.out,
                  "DONE: stopped until released; latch not stored: storing it takes longer than one second\n")
            << stopped.err;
        EXPECT_THAT(text_of("state/caribou/rover.latch"), HasSubstr("stopped = false"));
        return person;
    }
    /// Returns when the threads have ended.
    void reap() const {
        latch->reap(limit);
        latch_2->reap(limit);
    }
    void expect_stopped_and_stored() {
        EXPECT_THAT(text_of("robot.log"), HasSubstr("the robot starts stopped: it was stopped by station"));
        expect_stored("station");
        EXPECT_FALSE(orders_motion()) << "before it is released";
    }
    /// Forgets the orders of before.
    void forget_orders() {
        trace.take();
        seen = trace.orders().size();
    }
    /// Returns whether it has ordered motion since then.
    bool orders_motion() {
        trace.take();
        return std::ranges::any_of(std::span(trace.orders()).subspan(seen), &OrderTrace::Order::moves);
    }
    /// Releases it at the robot itself: the station may not be connected yet.
    void release_and_drive(Operator& person) {
        const auto released = run({"robot", "release", "--config", field.scratch / "robot.toml"},
                                  field.environment("of_robot"));
        EXPECT_THAT(released.out, HasSubstr("rover is released\n")) << released.err;
        EXPECT_TRUE(person.sees([&](const auto&) { return orders_motion(); }, limit));
    }
    void start_after_crash() {
        field.robot->signal(SIGKILL);
        end_of(*field.robot);
        forget_orders();
        start_robot(2);
    }

    std::optional<StalledThread> latch;
    std::optional<StalledThread> latch_2;
    std::size_t seen = 0;
};

TEST_F(UnstoredStop, IsNotLostByRm5) {
    const auto person = stop_without_storing();
    EXPECT_THAT(answer(*person, "set_run_mode mode=5"), StartsWith("DONE"));
    reap();
    forget_orders();
    ASSERT_TRUE(field.robot->read_line(limit)) << "it is ready again\n" << end_of(*field.robot).err;
    expect_stopped_and_stored();
    release_and_drive(*person);
}

TEST_F(UnstoredStop, IsNotLostByACrash) {
    const auto person = stop_without_storing();
    field.robot->signal(SIGKILL);
    reap();
    start_after_crash();
    expect_stopped_and_stored();
    release_and_drive(*person);
    start_after_crash();
    EXPECT_TRUE(person->sees([&](const auto&) { return orders_motion(); }, limit))
        << "the release leaves no stop behind";
}

TEST_F(UnstoredStop, OvertakesAReleaseThatIsBeingStored) {
    const auto person = start_driving();
    EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
    latch.emplace(field.robot->id(), "latch");
    latch_2.emplace(field.robot->id(), "latch_2");
    forget_orders();
    const auto release = person->send("release_stop");
    ASSERT_TRUE(person->sees([&](const auto&) { return orders_motion(); }, limit)) << "it is released";
    person->send("full_stop");
    const auto answered = person->answer_to(release, limit);
    ASSERT_TRUE(answered);
    EXPECT_EQ(station::to_string(*answered),
              "EXPIRED: a full stop was sent or took effect after this release was given; release again");
}

/// Stops that were given after `caribou robot release`.
class LateStop : public ThreadHang {
protected:
    std::string socket() const { return field.scratch / "state/caribou/rover.sock"; }
    /// Returns the number of connections to the socket, with those that the robot has not accepted yet.
    std::size_t connections() const {
        std::size_t count = 0;
        std::ifstream sockets("/proc/net/unix");
        for (std::string line; std::getline(sockets, line);) count += line.ends_with(socket()) ? 1U : 0U;
        return count - 1;  // the listening one
    }
    void expect_still_stopped(Operator& person) {
        EXPECT_TRUE(person.sees([](const auto& rover) { return rover.status.robot->stopped; }, limit));
        EXPECT_THAT(text_of("state/caribou/rover.latch"), HasSubstr("stopped = true"));
    }
};

TEST_F(LateStop, IsNotUndoneByALocalReleaseThatWasGivenBeforeIt) {
    const auto person = start_driving();
    const double given = clock.boot_seconds();
    EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
    std::uint64_t last_id = 0;
    const auto release = [&](double when) {
        EventLoop loop;
        NullLog log;
        SocketNetwork network(loop, log);
        std::string answered;
        const link::LinkConsole console(
            network, Address::unix_path(socket()), "test", link::Role::drive,
            {.id = {++last_id}, .code = link::CommandCode::release_stop},
            [&](const Result<link::Answer>& answer) {
                answered = answer ? to_string(*answer) : answer.error().message;
            },
            link::LinkConsole::Given{when, clock});
        EXPECT_TRUE(loop.run_until([&] { return !answered.empty(); }, limit));
        return answered;
    };
    EXPECT_THAT(release(given), StartsWith("EXPIRED"));
    expect_still_stopped(*person);
    EXPECT_EQ(release(clock.boot_seconds()), "DONE");
    EXPECT_TRUE(moves(*person));
}

/// A program in a container may have another boot time than the robot.
class OtherBootTime : public LateStop, public testing::WithParamInterface<const char*> {
protected:
    ChildProcess::End release() const {
        Words words{"/usr/bin/unshare", "--time", "--boottime", GetParam(), "--fork"};
        for (const std::string& word :
             command({"robot", "release", "--config", field.scratch / "robot.toml"}))
            words.push_back(word);
        ChildProcess program(words, field.environment("of_robot"));
        return end_of(program);
    }
};

TEST_P(OtherBootTime, ChangesNothingForALocalRelease) {
    if (::geteuid() != 0) GTEST_SKIP() << "a time namespace takes root";
    const auto person = start_driving();
    EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
    const auto released = release();
    EXPECT_EQ(released.code, 0) << released.err;
    EXPECT_TRUE(moves(*person));
}
INSTANTIATE_TEST_SUITE_P(Offsets, OtherBootTime, testing::Values("1000000", "-5"),
                         [](const auto& info) { return info.index == 0 ? "Later" : "Earlier"; });

TEST_F(LateStop, IsNotUndoneByAReleaseProgramThatWaitedForTheRobot) {
    const auto person = start_driving();
    std::optional<StalledThread> initial(std::in_place, field.robot->id());
    ChildProcess release(command({"robot", "release", "--config", field.scratch / "robot.toml"}),
                         field.environment("of_robot"));
    ASSERT_TRUE(person->sees([&](const auto&) { return connections() > 0; }, limit));
    EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
    initial.reset();
    const auto end = end_of(release);
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err, HasSubstr("EXPIRED: a full stop was sent or took effect after this release"));
    expect_still_stopped(*person);
}

TEST_F(ThreadHang, OfPropulsionIsAnsweredTrulyByAFullStop) {
    const auto person = start_driving();
    const StalledThread propulsion(field.robot->id(), "propulsion");
    person->wait(500ms);
    const auto stopped = field.send({"full_stop"});
    EXPECT_EQ(stopped.out, "DONE: stopped until released; propulsion hangs, and the motors are cut\n")
        << stopped.err;
    expect_stored("station");
    EXPECT_TRUE(person->sees([](const auto& rover) { return rover.status.robot->stopped; }, limit));
    propulsion.reap(limit);
    EXPECT_EQ(end_of(*field.robot).code, 10);
}

TEST_F(HangingRobot, IsReportedAtOnceByTheLocalRelease) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    const Words words{"robot", "release", "--config", field.scratch / "robot.toml"};
    // It is released, and says what follows.
    EXPECT_EQ(run(words, field.environment("of_robot")).out,
              "rover is in RM2 (autonomous): it drives as soon as it is released\nrover is released\n");
    for (const bool is_main : {true, false}) {
        const StalledThread thread =
            is_main ? StalledThread(field.robot->id(), "main") : StalledThread(field.robot->id());
        const Instant asked = clock.now();
        const auto end = run(words, field.environment("of_robot"));
        EXPECT_LE(clock.now() - asked, 3s);
        EXPECT_EQ(end.code, 1);
        EXPECT_THAT(end.err, HasSubstr(is_main ? "main is silent" : "it hangs"));
    }
}

/// From full speed, at the deceleration of a stop: 2.5 m/s2.
TEST_F(HangingRobot, BrakesToRestBeforeItEndsInGoodOrder) {
    start(3);
    const auto person = connect(link::RunMode::rm3);
    ASSERT_EQ(answer(*person, "105 level=3 ttl=2s"), "DONE");
    ASSERT_TRUE(person->sees([&](const auto&) { return trace.take(), trace.latest().speed > 0.44; }, limit));
    field.robot->signal(SIGTERM);
    EXPECT_EQ(end_of(*field.robot).code, 0);
    trace.take();
    EXPECT_FALSE(trace.latest().moves) << "its last order is rest";
    double before = 0;
    Instant at{};
    for (const OrderTrace::Order& order : trace.orders()) {
        const double allowed = 2.5 * to_seconds(order.at - at) + 0.03;
        EXPECT_LE(before - order.speed, at == Instant{} ? 0.0 : allowed);
        before = order.speed;
        at = order.at;
    }
}

}  // namespace
}  // namespace caribou::tests
