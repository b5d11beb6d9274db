// Robots that only send (CM1) or only receive (CM2), and robots that are asleep, off or lost, as their
// station shows them: on separate processes of the program.

#include <algorithm>
#include <csignal>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/world_process.hpp"
#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using data::Presence;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string sends_only(std::string_view more = "") {
    return "DefaultRunMode = 2\nDefaultComMode = 1\n" + std::string(more);
}

class ComMode : public testing::Test {
protected:
    std::string robots(const Words& more = {}) const {
        Words words{"robots", "--station", field.station_at};
        words.insert(words.end(), more.begin(), more.end());
        return run(words, field.environment("of_station")).out;
    }

    static bool sees(Operator& person, Presence presence) {
        return person.sees([&](const auto& rover) { return rover.status.presence == presence; }, limit);
    }
    static bool sees(Operator& person, Presence presence, link::RunMode mode) {
        return person.sees(
            [&](const auto& rover) { return rover.status.presence == presence && rover.is_in(mode); }, limit);
    }
    static std::string shown(const Operator& person) {
        const auto rover = person.rover();
        return std::string(to_string(rover.status.presence)) + " " + run_mode_text(rover) + " " +
               rover.status.why;
    }
    static std::string answer(Operator& person, const std::string& command) {
        const auto answer = person.answer_to(person.send(command), limit);
        return answer ? station::to_string(*answer) : "no answer";
    }

    /// For a robot without telemetry: what happens at the robot itself is seen, and a station that starts
    /// later knows that it is stopped.
    void expect_changes_at_the_robot_to_be_seen(Operator& person) {
        const auto is_stopped = [](bool stopped) {
            return [=](const auto& rover) { return rover.status.acknowledged_stop == stopped; };
        };
        EXPECT_EQ(answer(person, "full_stop"), "DONE: stopped until released");
        EXPECT_TRUE(person.sees(is_stopped(true), limit));
        const auto said = run({"robot", "release", "--config", (field.scratch / "robot.toml").string()},
                              field.environment("of_robot"));
        EXPECT_TRUE(person.sees(is_stopped(false), limit)) << said.out << said.err;
        EXPECT_THAT(robots(), Not(HasSubstr("STOPPED")));
        EXPECT_THAT(answer(person, "set_run_mode mode=1 time=1s"), HasSubstr("DONE"));
        EXPECT_TRUE(person.sees(
            [](const auto& rover) { return rover.status.acknowledged_mode == link::RunMode::rm3; }, limit))
            << "it has woken up by itself";
        EXPECT_EQ(answer(person, "full_stop"), "DONE: stopped until released");
        field.station->signal(SIGKILL);
        ASSERT_TRUE(field.station->wait(limit));
        field.start_station("[dial]\nrover = \"" + field.robot_at + "\"\n");
        Operator later(field.station_at, field.token());
        EXPECT_TRUE(later.sees(is_stopped(true), limit));
        EXPECT_THAT(robots({"--json"}), HasSubstr(R"("stopped":true)"));
    }

    Field field;
};

TEST_F(ComMode, ShowsARobotWithSlowTelemetryAsLiveFromItsFirstTelemetryOn) {
    field.start_station();
    field.start_robot("[telemetry]\nrate = 0.3\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::live, link::RunMode::rm3)) << shown(person);
    EXPECT_FALSE(
        person.sees([](const auto& rover) { return rover.status.presence != Presence::live; }, 2500ms))
        << shown(person);
    EXPECT_EQ(answer(person, "set_run_mode mode=2"), "DONE: RM3 -> RM2: requested");
    EXPECT_TRUE(person.sees(
        [](const auto& rover) {
            return std::ranges::count(rover.status.robot->faults, "telemetry.rate is too low for RM2") == 1;
        },
        limit))
        << "why it does not move";
    EXPECT_EQ(answer(person, "set_run_mode mode=3"), "DONE: RM2 -> RM3: requested");
    EXPECT_TRUE(person.sees(
        [](const auto& rover) {
            return std::ranges::count(rover.status.robot->faults, "telemetry.rate is too low for RM2") == 0;
        },
        limit));
}

TEST_F(ComMode, ShowsTheTelemetryOfARobotThatOnlySends) {
    field.start_station();
    field.start_robot(sends_only());
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::telemetry_only, link::RunMode::rm2)) << shown(person);
    EXPECT_EQ(person.rover().status.mode, data::StationMode::wait) << "there is no connection";
    EXPECT_EQ(person.rover().status.robot->com_mode, data::ComMode::cm1);
    EXPECT_FALSE(person.rover().status.stale);
    EXPECT_THAT(robots(), AllOf(HasSubstr("RM2"), HasSubstr("telemetry only")));
    EXPECT_THAT(robots({"--json"}), HasSubstr(R"("presence":"telemetry_only")"));
    EXPECT_THAT(answer(person, "105 level=1"), HasSubstr("UNAVAILABLE: rover only sends telemetry (CM1)"));
    // Killed, it is lost. Started again, its telemetry is numbered from the start, and shown again.
    field.robot->signal(SIGKILL);
    ASSERT_TRUE(field.robot->wait(limit));
    ASSERT_TRUE(sees(person, Presence::lost)) << shown(person);
    EXPECT_THAT(robots(), AllOf(HasSubstr("lost"), HasSubstr("was RM2"), Not(HasSubstr("telemetry only"))));
    field.start_robot(sends_only());
    EXPECT_TRUE(sees(person, Presence::telemetry_only, link::RunMode::rm2)) << shown(person);
}

