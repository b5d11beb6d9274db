// A station that identifies its robots by their keys.

#include <algorithm>

#include "station/station_rig.hpp"

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

link::PairedKey key_for(const std::string& name, std::uint8_t secret) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    bytes.fill(static_cast<std::byte>(secret));
    return {name, link::Role::drive, "2026-01-31T12:00:00Z", link::SecretKey(bytes)};
}

class SecuredFleet : public StationRig {
protected:
    void SetUp() override { listen(); }
    void listen() { StationRig::listen({.keys = FleetKeys{keys, streams}}); }
    PlayedRobot& add(const std::string& name, std::uint8_t secret, std::uint64_t boot = 1) {
        PlayedRobot& robot = add_robot({.name = name, .key = key_for("", secret).key, .boot = boot});
        loop.advance(150ms);
        return robot;
    }
    std::size_t told(std::string_view text) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(log.lines, [&](const auto& line) { return line.text.contains(text); }));
    }
    StationMode mode(std::string_view robot) { return session(robot).mode(); }

    link::MemoryKeyBook keys{{key_for("rover", 1), key_for("bee", 2)}};
    link::KeyedNetwork streams{*station_host, {}};
};

TEST_F(SecuredFleet, DrivesRobotsEachByItsKey) {
    PlayedRobot& rover = add("rover", 1);
    PlayedRobot& bee = add("bee", 2);
    EXPECT_EQ(mode("rover"), StationMode::run1);
    EXPECT_EQ(mode("bee"), StationMode::run1);
    send("move_forward");
    EXPECT_THAT(rover.told(), ElementsAre("move_forward"));
    EXPECT_THAT(bee.told(), testing::IsEmpty());
    loop.advance(500ms);
    ASSERT_TRUE(session().telemetry());
    EXPECT_FALSE(session().stale());
    EXPECT_EQ(fleet->counts().refused + fleet->counts().malformed + fleet->counts().foreign, 0U);
}

TEST_F(SecuredFleet, RefusesStrangersPlainRobotsAndThoseWhoLieAboutTheirName) {
    add("rover", 1);
    add("stranger", 9);
    add_robot({.name = "plain"});
    add("queen", 2);  // has the key of bee
    loop.advance(3s);
    EXPECT_FALSE(fleet->find("stranger"));
    EXPECT_FALSE(fleet->find("plain"));
    EXPECT_FALSE(fleet->find("queen"));
    EXPECT_GE(fleet->counts().refused, 9U);
    EXPECT_EQ(told("there is no key with the id"), 1U);
    EXPECT_EQ(told("it sends plainly, and robots of this station have a key"), 1U);
    EXPECT_EQ(told("it calls itself queen, and has the key of bee"), 1U);
    EXPECT_EQ(mode("rover"), StationMode::run1);
}

TEST_F(SecuredFleet, KeepsStopsForRobotsThatHaveNotCalledYet) {
    EXPECT_FALSE(fleet->require("stranger"));
    const auto early = fleet->require("rover");
    ASSERT_TRUE(early);
    EXPECT_EQ((*early)->mode(), StationMode::wait);
    send("full_stop");
    EXPECT_THAT(answers, ElementsAre(testing::HasSubstr("UNAVAILABLE: rover is not connected")));
    std::optional<Fleet::Stopped> stopped;
    EXPECT_TRUE(fleet->stop_all("", driver, [&](Fleet::Stopped all) { stopped = std::move(all); }));
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->done, 0U);
    EXPECT_EQ(stopped->not_done.size(), 2U) << "of rover and bee";
    PlayedRobot& rover = add("rover", 1);
    PlayedRobot& bee = add("bee", 2);
    loop.advance(2s);
    EXPECT_THAT(rover.told(), testing::Contains("full_stop"));
    EXPECT_THAT(bee.told(), testing::Contains("full_stop"));
    EXPECT_EQ(session().unconfirmed_stop(), nullptr);
    const std::string others = fleet->require("stranger").error().message;
    EXPECT_NE(others.find("`rover`"), std::string::npos);
    EXPECT_EQ(others.find("`rover`"), others.rfind("`rover`")) << others;
}

TEST_F(SecuredFleet, ExpectsNoRobotThatItWouldRefuse) {
    StationRig::listen({.robots = {"bee"}, .only_known = true, .keys = FleetKeys{keys, streams}});
    EXPECT_FALSE(fleet->require("rover"));
    EXPECT_TRUE(fleet->require("bee"));
}

