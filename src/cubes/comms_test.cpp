#include "cubes/comms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cubes/cube_rig.hpp"
#include "cubes/no_radio.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Comms : public testing::Test, public CubeRig {
protected:
    void connect_now() {
        ASSERT_TRUE(comms.connect());
        ASSERT_TRUE(loop.run_until([&] { return comms.link_state() == LinkState::connected; }, 20s));
        witness.heard.clear();
    }
};

TEST_F(Comms, FindsACubeConnectsAndReadsItsVersion) {
    radio.add_cube({.version = "2.4"});
    ASSERT_TRUE(comms.connect());
    EXPECT_EQ(comms.link_state(), LinkState::scanning);
    loop.advance(15s);
    EXPECT_EQ(comms.link_state(), LinkState::connecting);
    loop.advance(1s);
    EXPECT_EQ(comms.link_state(), LinkState::connected);
    EXPECT_EQ(comms.version(), "2.4");
    EXPECT_EQ(comms.cube(), first);
    EXPECT_THAT(witness.heard, ElementsAre("connected"));
}

TEST_F(Comms, ChoosesTheStrongestAtTheEndOfTheScan) {
    radio.add_cube({.address = first, .distance = 5});
    radio.add_cube({.address = second, .distance = 0.5});
    connect_now();
    EXPECT_EQ(comms.cube(), second);
    EXPECT_EQ(comms.seen().size(), 2U);
}

TEST(CommsChoice, TakesTheLowestAddressOfEquallyStrongCubes) {
    VirtualLoop loop;
    MemoryPreferenceStore store;
    NullLog log;
    struct QuietRadio final : Radio {
        RadioEvents* events = nullptr;
        std::optional<CubeAddress> chosen;
        std::string_view name() const override { return "quiet"; }
        void attach(RadioEvents* hears) override { events = hears; }
        RadioStatus status() const override { return {}; }
        Result<void> start_scan() override { return {}; }
        void stop_scan() override {}
        Result<void> connect(CubeAddress address) override { return chosen = address, Result<void>{}; }
        Result<void> disconnect() override { return {}; }
        Result<void> read(Characteristic) override { return {}; }
        Result<void> write(Characteristic, ByteView) override { return {}; }
    } radio;
    CubeCommsComponent comms(loop, radio, store, log);
    ASSERT_TRUE(comms.connect());
    for (const std::uint64_t bits : {9U, 3U, 5U})
        radio.events->on_advertisement({{bits}, "Vector Cube", -60});
    radio.events->on_advertisement({{1}, "Vector Cube", -50});
    radio.events->on_advertisement({{1}, "Vector Cube", -70});
    loop.advance(15s);
    EXPECT_EQ(radio.chosen, CubeAddress{3}) << "1 was stronger, but not at last";
}

TEST_F(Comms, EndsTheScanEarlyForThePreferredCube) {
    radio.add_cube({.address = first, .distance = 0.5});
    radio.add_cube({.address = second, .distance = 5});
    ASSERT_TRUE(comms.prefer(second));
    connect_now();
    EXPECT_EQ(comms.cube(), second);
    EXPECT_LT(loop.clock().now().time_since_epoch(), 2s);
}

TEST_F(Comms, ConnectsToTheCubeBesideTheRobotBeforeThePreferredOne) {
    radio.add_cube({.address = first, .name = "green cube", .distance = 0.5});
    radio.add_cube({.address = second, .name = "blue cube", .distance = 5});
    ASSERT_TRUE(comms.prefer(first));
    comms.expect("blue cube");
    connect_now();
    EXPECT_EQ(comms.cube(), second);
    EXPECT_LT(loop.clock().now().time_since_epoch(), 2s);
    EXPECT_EQ(comms.preferred(), first) << "it stays preferred";
}

TEST_F(Comms, ConnectsToThePreferredCubeIfTheExpectedOneIsNotReceived) {
    radio.add_cube({.address = first, .name = "green cube", .distance = 5});
    radio.add_cube({.address = second, .name = "red cube", .distance = 0.5});
    ASSERT_TRUE(comms.prefer(first));
    comms.expect("blue cube");
    connect_now();
    EXPECT_EQ(comms.cube(), first);
}

TEST_F(Comms, ExpectsACubeForAWhileOnly) {
    radio.add_cube({.address = first, .name = "green cube"});
    radio.add_cube({.address = second, .name = "blue cube"});
    ASSERT_TRUE(comms.prefer(first));
    comms.expect("blue cube");
    loop.advance(1min);
    connect_now();
    EXPECT_EQ(comms.cube(), first);
}

TEST_F(Comms, TakesAnotherCubeIfThePreferredOneIsAway) {
    radio.add_cube({.address = first});
    ASSERT_TRUE(comms.prefer(second));
    connect_now();
    EXPECT_EQ(comms.cube(), first);
    EXPECT_EQ(comms.preferred(), second) << "it stays preferred";
}

TEST_F(Comms, PrefersTheFirstCubeEverConnectedFromThenOn) {
    radio.add_cube();
    connect_now();
    EXPECT_EQ(store.saved, first);
    EXPECT_EQ(comms.preferred(), first);
    ASSERT_TRUE(comms.forget());
    EXPECT_FALSE(store.saved);
}