TEST_F(ComMode, ShowsTheTelemetryOfARobotThatOnlySendsWithoutKeys) {
    field.start_station("[link]\nplain = true\n");
    field.start_robot(sends_only("[link]\nplain = true\n"));
    Operator person(field.station_at, field.token());
    EXPECT_TRUE(sees(person, Presence::telemetry_only, link::RunMode::rm2)) << shown(person);
}

TEST_F(ComMode, DrivesARobotThatOnlyReceivesWithoutShowingDataOfIt) {
    OrderTrace trace((field.scratch / "orders").string());
    field.calls_at = "127.0.0.1:9";  // it never calls
    field.start_robot(
        "handshake_limit = 0.1\nDefaultRunMode = 3\nDefaultComMode = 2\nallow_blind_server_mode = true\n"
        "[body]\ntrace = \"" +
        trace.path() + "\"\n");
    field.calls_at.clear();
    field.start_station("[dial]\nrover = \"" + field.robot_at + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::no_telemetry)) << shown(person);
    EXPECT_EQ(person.rover().status.mode, data::StationMode::run1);
    EXPECT_FALSE(person.rover().status.robot) << "there is no telemetry";
    EXPECT_THAT(robots(), HasSubstr("no telemetry, commands only"));
    EXPECT_TRUE(comes_true([&] { return robots().contains("run1   RM3"); }))
        << robots() << "it confirms that";
    EXPECT_THAT(robots({"--json"}),
                AllOf(HasSubstr(R"("run_mode":"RM3")"), HasSubstr(R"("x":null,"y":null)")));
    EXPECT_EQ(answer(person, "release_stop"), "DONE");
    EXPECT_EQ(answer(person, "105 level=1"), "DONE");
    EXPECT_TRUE(person.sees([&](const auto&) { return trace.take(), trace.latest().moves; }, limit));
    EXPECT_EQ(person.rover().status.presence, Presence::no_telemetry);
    EXPECT_FALSE(person.rover().motion);
    EXPECT_EQ(answer(person, "full_stop"), "DONE: stopped until released");
    EXPECT_THAT(robots(), HasSubstr("STOPPED")) << "it has acknowledged the stop";
    EXPECT_THAT(answer(person, "105 level=1"), HasSubstr("STOPPED"));
    EXPECT_EQ(answer(person, "release_stop"), "DONE");
    EXPECT_THAT(robots(), Not(HasSubstr("STOPPED")));
    expect_changes_at_the_robot_to_be_seen(person);
    field.robot->signal(SIGKILL);
    Operator later(field.station_at, field.token());
    EXPECT_TRUE(sees(later, Presence::lost)) << shown(later);
    EXPECT_THAT(robots(), HasSubstr("lost"));
    EXPECT_TRUE(comes_true([&] { return robots().contains("was STOPPED"); })) << robots();
}

TEST_F(ComMode, ShowsARobotThatOnlyReceivesAsOffAfterPowerOff) {
    field.calls_at = "127.0.0.1:9";  // it never calls
    field.start_robot(
        "handshake_limit = 0.1\nDefaultRunMode = 3\nDefaultComMode = 2\nallow_blind_server_mode = true\n");
    field.calls_at.clear();
    field.start_station("[dial]\nrover = \"" + field.robot_at + "\"\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::no_telemetry)) << shown(person);
    EXPECT_THAT(answer(person, "power_off"), HasSubstr("DONE"));
    EXPECT_TRUE(sees(person, Presence::off)) << shown(person);
    EXPECT_TRUE(person.sees([](const auto& rover) { return rover.status.off_reason == "PowerOff"; }, limit))
        << person.rover().status.why;
    EXPECT_THAT(robots(), HasSubstr(" off "));
}

TEST_F(ComMode, ShowsWhyARobotWithoutAKeyIsNotConnectedTo) {
    field.start_station("[dial]\nmole = \"127.0.0.1:9\"\n");
    EXPECT_TRUE(comes_true([&] { return robots().contains("mole"); }));
    EXPECT_TRUE(comes_true([&] { return robots().contains("no key"); })) << robots();
}

TEST_F(ComMode, SleepsOnRequestInTheShortForm) {
    field.start_station();
    field.start_robot();
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::live, link::RunMode::rm3)) << shown(person);
    EXPECT_THAT(answer(person, "setRM(1)"), HasSubstr("DONE: RM3 -> RM1(RequestedSleep)"));
    ASSERT_TRUE(sees(person, Presence::live, link::RunMode::rm1)) << shown(person);
    EXPECT_EQ(person.rover().status.robot->waits_for, link::WaitReason::requested_sleep);
    EXPECT_THAT(answer(person, "setRM(3)"), HasSubstr("DONE"));
    EXPECT_TRUE(sees(person, Presence::live, link::RunMode::rm3)) << shown(person);
}