TEST_F(SecuredFleet, RefusesDatagramsOnceMore) {
    PlayedRobot& rover = add("rover", 1);
    rover.beats = rover.sends_telemetry = false;
    rover.telemetry.number += 1;
    rover.telemetry.stopped = true;
    rover.send(rover.telemetry);
    loop.run_ready();
    ASSERT_TRUE(session().telemetry());
    const std::uint64_t refused = fleet->counts().refused;
    rover.send_again(rover.last_sent);
    Bytes altered = rover.last_sent;
    altered.back() ^= std::byte{1};
    rover.send_again(altered);
    loop.run_ready();
    EXPECT_EQ(fleet->counts().refused, refused + 2);
}

TEST_F(SecuredFleet, LetsARobotInThatHasLostItsStateOnceItHasProvenItsKey) {
    PlayedRobot& before = add("rover", 1, 5);
    before.hang_up();
    before.calls = false;
    loop.advance(100ms);
    ASSERT_EQ(mode("rover"), StationMode::wait);
    PlayedRobot& rover = add("rover", 1, 4);
    loop.advance(1s);
    EXPECT_EQ(mode("rover"), StationMode::run1);
    EXPECT_EQ(told("its start has a lower number than the one before"), 1U);
    loop.advance(500ms);
    EXPECT_TRUE(session().telemetry());
    rover.hang_up();
    loop.advance(1s);
    EXPECT_EQ(mode("rover"), StationMode::run1) << "its later calls are as good as any";
}

TEST_F(SecuredFleet, FollowsARepeatedOldCallSeldomAndLetsNobodyInByIt) {
    PlayedRobot& before = add("rover", 1, 4);
    before.hang_up();
    loop.advance(10ms);
    before.send(link::ConnectToMe{"rover", 1});  // without authentication
    const Bytes old_call = before.last_sent;
    before.calls = false;
    loop.advance(10s);
    PlayedRobot& rover = add("rover", 1, 5);
    rover.hang_up();
    rover.calls = false;
    loop.advance(10s);
    ASSERT_EQ(mode("rover"), StationMode::wait);
    const std::uint64_t refused = fleet->counts().refused;
    const std::uint64_t failed = session().failed_handshakes();
    for (int i = 0; i < 20; ++i) {
        before.send_again(old_call);
        loop.advance(1s);
    }
    EXPECT_EQ(fleet->counts().refused, refused + 20);
    EXPECT_LE(session().failed_handshakes(), failed + 1);
    EXPECT_EQ(mode("rover"), StationMode::wait);
    rover.calls = true;
    loop.advance(2s);
    EXPECT_EQ(mode("rover"), StationMode::run1);
}

TEST_F(SecuredFleet, KeepsTheRobotThatIsThereAndCountsTheOtherOfItsName) {
    add("rover", 1);
    const Address first = *session().address();
    add("rover", 1, 2);
    loop.advance(2s);
    EXPECT_EQ(session().address(), first);
    EXPECT_GT(fleet->counts().doubled, 0U);
    EXPECT_EQ(told("calls itself rover, which is connected from"), 1U);
}

TEST_F(SecuredFleet, HangsUpOnARobotThatIsUnpaired) {
    PlayedRobot& rover = add("rover", 1);
    add("bee", 2);
    keys.keys.erase(keys.keys.begin());
    loop.advance(2s);
    EXPECT_EQ(rover.goodbye, "its key is not paired any more");
    EXPECT_EQ(mode("rover"), StationMode::wait);
    EXPECT_EQ(mode("bee"), StationMode::run1);
}

TEST_F(SecuredFleet, FindsItsRobotsAgainAfterARestartOfItsOwn) {
    PlayedRobot& rover = add("rover", 1);
    fleet.reset();
    loop.advance(100ms);
    listen();
    rover.hang_up();
    loop.advance(1s);
    EXPECT_EQ(mode("rover"), StationMode::run1);
    loop.advance(500ms);
    EXPECT_TRUE(session().telemetry());
}

TEST_F(SecuredFleet, SaysOnceWhyARobotIsNotReached) {
    PlayedRobot& rover = add_robot({.name = "rover", .key = key_for("", 1).key});
    rover.welcomes = false;
    loop.advance(30s);
    EXPECT_EQ(told("rover: no connection: no welcome within 5s"), 1U);
    EXPECT_EQ(session().failed_handshakes(), 0U) << "a robot that does not answer refuses nothing";
}

