// A robot with authentication by keys.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "link/command_table.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::Role;
using link::RunMode;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

link::PairedKey key_for(const std::string& name, std::uint8_t secret, Role role = Role::admin) {
    std::array<std::byte, link::SecretKey::size> bytes{};
    bytes.fill(static_cast<std::byte>(secret));
    return {name, role, "2026-01-31T12:00:00Z", link::SecretKey(bytes)};
}
const std::vector keys{key_for("station", 1), key_for("other", 2), key_for("ann", 3, Role::drive),
                       key_for("tim", 4, Role::observe)};

class SecuredLink : public testing::Test {
protected:
    void start_connected() {
        rig.station.pair(keys[0].key);
        rig.start_connected();
    }
    std::uint16_t port() const { return rig.robot->main().receive_port(); }
    void dial(PlayedStation& who, const link::PairedKey& with, Role role, bool takes_telemetry) {
        who.pair(with.key);
        who.dial(port(), role, takes_telemetry);
        rig.loop.advance(100ms);
    }

    RobotRig rig{"", keys};
    PlayedStation second{rig.loop, rig.network, "second"};
};

TEST_F(SecuredLink, CarriesCallsCommandsAndTelemetry) {
    rig.station.pair(keys[0].key);
    rig.start();
    rig.loop.advance(3s);
    EXPECT_THAT(rig.station.calls, Not(IsEmpty()));
    rig.connect();
    ASSERT_TRUE(rig.station.welcome);
    EXPECT_EQ(rig.mode(), RunMode::rm3);
    EXPECT_THAT(rig.tell("move_forward level=1"), ElementsAre("DONE"));
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(rig.station.telemetry, Not(IsEmpty()));
    EXPECT_EQ(rig.station.unopened, 0U);
}

TEST_F(SecuredLink, SealsForTheStationAloneWhateverThereIsOfASession) {
    second.pair(keys[1].key);
    rig.config.send_port = second.address().port;
    rig.start_again();
    rig.loop.advance(3s);
    EXPECT_THAT(second.calls, IsEmpty());
    EXPECT_GT(second.unopened, 0U);
}

TEST_F(SecuredLink, RefusesWhoHasNoKey) {
    rig.start();
    rig.loop.advance(100ms);
    rig.station.pair(key_for("stranger", 9).key);
    rig.station.dial(port());
    second.dial(port());  // without authentication
    rig.loop.advance(1s);
    EXPECT_FALSE(rig.station.welcome);
    ASSERT_TRUE(rig.station.failure);
    EXPECT_EQ(rig.station.failure->code, Code::refused);
    EXPECT_FALSE(second.welcome);
    EXPECT_EQ(rig.secured.refused(), 2U);
}

TEST_F(SecuredLink, LetsGoOfWhoIsUnpaired) {
    start_connected();
    dial(second, keys[2], Role::drive, false);
    ASSERT_TRUE(second.welcome);
    rig.keys.keys.erase(rig.keys.keys.begin());
    rig.loop.advance(1s);
    ASSERT_TRUE(rig.station.goodbye);
    EXPECT_EQ(rig.station.goodbye->why, "its key is not paired any more");
    EXPECT_FALSE(second.goodbye);
}

TEST_F(SecuredLink, GrantsNoMoreThanTheKeyDoesAndKnowsPeopleByIt) {
    start_connected();
    dial(second, keys[2], Role::admin, false);
    ASSERT_TRUE(second.welcome);
    EXPECT_EQ(second.welcome->role, Role::drive);
    const auto set = second.send("set_parameter name=telemetry.rate value=5");
    const auto move = second.send("move_forward");
    rig.loop.advance(100ms);
    EXPECT_THAT(second.answers_to(set),
                ElementsAre("NOT_ALLOWED: set_parameter needs the role admin; ann has "
                            "drive"));
    EXPECT_THAT(second.answers_to(move), ElementsAre("DONE"));  // no other peer drives
    EXPECT_THAT(rig.tell("move_backward"), ElementsAre(StartsWith("NO_LEASE: ann drives")));

    dial(second, keys[3], Role::drive, false);
    EXPECT_EQ(second.welcome->role, Role::observe);
    const auto tries = second.send("move_forward");
    const auto stops = second.send("full_stop");
    rig.loop.advance(100ms);
    EXPECT_THAT(second.answers_to(tries), ElementsAre(StartsWith("NOT_ALLOWED")));
    EXPECT_THAT(second.answers_to(stops), ElementsAre(StartsWith("DONE")));
    EXPECT_TRUE(rig.propulsion->report().stop);
}

TEST_F(SecuredLink, BelongsToTheStationThatCameFirstUntilItIsDropped) {
    start_connected();
    EXPECT_EQ(rig.cookie.kept, "station");
    rig.station.hang_up();
    rig.start_again();
    rig.loop.advance(100ms);
    dial(second, keys[1], Role::admin, true);
    ASSERT_TRUE(second.goodbye);
    EXPECT_EQ(second.goodbye->why,
              "this robot belongs to station; `set_run_mode mode=2 drop_server=true` releases it");
    dial(second, keys[1], Role::admin, false);  // it may connect to observe and to send commands
    EXPECT_TRUE(second.welcome);

    rig.connect();
    ASSERT_TRUE(rig.station.welcome);
    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("setRM(3,true)"), ElementsAre(StartsWith("DONE")));
    EXPECT_EQ(rig.cookie.kept, "station");  // ignored for RM3
    EXPECT_THAT(rig.tell("setRM(2,true)"), ElementsAre(StartsWith("DONE")));
    EXPECT_EQ(rig.cookie.kept, "");
    rig.station.hang_up();
    rig.loop.advance(100ms);
    dial(second, keys[1], Role::admin, true);
    EXPECT_TRUE(second.welcome);
    EXPECT_EQ(rig.cookie.kept, "other");
}