TEST_F(Comms, ConnectsToTheOneThatWasNamedOrNone) {
    radio.add_cube({.address = first});
    ASSERT_TRUE(comms.connect_to(second));
    loop.advance(15s);
    EXPECT_THAT(witness.heard, ElementsAre("failed: the cube c0:be:00:00:00:02 is not in range"));
    ASSERT_TRUE(comms.connect_to(first));
    loop.advance(2s);
    EXPECT_EQ(comms.link_state(), LinkState::connected);
    EXPECT_THAT(comms.connect_to(second).error().message, HasSubstr("disconnect it first"));
}

TEST_F(Comms, LooksAroundWithoutConnecting) {
    radio.add_cube();
    ASSERT_TRUE(comms.look_around());
    loop.advance(15s);
    EXPECT_EQ(comms.link_state(), LinkState::idle);
    EXPECT_TRUE(comms.seen().contains(first));
    EXPECT_TRUE(radio.idle());
    connect_now();
    EXPECT_EQ(comms.look_around().error().code, Code::wrong_state);
}

TEST_F(Comms, FailsWithASentenceWhenNoCubeIsThere) {
    ASSERT_TRUE(comms.connect());
    loop.advance(15s);
    ASSERT_EQ(witness.heard.size(), 1U);
    EXPECT_THAT(witness.heard[0], HasSubstr("no cube is in range"));
    EXPECT_TRUE(radio.idle());
}

TEST_F(Comms, GivesUpOnACubeThatRefusesHangsOrDoesNotAnswer) {
    radio.add_cube();
    ASSERT_TRUE(comms.prefer(first));
    radio.set_faults({.refuse_connect = true});
    ASSERT_TRUE(comms.connect());
    loop.advance(2s);
    radio.set_faults({.hang_connect = true});
    ASSERT_TRUE(comms.connect());
    loop.advance(12s);
    radio.set_faults({.hang_values = true});
    ASSERT_TRUE(comms.connect());
    loop.advance(12s);
    EXPECT_THAT(witness.heard,
                ElementsAre("failed: the cube refuses the link",
                            "failed: the radio has found no link in time", "closed: the link was closed",
                            "failed: the cube did not answer in time", "closed: the link was closed"));
    EXPECT_TRUE(radio.idle());
}

TEST_F(Comms, DisconnectsFromEveryState) {
    radio.add_cube();
    comms.disconnect();
    EXPECT_EQ(comms.link_state(), LinkState::idle);
    ASSERT_TRUE(comms.connect());
    comms.disconnect();
    EXPECT_EQ(comms.link_state(), LinkState::disconnecting);
    EXPECT_THAT(witness.heard, IsEmpty()) << "never inside the call";
    loop.advance(1s);
    ASSERT_TRUE(comms.connect());
    loop.advance(15s);
    comms.disconnect();
    loop.advance(1s);
    connect_now();
    comms.disconnect();
    loop.advance(1s);
    EXPECT_THAT(witness.heard, ElementsAre("ending", "closed: the link was closed"));
    EXPECT_TRUE(radio.idle());
}

TEST_F(Comms, AsksAgainUntilTheRadioDisconnects) {
    radio.add_cube();
    connect_now();
    radio.set_faults({.refuse_disconnect = true});
    comms.disconnect();
    loop.advance(10s);
    EXPECT_EQ(comms.link_state(), LinkState::disconnecting);
    EXPECT_TRUE(log.mentions("is asked again: the radio is busy"));
    radio.set_faults({.hang_disconnect = true});
    loop.advance(10s);
    EXPECT_FALSE(radio.idle());
    radio.set_faults({});
    loop.advance(2s);
    EXPECT_TRUE(radio.idle());
    EXPECT_THAT(witness.heard, ElementsAre("ending", "closed: the link was closed"));
}

TEST_F(Comms, BeginsAnewWhenTheOldLinkIsClosed) {
    radio.add_cube();
    connect_now();
    comms.disconnect();
    ASSERT_TRUE(comms.connect());
    EXPECT_EQ(comms.link_state(), LinkState::disconnecting);
    loop.advance(3s);
    EXPECT_EQ(comms.link_state(), LinkState::connected);
    EXPECT_THAT(witness.heard, ElementsAre("ending", "connected"));
}

TEST_F(Comms, TellsAtOnceThatAConnectionIsEndedHoweverLongTheRadioTakes) {
    radio.add_cube();
    connect_now();
    radio.set_faults({.hang_disconnect = true});
    comms.disconnect();
    ASSERT_TRUE(comms.connect());
    EXPECT_THAT(witness.heard, IsEmpty()) << "not inside the call";
    loop.run_ready();
    EXPECT_THAT(witness.heard, ElementsAre("ending"));
}

TEST_F(Comms, RefusesAScanThatWouldNeverBegin) {
    radio.add_cube();
    connect_now();
    comms.disconnect();
    ASSERT_EQ(comms.link_state(), LinkState::disconnecting);
    EXPECT_EQ(comms.look_around().error().code, Code::wrong_state);
    loop.advance(1s);
    EXPECT_TRUE(comms.look_around());
    EXPECT_EQ(comms.link_state(), LinkState::scanning);
}

