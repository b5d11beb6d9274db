// A real robot and a real station on one virtual clock.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/body_rig.hpp"
#include "sim/robot_process.hpp"
#include "station/station.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using station::Asker;
using station::Station;
using station::StationMode;
using testing::HasSubstr;

class StationAndRobotProcess : public testing::Test {
protected:
    StationAndRobotProcess() {
        program.config.name = "rover";
        program.config.server_ip = "station";
        program.config.send_port = 9600;
        program.tree = {{"rest.json", R"({"base": "rest", "behaviors": [{"class": "idle", "id": "rest"}]})"}};
        process = std::make_unique<RobotProcess>(machine, program, commands, log);
        open_station();
    }
    void open_station() {
        station::FleetSettings settings;
        settings.session.send_to = "station:9600";
        station = std::make_unique<Station>(loop, *station_host, std::move(settings), log);
        ASSERT_TRUE(station->fleet().listen(Address::ip("127.0.0.1", 9600)));
    }
    void connect() {
        process->start();
        ASSERT_TRUE(loop.run_until([&] { return connected(); }, 10s));
    }
    station::RobotSession& session() { return *station->fleet().find("rover"); }
    bool connected() const {
        auto* const found = station->fleet().find("rover");
        return found && station::is_running(found->mode()) && found->telemetry();
    }
    link::RunMode mode() { return process->robot().main().modes().mode(); }
    /// Sends a command and stores the answers in `told`.
    void send(std::string_view command) {
        session().send(link::command_from(command).value(), ann,
                       [this](const link::Answer& answer) { told.push_back(to_string(answer)); });
    }
    std::string tell(std::string_view command) {
        told.clear();
        send(command);
        loop.advance(200ms);
        return told.empty() ? "" : told.back();
    }

    const Asker ann{"ann", link::Role::admin};
    VirtualLoop loop;
    MemoryNetwork network{loop};
    std::unique_ptr<Network> station_host = network.on_host("station");
    std::unique_ptr<Network> robot_host = network.on_host("rover");
    MemoryLog log;
    motion::BodyRig body{loop.clock()};
    RobotMachine machine{loop, *robot_host, body, {}};
    RobotProgram program;
    CommandAudit commands{loop.clock()};
    std::unique_ptr<RobotProcess> process;
    std::unique_ptr<Station> station;
    std::vector<std::string> told;
};

TEST_F(StationAndRobotProcess, FindEachOther) {
    connect();
    EXPECT_EQ(session().mode(), StationMode::run1);
    EXPECT_EQ(mode(), link::RunMode::rm3);
    loop.advance(5s);
    EXPECT_FALSE(session().stale());
    EXPECT_EQ(session().telemetry()->run_mode, link::RunMode::rm3);
    EXPECT_EQ(session().telemetry()->com_mode, link::ComMode::cm3);
    EXPECT_NEAR(*session().clock_ahead(), 0, 0.01);
}

TEST_F(StationAndRobotProcess, DriveAndStop) {
    connect();
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("DONE"));
    EXPECT_GT(body.driven.right, 0);
    loop.advance(1s);
    EXPECT_EQ(body.driven.right, 0) << "the dead-man";
    EXPECT_THAT(tell("full_stop"), HasSubstr("DONE"));
    EXPECT_TRUE(session().telemetry()->stopped);
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("STOPPED"));
    EXPECT_THAT(tell("release_stop"), HasSubstr("DONE"));
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("DONE"));
}

