#include "station/fleet.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

class FleetTest : public StationRig {
protected:
    void add_robots(std::initializer_list<const char*> names) {
        for (const char* name : names) add_robot({.name = name});
        loop.advance(200ms);
    }
    Fleet::Stopped stop(std::string_view group) {
        std::optional<Fleet::Stopped> stopped;
        EXPECT_TRUE(fleet->stop_all(group, watcher, [&](Fleet::Stopped s) { stopped = std::move(s); }));
        loop.run_ready();
        return stopped.value();
    }
};

TEST_F(FleetTest, TellsTelemetryOfItsRobotsApart) {
    listen();
    add_robots({"ada", "bee"});
    robots[0]->telemetry.winner = "operator";
    loop.advance(200ms);
    EXPECT_EQ(session("ada").telemetry()->winner, "operator");
    EXPECT_EQ(session("bee").telemetry()->winner, "");
}

TEST_F(FleetTest, StopsAllOrAGroup) {
    listen({.groups = {{"dogs", {"bee"}}}});
    add_robots({"ada", "bee"});
    EXPECT_THAT(fleet->groups_of("bee"), ElementsAre("dogs"));
    EXPECT_EQ(stop("dogs").done, 1u);
    EXPECT_TRUE(robots[0]->told().empty());
    network.reset("station", "bee");
    loop.run_ready();
    const auto stopped = stop("");
    EXPECT_EQ(stopped.done, 1u);
    EXPECT_THAT(stopped.not_done, ElementsAre(HasSubstr("bee: UNAVAILABLE: bee is not connected")));
    EXPECT_EQ(fleet->stop_all("dog", watcher, {}).error().message,
              "there is no group `dog`; did you mean `dogs`?");
}

TEST_F(FleetTest, ConnectsToRobotsThatDoNotCall) {
    PlayedRobot& mole = add_robot({.name = "mole", .calls = false});
    listen({.dial = {{"mole", Address::ip("mole", mole.receives_at().port)}}});
    loop.advance(200ms);
    EXPECT_EQ(session("mole").mode(), StationMode::run1);
    mole.hang_up();
    loop.advance(300ms);
    EXPECT_EQ(session("mole").mode(), StationMode::run1) << "it was connected to again";
}

TEST_F(FleetTest, KnowsNoRobotThatNeverCalled) {
    listen();
    add_robots({"ada"});
    EXPECT_EQ(fleet->require("aba").error().message, "there is no robot `aba` here; did you mean `ada`?");
}

TEST_F(FleetTest, TurnsStrangersAwayAndSaysItOnce) {
    listen({.robots = {"ada"}, .only_known = true});
    add_robots({"ada", "spy"});
    loop.advance(5s);
    EXPECT_EQ(fleet->sessions().size(), 1u);
    EXPECT_GT(fleet->counts().turned_away, 5u);
    EXPECT_EQ(std::ranges::count_if(log.lines, [](const auto& l) { return l.text.contains("spy"); }), 1);
}

TEST_F(FleetTest, HasRoomForSoMany) {
    listen({.max_robots = 1});
    add_robots({"ada", "bee"});
    EXPECT_EQ(fleet->sessions().size(), 1u);
    EXPECT_TRUE(log.mentions("1 robots are here: bee is turned away"));
}

TEST_F(FleetTest, CountsWhatIsNoDatagramOfARobot) {
    listen();
    add_robots({"ada"});
    const auto stranger = network.on_host("stranger");
    const auto socket = *stranger->bind(Address::ip("127.0.0.1", 0), [] {});
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(socket->send(address, bytes_of("nonsense")));
        ASSERT_TRUE(socket->send(address, link::datagram_of(1, link::Telemetry{})));
    }
    loop.run_ready();
    EXPECT_EQ(fleet->counts().malformed, 100u);
    EXPECT_EQ(fleet->counts().foreign, 100u);
    EXPECT_EQ(session("ada").mode(), StationMode::run1);
}

TEST_F(FleetTest, IsNotDisturbedByAFlood) {
    listen();
    add_robots({"ada"});
    const auto stranger = network.on_host("stranger");
    const auto socket = *stranger->bind(Address::ip("127.0.0.1", 0), [] {});
    for (int second = 0; second < 5; ++second) {
        for (int i = 0; i < 4000; ++i) ASSERT_TRUE(socket->send(address, bytes_of("nonsense")));
        session("ada").send(link::command_from("ping").value(), driver, [](const link::Answer&) {});
        loop.advance(1s);
        EXPECT_EQ(session("ada").pending(), 0u) << "it was answered";
        EXPECT_FALSE(session("ada").stale());
    }
    EXPECT_GE(fleet->counts().malformed, 5000u) << "what a socket has room for";
    EXPECT_EQ(fleet->sessions().size(), 1u);
    EXPECT_EQ(std::ranges::count_if(log.lines, [](const auto& l) { return l.text.contains("stranger"); }), 1);
}

TEST_F(FleetTest, RefusesAnotherVersionWithASentence) {
    listen();
    const auto old = network.on_host("old");
    const auto socket = *old->bind(Address::ip("127.0.0.1", 0), [] {});
    Bytes call = datagram_of(1, link::ConnectToMe{"old", 9601});
    call[4] = std::byte{0};
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(socket->send(address, call));
    loop.run_ready();
    EXPECT_EQ(fleet->sessions().size(), 0u);
    EXPECT_EQ(fleet->counts().malformed, 3u);
    EXPECT_EQ(std::ranges::count_if(log.lines, [](const auto& l) { return l.text.contains("version 0"); }),
              1);
}

TEST_F(FleetTest, StopsItsRobotsBeforeItEnds) {
    listen();
    add_robots({"ada", "bee"});
    bool ended = false;
    fleet->shut_down([&] { ended = true; });
    EXPECT_TRUE(loop.run_until([&] { return ended; }, 100ms));
    for (const auto& robot : robots) {
        EXPECT_THAT(robot->told(), ElementsAre("full_stop"));
        EXPECT_EQ(robot->goodbye, "the station ends");
    }
}

TEST_F(FleetTest, EndsWhenARobotDoesNotAnswer) {
    listen();
    add_robots({"ada"});
    network.partition("station", "ada");
    bool ended = false;
    fleet->shut_down([&] { ended = true; });
    loop.advance(1900ms);
    EXPECT_FALSE(ended);
    EXPECT_TRUE(loop.run_until([&] { return ended; }, 200ms));
    ended = false;
    loop.advance(10s);
    EXPECT_FALSE(ended) << "once";
}

TEST_F(FleetTest, ConnectsAThousandRobotsAtOnce) {
    listen();
    for (int i = 0; i < 1000; ++i) add_robot({.name = fmt::format("r{}", i)});
    loop.advance(1s);
    const auto running = std::ranges::count_if(
        fleet->sessions(), [](const auto& entry) { return entry.second->mode() == StationMode::run1; });
    EXPECT_EQ(running, 1000);
}

TEST_F(FleetTest, CountsNoRefusalWhenARobotThatItDialsIsNotThere) {
    listen({.dial = {{"mole", Address::ip("mole", 9601)}}});
    loop.advance(30s);
    EXPECT_EQ(session("mole").mode(), StationMode::wait);
    EXPECT_EQ(fleet->refusals(), Refusals{});
}

}  // namespace
}  // namespace caribou::station