TEST_F(Comms, NoticesALostLink) {
    SimulatedCube& cube = radio.add_cube();
    connect_now();
    cube.set_distance(50);
    loop.advance(3s);
    EXPECT_THAT(witness.heard, ElementsAre("closed: the cube is not heard any more"));
    EXPECT_EQ(comms.link_state(), LinkState::idle);
    cube.set_distance(1);
    connect_now();
    radio.drop_link();
    loop.run_ready();
    EXPECT_EQ(comms.link_state(), LinkState::idle);
}

TEST_F(Comms, LivesThroughARadioThatIsSwitchedOffAndOn) {
    radio.add_cube();
    ASSERT_TRUE(comms.connect());
    radio.set_status({RadioStatus::Kind::off, "switch it on"});
    loop.run_ready();
    EXPECT_THAT(witness.heard, ElementsAre("failed: switch it on"));
    EXPECT_EQ(comms.connect().error(), (Error{Code::unavailable, "switch it on"}));
    radio.set_status({});
    connect_now();
    radio.set_status({RadioStatus::Kind::unavailable, "the daemon is gone"});
    loop.run_ready();
    EXPECT_EQ(comms.link_state(), LinkState::idle);
    EXPECT_EQ(witness.heard.size(), 1U);
}

TEST_F(Comms, PassesMessagesBothWaysAndTracesThem) {
    SimulatedCube& cube = radio.add_cube();
    EXPECT_EQ(comms.send(LightSequence{}).error().code, Code::wrong_state);
    connect_now();
    loop.advance(1s);
    EXPECT_GT(witness.messages.size(), 30U);
    for (const CubeMessage& message : to_messages(*compile(steady({1, 2, 3}))))
        ASSERT_TRUE(comms.send(message));
    loop.advance(100ms);
    EXPECT_EQ(cube.leds(loop.clock().now())[3], (Color{1, 2, 3}));
    EXPECT_GT(comms.trace().count(), 32U);
    loop.advance(10s);
    EXPECT_EQ(comms.trace().messages().size(), MessageTrace::capacity);
    EXPECT_THAT(to_string(comms.trace().messages().back()), HasSubstr("from cube  "));
}

TEST(CommsFirmware, UpdatesACubeWithAnotherVersionAndWaitsForTheNewOne) {
    const std::string image = "2.0\n" + std::string(996, 'x');
    CubeRig rig({.firmware = Firmware{"2.0", Bytes(bytes_of(image).begin(), bytes_of(image).end())}});
    rig.radio.add_cube({.version = "1.0"});
    ASSERT_TRUE(rig.comms.connect());
    rig.loop.advance(30s);
    EXPECT_EQ(rig.comms.link_state(), LinkState::connected);
    EXPECT_EQ(rig.comms.version(), "2.0");
    EXPECT_EQ(rig.witness.progress, 50) << "in pieces of 20 bytes";
    rig.comms.disconnect();
    rig.loop.advance(1s);
    ASSERT_TRUE(rig.comms.connect());
    rig.loop.advance(2s);
    EXPECT_EQ(rig.comms.link_state(), LinkState::connected);
    EXPECT_EQ(rig.witness.progress, 50) << "not again";
}

TEST(CommsFirmware, FailsIfTheCubeKeepsItsVersion) {
    CubeRig rig({.firmware = Firmware{"2.0", Bytes(100)}});
    rig.radio.add_cube({.version = "1.0"});
    ASSERT_TRUE(rig.comms.connect());
    rig.loop.advance(30s);
    ASSERT_FALSE(rig.witness.heard.empty());
    EXPECT_THAT(rig.witness.heard[0], HasSubstr("failed: the cube was given firmware 2.0, and still has"));
    EXPECT_TRUE(rig.radio.idle());
}

TEST(NoRadio, FailsEveryAttemptWithASentence) {
    VirtualLoop loop;
    NoRadio radio;
    MemoryPreferenceStore store;
    NullLog log;
    CubeCommsComponent comms(loop, radio, store, log);
    EXPECT_EQ(comms.connect().error(),
              (Error{Code::unavailable, "there is no radio: choose another one with --radio"}));
    EXPECT_EQ(comms.link_state(), LinkState::idle);
}

TEST(CubeAddress, IsReadAndWritten) {
    EXPECT_EQ(to_string(CubeAddress{0xc0be'0000'00ff}), "c0:be:00:00:00:ff");
    EXPECT_EQ(CubeAddress::parse("C0:BE:00:00:00:fF"), CubeAddress{0xc0be'0000'00ff});
    for (const char* bad : {"", "c0:be", "c0:be:00:00:00:0", "c0-be-00-00-00-01", "c0:be:00:00:00:0g",
                            "c0:be:00:00:00:011", "-1:be:00:00:00:01"})
        EXPECT_THAT(CubeAddress::parse(bad).error().message, HasSubstr("is not an address of a cube")) << bad;
}

}  // namespace
}  // namespace caribou::cubes