TEST_F(StationAndRobotProcess, RefuseAMovementThatWasGivenTooLongAgo) {
    connect();
    loop.advance(3s);
    const auto answer = [&](const char* text, Duration age) {
        std::string outcome;
        session().send(
            link::command_from(text).value(), ann,
            [&](const link::Answer& given) { outcome = to_string(given); }, age);
        loop.advance(100ms);
        return outcome;
    };
    EXPECT_THAT(answer("move_forward level=2", 600ms), HasSubstr("EXPIRED: it is 0.6 s old"));
    EXPECT_THAT(answer("move_forward level=2 ttl=400ms", 450ms), HasSubstr("EXPIRED"));
    EXPECT_EQ(body.driven.right, 0);
    EXPECT_THAT(answer("move movement=HALT", 60s), HasSubstr("DONE"));
    EXPECT_THAT(answer("move_forward level=2", 300ms), HasSubstr("DONE"));
    EXPECT_GT(body.driven.right, 0);
    // Whatever the time of day is set to.
    loop.step_wall(-1h);
    loop.advance(100ms);
    EXPECT_THAT(answer("move_forward level=2", 300ms), HasSubstr("DONE"));
    EXPECT_THAT(answer("move_forward level=2", 600ms), HasSubstr("EXPIRED"));
}

TEST_F(StationAndRobotProcess, StopWhenTheStationIsKilledAndGoOnWithTheNext) {
    connect();
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("DONE"));
    station.reset();
    loop.advance(4s);
    EXPECT_EQ(body.driven.right, 0);
    EXPECT_EQ(mode(), link::RunMode::rm1);
    open_station();
    ASSERT_TRUE(loop.run_until([&] { return connected(); }, 10s));
    loop.advance(1s);
    EXPECT_EQ(body.driven.right, 0) << "never by itself";
    EXPECT_EQ(mode(), link::RunMode::rm3);
    EXPECT_THAT(tell("move_forward level=1"), HasSubstr("DONE"));
}

TEST_F(StationAndRobotProcess, DoNothingAfterACutThatWasSaidDuringIt) {
    connect();
    loop.advance(3s);
    for (const Duration length : {800ms, 1500ms, 2500ms}) {
        told.clear();
        network.partition("station", "rover");
        send("move_forward level=2");
        loop.advance(100ms);
        send("setRM(2)");
        send("full_stop");
        loop.advance(length - 100ms);
        network.heal("station", "rover");
        loop.advance(200ms);
        EXPECT_THAT(told, testing::UnorderedElementsAre(HasSubstr("EXPIRED"), HasSubstr("EXPIRED"),
                                                        HasSubstr("DONE")))
            << length / 1ms;
        EXPECT_EQ(body.driven.right, 0);
        EXPECT_TRUE(session().telemetry()->stopped) << "a stop is never too old";
        EXPECT_THAT(tell("release_stop"), HasSubstr("DONE")) << "what is said now counts";
        loop.advance(2s);
    }
}

TEST_F(StationAndRobotProcess, UnderstandEachOtherWhenTheClockWasSet) {
    connect();
    loop.advance(3s);
    for (const Duration step : {Duration(1h), Duration(-3h)}) {
        loop.step_wall(step);
        loop.advance(3s);
        EXPECT_THAT(tell("move_forward level=1"), HasSubstr("DONE")) << step / 1s;
    }
}

TEST_F(StationAndRobotProcess, EndInGoodOrder) {
    connect();
    EXPECT_THAT(tell("move_forward level=2"), HasSubstr("DONE"));
    bool ended = false;
    station->fleet().shut_down([&] { ended = true; });
    ASSERT_TRUE(loop.run_until([&] { return ended; }, 2s));
    loop.advance(500ms);
    EXPECT_EQ(body.driven.right, 0);
}

TEST_F(StationAndRobotProcess, VisitWayPoints) {
    connect();
    station::Autopilot& pilot = station->pilot(session());
    ASSERT_FALSE(pilot.load({.points = {{1, 0}, {1, 1}}, .near = 0.2}));
    const auto objection = pilot.start();
    ASSERT_FALSE(objection) << objection->text;
    EXPECT_TRUE(loop.run_until([&] { return pilot.state() != station::Autopilot::State::driving; }, 120s));
    EXPECT_EQ(pilot.state(), station::Autopilot::State::arrived) << pilot.why();
    const Pose at = session().telemetry()->pose;
    EXPECT_LT(std::hypot(at.x - 1, at.y - 1), 0.4);
}

}  // namespace
}  // namespace caribou::sim