TEST_F(SecuredLink, ForgetsAStationWhoseKeyIsGone) {
    rig.cookie.kept = "gone";
    start_connected();
    EXPECT_TRUE(rig.station.welcome);
    EXPECT_EQ(rig.cookie.kept, "station");
}

TEST_F(SecuredLink, TakesNoObserverForAStation) {
    rig.start();
    rig.loop.advance(100ms);
    dial(second, keys[3], Role::observe, true);
    ASSERT_TRUE(second.goodbye);
    EXPECT_EQ(second.goodbye->why, "tim may only observe, and a station drives");
}

TEST_F(SecuredLink, LetsInWhoProvesAKeyHoweverOftenItWasRefusedAndLogsThatOnce) {
    start_connected();
    for (int i = 0; i < 10; ++i) dial(second, keys[1], Role::admin, true);
    EXPECT_EQ(second.goodbye->why, "station is this robot's station already");
    const auto told = std::ranges::count_if(
        rig.log.lines, [](const auto& line) { return line.text.contains("was refused"); });
    EXPECT_EQ(told, 1);
    dial(second, keys[1], Role::admin, false);
    EXPECT_TRUE(second.welcome);
    EXPECT_EQ(rig.mode(), RunMode::rm3);  // not visible to others
}

TEST_F(SecuredLink, OpensWithANewBootNumberAfterAPowerCut) {
    start_connected();
    rig.station.hang_up();
    rig.start_again();
    const std::size_t calls = rig.station.calls.size();
    rig.loop.advance(3s);
    EXPECT_GT(rig.station.calls.size(), calls);
    EXPECT_EQ(rig.station.unopened, 0U);
    rig.boots = 0;  // the fault under test: a number that was used before
    rig.start_again();
    rig.loop.advance(3s);
    EXPECT_GT(rig.station.unopened, 0U);
}

TEST_F(SecuredLink, SharesOneFolderWithItsStationWithoutBelievingOtherRobots) {
    rig.keys.keys = {key_for("cbot", 5), key_for("bot7", 6)};
    rig.trust.emplace(rig.keys, rig.cookie,
                      LinkTrust::Options{.robot = "cbot", .station = "cbot", .boot = 1});
    rig.start();
    rig.loop.advance(100ms);
    dial(second, key_for("bot7", 6), Role::admin, false);
    EXPECT_FALSE(second.welcome);
    dial(second, key_for("cbot", 5), Role::admin, true);
    EXPECT_TRUE(second.welcome);
    EXPECT_EQ(rig.cookie.kept, "");  // for pairing with another one
}

/// A peer that has not proved a key, may not drive, or does not hold the lease cannot move or change
/// anything, whatever it sends.
RC_GTEST_PROP(SecuredLinkRules, NoCommandOfTheUnprovenOrUnleasedIsCarriedOut, ()) {
    RobotRig rig("", keys);
    rig.station.pair(keys[0].key);
    rig.start_connected();
    RC_ASSERT(rig.tell("take_lease") == std::vector<std::string>{"DONE"});
    struct Intruder {
        std::optional<link::SecretKey> key;
        Role asks;
        std::unique_ptr<PlayedStation> end;
    };
    std::vector<Intruder> intruders(4);
    intruders[1].key = key_for("stranger", 9).key;
    intruders[2].key = keys[2].key;  // may drive, without the lease
    intruders[3].key = keys[3].key;  // may observe
    for (Intruder& each : intruders) {
        each.end = std::make_unique<PlayedStation>(rig.loop, rig.network);
        if (each.key) each.end->pair(*each.key);
        each.end->dial(rig.robot->main().receive_port(), *rc::gen::element(Role::drive, Role::admin),
                       *rc::gen::arbitrary<bool>());
    }
    rig.loop.advance(100ms);
    const std::string before = rig.store.text;
    const auto table = link::command_table();
    for (int i = *rc::gen::inRange(1, 30); i > 0; --i) {
        const link::CommandRow& row =
            table[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(table.size())))];
        // A full stop is permitted to all, and 202 to 209 to a driver without a lease.
        if (row.code == link::CommandCode::full_stop) continue;
        if (row.code == link::CommandCode::take_lease) continue;  // permitted to a driver
        link::Command command{{static_cast<std::uint64_t>(i)}, row.code, {}};
        for (const link::ArgumentRow& argument : row.arguments)
            command.arguments.push_back({std::string(argument.name),
                                         *rc::gen::element<std::string>("0", "1", "2", "true", "MOVE_FW_1",
                                                                        "telemetry.rate", "1s", "forward")});
        intruders[static_cast<std::size_t>(*rc::gen::inRange(0, 4))].end->send(command);
        rig.loop.advance(*rc::gen::inRange(0, 3) * 50ms);
        RC_ASSERT(rig.body.driven == motion::WheelSpeeds{});
        RC_ASSERT(rig.mode() == RunMode::rm3);
        RC_ASSERT(rig.store.text == before);
        RC_ASSERT(rig.robot->main().commands().lease().holder()->name == "station");
        RC_ASSERT(rig.cookie.kept == "station");
    }
    RC_ASSERT(!intruders[0].end->welcome && !intruders[1].end->welcome);
    RC_ASSERT(intruders[0].end->answers.empty() && intruders[1].end->answers.empty());
    RC_ASSERT(rig.tell("move_forward") == std::vector<std::string>{"DONE"});
}

}  // namespace
}  // namespace caribou::robot