TEST_F(ComMode, ShowsASleeperAsAsleepAlsoToAStationThatArrivesLater) {
    field.start_station();
    field.start_robot("[telemetry]\nrate = 1\n");
    {
        Operator person(field.station_at, field.token());
        ASSERT_TRUE(sees(person, Presence::live, link::RunMode::rm3)) << shown(person);
        EXPECT_THAT(answer(person, "set_run_mode mode=1 time=1h"), HasSubstr("DONE: RM3 -> RM1(TimedSleep)"));
        ASSERT_TRUE(sees(person, Presence::asleep, link::RunMode::rm1)) << shown(person);
        ASSERT_TRUE(person.sees([](const auto& rover) { return rover.status.stale; }, limit));
        EXPECT_EQ(person.rover().status.presence, Presence::asleep);
        EXPECT_THAT(robots(), HasSubstr("asleep"));
    }
    field.station->signal(SIGKILL);
    ASSERT_TRUE(field.station->wait(limit));
    field.start_station();
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::asleep, link::RunMode::rm1)) << shown(person);
    EXPECT_THAT(answer(person, "setRM(3)"), HasSubstr("DONE"));
    EXPECT_TRUE(sees(person, Presence::live, link::RunMode::rm3)) << shown(person);
}

TEST_F(ComMode, ShowsAStopOfASleeper) {
    field.start_station();
    field.start_robot("[telemetry]\nrate = 1\n");
    Operator person(field.station_at, field.token());
    ASSERT_TRUE(sees(person, Presence::live, link::RunMode::rm3)) << shown(person);
    EXPECT_EQ(answer(person, "release_stop"), "DONE");
    EXPECT_THAT(answer(person, "set_run_mode mode=1 time=1h"), HasSubstr("DONE"));
    ASSERT_TRUE(person.sees([](const auto& rover) { return rover.status.stale; }, limit));
    EXPECT_THAT(robots(), Not(HasSubstr("STOPPED")));
    EXPECT_EQ(answer(person, "full_stop"), "DONE: stopped until released");
    EXPECT_THAT(robots(), AllOf(HasSubstr("asleep"), HasSubstr("STOPPED")));
    EXPECT_THAT(robots({"--json"}), HasSubstr(R"("stopped":true)"));
    EXPECT_EQ(answer(person, "release_stop"), "DONE");
    EXPECT_THAT(robots(), Not(HasSubstr("STOPPED")));
}

/// PowerOff by each of its sources.
class PowerOff : public ComMode {
protected:
    void start() {
        field.start_station();
        field.start_robot("[telemetry]\nrate = 1\n");
        person.emplace(field.station_at, field.token());
        ASSERT_TRUE(sees(*person, Presence::live, link::RunMode::rm3)) << shown(*person);
    }
    void expect_off() {
        const auto end = field.robot->wait(limit);
        ASSERT_TRUE(end);
        EXPECT_EQ(end->code, 10) << "RM0: a supervisor does not start it again; " << end->err;
        EXPECT_TRUE(sees(*person, Presence::off, link::RunMode::rm0)) << shown(*person);
        EXPECT_THAT(robots(), AllOf(HasSubstr(" off "), Not(HasSubstr("stop_latched"))));
        EXPECT_THAT(robots({"--json"}), HasSubstr(R"("presence":"off")"));
    }
    std::optional<Operator> person;
};

TEST_F(PowerOff, IsASignal) {
    start();
    field.robot->signal(SIGPWR);
    expect_off();
}

TEST_F(PowerOff, IsACommandOfTheStation) {
    start();
    EXPECT_THAT(answer(*person, "power_off"), HasSubstr("RM3 -> RM0: PowerOff"));
    expect_off();
}

TEST_F(PowerOff, IsACommandOnTheRobotAlsoWhileItSleeps) {
    start();
    EXPECT_THAT(answer(*person, "set_run_mode mode=1 time=1h"), HasSubstr("DONE"));
    ASSERT_TRUE(sees(*person, Presence::asleep)) << shown(*person);
    ASSERT_TRUE(person->sees([](const auto& rover) { return rover.status.stale; }, limit));
    const auto said = run({"robot", "power-off", "--config", (field.scratch / "robot.toml").string()},
                          field.environment("of_robot"));
    EXPECT_THAT(said.out, HasSubstr("rover is off; RM1 -> RM0: PowerOff")) << said.err;
    expect_off();
}

}  // namespace
}  // namespace caribou::tests
