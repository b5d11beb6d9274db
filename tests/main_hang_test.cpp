// A robot whose main thread hangs: on separate processes of the program.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "field/hanging_robot.hpp"
#include "field/stalled_thread.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

using MainHang = HangingRobot;

TEST_F(MainHang, StopsARobotThatDrivesItself) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    ASSERT_TRUE(moves(*person));
    {
        const Instant hung = clock.now();
        const StalledThread main(field.robot->id(), "main");
        const auto time = time_to_rest(*person, hung);
        ASSERT_TRUE(time) << "it drives on";
        EXPECT_LE(*time, stop_limit);
        EXPECT_TRUE(person->sees(is_silent, limit)) << "telemetry reports it";
        EXPECT_TRUE(person->sees([](const auto& rover) { return rover.status.robot->stopped; }, limit));
        EXPECT_EQ(person->rover().status.mode, data::StationMode::run1) << "the link is kept";
    }
    // It runs again: at rest until a person releases it, without a restart.
    EXPECT_TRUE(person->sees([](const auto& rover) { return !is_silent(rover); }, limit));
    const Instant rest = trace.latest().at;
    person->wait(2s);
    trace.take();
    EXPECT_EQ(trace.latest().at, rest) << "it has moved by itself";
    EXPECT_EQ(answer(*person, "release_stop"), "DONE");
    EXPECT_TRUE(moves(*person));
    EXPECT_THAT(text_of("robot.log"), HasSubstr("stopped until released, by main_silent"));
}

TEST_F(MainHang, LeavesARobotStoppedThatIsKilledAndStartedAgain) {
    start(2);
    {
        const auto person = connect(link::RunMode::rm2);
        ASSERT_TRUE(moves(*person));
        const StalledThread main(field.robot->id(), "main");
        ASSERT_TRUE(time_to_rest(*person, clock.now()));
        ASSERT_TRUE(person->sees(is_silent, limit));
        field.robot->signal(SIGKILL);
        main.reap(limit);
        end_of(*field.robot);
    }
    const Instant rest = trace.latest().at;
    start_robot(2);
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(
        [](const auto& rover) {
            return rover.is_in(link::RunMode::rm2) && rover.status.robot && rover.status.robot->stopped;
        },
        limit));
    person.wait(1s);
    trace.take();
    EXPECT_EQ(trace.latest().at, rest) << "it has moved by itself";
}

class StopDuringMainHang : public MainHang, public testing::WithParamInterface<int> {};

TEST_P(StopDuringMainHang, IsStoredAndAnswered) {
    start(GetParam());
    {
        const auto person = connect(static_cast<link::RunMode>(GetParam()));
        if (GetParam() == 3) {
            ASSERT_EQ(answer(*person, "105 level=2"), "DONE");
        }
        ASSERT_TRUE(moves(*person));
        const StalledThread main(field.robot->id(), "main");
        const auto end = field.send({"full_stop"});
        EXPECT_EQ(end.out, "DONE: stopped until released\n") << end.err;
        EXPECT_TRUE(time_to_rest(*person, clock.now()));
        field.robot->signal(SIGKILL);
        main.reap(limit);
        end_of(*field.robot);
    }
    EXPECT_THAT(text_of("state/caribou/rover.latch"), HasSubstr("cause = \"station\""));
    EXPECT_THAT(text_of("robot.log"), HasSubstr("full stop by station (drive, 127.0.0.1:"));
    const Instant rest = trace.latest().at;
    start_robot(2);
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(person.sees(
        [](const auto& rover) { return rover.status.robot && rover.status.robot->stopped; }, limit));
    person.wait(1s);
    trace.take();
    EXPECT_EQ(trace.latest().at, rest) << "it has moved after the restart";
}
INSTANTIATE_TEST_SUITE_P(Modes, StopDuringMainHang, testing::Values(2, 3));

class EndDuringMainHang : public MainHang, public testing::WithParamInterface<int> {};

TEST_P(EndDuringMainHang, CutsTheMotorsAndEndsTheRobot) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    ASSERT_TRUE(moves(*person));
    const StalledThread main(field.robot->id(), "main");
    const Instant asked = clock.now();
    if (GetParam() == 0) {
        const auto off = run({"robot", "power-off", "--config", field.scratch / "robot.toml"},
                             field.environment("of_robot"));
        EXPECT_EQ(off.code, 0) << off.err;
        EXPECT_THAT(off.out, HasSubstr("main hangs"));
    } else {
        field.robot->signal(GetParam());
    }
    main.reap(limit);
    const auto end = end_of(*field.robot);
    EXPECT_LE(clock.now() - asked, 5s);
    EXPECT_EQ(end.code, GetParam() == SIGTERM ? 1 : 10) << end.err;
    trace.take();
    if (GetParam() != 0) {
        EXPECT_FALSE(trace.latest().moves) << "a signal stops it at once";
        EXPECT_LE(trace.latest().at - asked, 500ms);
    }
    EXPECT_THAT(text_of("robot.log"), HasSubstr("main hangs: the robot ends without it"));
}
INSTANTIATE_TEST_SUITE_P(Ways, EndDuringMainHang, testing::Values(SIGTERM, SIGPWR, 0), [](const auto& info) {
    return info.param == SIGTERM ? "Sigterm" : info.param == SIGPWR ? "Sigpwr" : "PowerOffCommand";
});

/// The simulated fault of the link drops datagrams, too: otherwise a stop takes effect that is reported as
/// not delivered.
TEST_F(MainHang, IsNotTheLossOfTheLinkInWhichAStopIsAnsweredAsWhatItIs) {
    std::string key = text_of("of_robot/station.key");
    ASSERT_TRUE(key.contains("drive"));
    field.scratch.write("of_robot/station.key", key.replace(key.find("drive"), 5, "admin"));
    start(2);
    const auto person = connect(link::RunMode::rm2);
    ASSERT_TRUE(moves(*person));
    const auto broken = person->answer_to(person->send("faults line=\\\"break link 6s\\\""), limit);
    ASSERT_TRUE(broken && !broken->refusal) << broken->text;
    ASSERT_TRUE(
        person->sees([](const auto& rover) { return rover.status.mode != data::StationMode::run1; }, limit));
    const auto answer = person->answer_to(person->send("full_stop"), limit).value();
    const std::string latch = text_of("state/caribou/rover.latch");
    EXPECT_EQ(answer.refusal.has_value(), latch.contains("stopped = false")) << answer.text << latch;
}

TEST_F(MainHang, IsReportedOfTheWatchdogToo) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    const StalledThread watchdog(field.robot->id(), "watchdog");
    EXPECT_TRUE(
        person->sees([](const auto& rover) { return has_fault(rover, "watchdog is silent"); }, limit));
}

}  // namespace
}  // namespace caribou::tests