TEST_F(SecuredFleet, HearsReportsFromBeforeASession) {
    PlayedRobot& rover = add("rover", 1);
    rover.hang_up();
    rover.calls = false;
    rover.send(link::ErrorReport{"no wheels"});
    loop.run_ready();
    EXPECT_THAT(reports, ElementsAre("no wheels"));
}

TEST_F(SecuredFleet, RepeatsAFullStopAsADatagramUntilItIsAnswered) {
    PlayedRobot& rover = add("rover", 1);
    loop.advance(1s);
    std::vector<link::CommandId> ids;
    rover.answering = [&](const link::Command& command) {
        ids.push_back(command.id);
        return std::vector<link::Answer>{};
    };
    send("full_stop");
    loop.advance(1020ms);
    ASSERT_EQ(ids.size(), 1U);
    EXPECT_THAT(rover.stops, testing::SizeIs(21));
    for (const link::StopNow& stop : rover.stops) EXPECT_EQ(stop.id, ids.front());
    EXPECT_THAT(answers, testing::IsEmpty());
    rover.send(link::Answer::done(ids.front()));
    loop.advance(1s);
    EXPECT_THAT(answers, ElementsAre("DONE"));
    EXPECT_THAT(rover.stops, testing::SizeIs(21));
}

TEST_F(SecuredFleet, StopsARobotWithoutAConnectionByDatagrams) {
    PlayedRobot& rover = add("rover", 1);
    loop.advance(1s);
    rover.calls = false;
    rover.hang_up();
    loop.advance(2s);
    ASSERT_EQ(mode("rover"), StationMode::wait);
    send("move_forward");
    EXPECT_THAT(answers, ElementsAre(testing::StartsWith("UNAVAILABLE")));
    answers.clear();
    send("full_stop");
    loop.advance(100ms);
    ASSERT_THAT(rover.stops, testing::Not(testing::IsEmpty()));
    rover.send(link::Answer::done(rover.stops.front().id));
    loop.advance(10ms);
    EXPECT_THAT(answers, ElementsAre("DONE"));
}

TEST_F(SecuredFleet, ReportsAStopWithoutAConnectionAsUnavailableAfterItsPatience) {
    PlayedRobot& rover = add("rover", 1);
    loop.advance(1s);
    rover.calls = false;
    rover.hang_up();
    loop.advance(2s);
    send("full_stop");
    loop.advance(2490ms);
    EXPECT_THAT(answers, testing::IsEmpty());
    loop.advance(60ms);
    EXPECT_THAT(answers, ElementsAre(testing::AllOf(testing::StartsWith("UNAVAILABLE"),
                                                    testing::HasSubstr("does not answer datagrams"))));
    const std::size_t sent = rover.stops.size();
    loop.advance(1s);
    EXPECT_EQ(rover.stops.size(), sent);
}

TEST_F(SecuredFleet, SendsAStopByDatagramsOnlyWhileItConnects) {
    PlayedRobot& rover = add("rover", 1);
    loop.advance(1s);
    rover.hang_up();
    rover.welcomes = false;
    loop.advance(2s);
    ASSERT_EQ(mode("rover"), StationMode::shake);
    send("full_stop");
    loop.advance(2600ms);
    EXPECT_THAT(rover.told(), testing::IsEmpty()) << "no command on a connection without a welcome";
    EXPECT_THAT(rover.stops, testing::SizeIs(testing::Ge(20U)));
    EXPECT_THAT(answers, ElementsAre(testing::StartsWith("UNAVAILABLE")));
}

TEST_F(SecuredFleet, ContinuesAStopWhoseConnectionIsLostMeanwhile) {
    PlayedRobot& rover = add("rover", 1);
    loop.advance(1s);
    rover.answering = [](const link::Command&) { return std::vector<link::Answer>{}; };
    rover.calls = false;
    send("full_stop");
    send("ping");
    rover.hang_up();
    loop.advance(100ms);
    EXPECT_THAT(answers, ElementsAre(testing::StartsWith("UNAVAILABLE"))) << "the other command";
    rover.send(link::Answer::done(rover.stops.back().id));
    loop.advance(100ms);
    EXPECT_THAT(answers, ElementsAre(testing::StartsWith("UNAVAILABLE"), "DONE"));
}

}  // namespace
}  // namespace caribou::station
