#include "loop/memory_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/stream_witness.hpp"
#include "loop/virtual_loop.hpp"
#include "loop/warp.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Address any_port = Address::ip("127.0.0.1", 0);
const Address port_80 = Address::ip("0.0.0.0", 80);

void ignore(std::unique_ptr<Stream>) {}

/// A robot that listens at port 80, and a station that connects to it.
class MemoryNetworkTest : public testing::Test {
protected:
    void listen() {
        listener =
            *robot->listen(port_80, [this](std::unique_ptr<Stream> s) { on_robot.take(std::move(s)); });
    }
    void connect() {
        listen();
        on_station.stream = station->connect(Address::ip("robot", 80), on_station);
        loop.advance(2 * delay);
        ASSERT_THAT(on_station.heard, ElementsAre("open"));
        on_station.heard.clear();
    }

    VirtualLoop loop;
    MemoryNetwork network{loop};
    std::unique_ptr<Network> robot = network.on_host("robot");
    std::unique_ptr<Network> station = network.on_host("station");
    std::unique_ptr<Listener> listener;
    StreamWitness on_robot;
    StreamWitness on_station;
    Duration delay{0};
};

class SlowMemoryNetworkTest : public MemoryNetworkTest {
protected:
    SlowMemoryNetworkTest() {
        delay = 10ms;
        network.set_faults({.min_delay = delay, .max_delay = delay});
    }
};

// Addresses.

TEST_F(MemoryNetworkTest, GivesAFreePortWhenAskedForAny) {
    const auto first = network.listen(any_port, ignore);
    const auto second = network.listen(any_port, ignore);
    EXPECT_NE((*first)->address().port, 0);
    EXPECT_NE((*first)->address().port, (*second)->address().port);
    EXPECT_EQ((*first)->address().host, "127.0.0.1");
}

TEST_F(MemoryNetworkTest, RefusesAPlaceThatIsTakenAndGivesItWhenFree) {
    auto first = network.listen(port_80, ignore);
    const auto second = network.listen(port_80, ignore);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, Code::already_exists);
    EXPECT_THAT(second.error().message, HasSubstr("0.0.0.0:80 is in use"));
    first->reset();
    EXPECT_TRUE(network.listen(port_80, ignore));
    EXPECT_TRUE(network.bind(port_80, [] {})) << "packets have ports of their own";
    EXPECT_TRUE(robot->listen(port_80, ignore)) << "and so has each host";
}

TEST_F(MemoryNetworkTest, RefusesToListenAtAnotherHostsAddress) {
    const auto listening = robot->listen(Address::ip("station", 80), ignore);
    ASSERT_FALSE(listening);
    EXPECT_EQ(listening.error().code, Code::unavailable);
    EXPECT_THAT(listening.error().message, HasSubstr("station:80"));
    EXPECT_TRUE(robot->listen(Address::ip("robot", 80), ignore));
}

TEST_F(MemoryNetworkTest, TellsUnixPathsOfDifferentHostsApart) {
    const Address path = Address::unix_path("/run/x");
    listener = *robot->listen(path, [this](std::unique_ptr<Stream> s) { on_robot.take(std::move(s)); });
    EXPECT_EQ(listener->address(), path);
    StreamWitness neighbour;
    neighbour.stream = robot->connect(path, neighbour);
    on_station.stream = station->connect(path, on_station);
    loop.run_ready();
    EXPECT_THAT(neighbour.heard, ElementsAre("open"));
    EXPECT_THAT(on_station.heard, ElementsAre(HasSubstr("no program listens at unix:/run/x")));
}

TEST_F(MemoryNetworkTest, ReachesAHostByItsNameAndItselfByLoopback) {
    listen();
    for (const char* host : {"robot", "127.0.0.1", "localhost", "::1"}) {
        StreamWitness neighbour;
        neighbour.stream = robot->connect(Address::ip(host, 80), neighbour);
        loop.run_ready();
        EXPECT_THAT(neighbour.heard, ElementsAre("open")) << host;
    }
    on_station.stream = station->connect(Address::ip("127.0.0.1", 80), on_station);
    loop.run_ready();
    EXPECT_THAT(on_station.heard, ElementsAre(HasSubstr("failed: unreachable")));
}

TEST_F(MemoryNetworkTest, NamesTheOtherHostForPeople) {
    connect();
    EXPECT_EQ(on_station.stream->peer(), "robot:80");
    EXPECT_THAT(on_robot.stream->peer(), HasSubstr("station:"));
}

TEST(MemoryNetwork, RunsOnAnyLoop) {
    VirtualLoop below;
    WarpedLoop loop(below, *Warp::make(10));
    MemoryNetwork network(loop, 0, {.min_delay = 1s, .max_delay = 1s});
    StreamWitness client;
    StreamWitness server;
    const auto listener =
        network.listen(port_80, [&](std::unique_ptr<Stream> s) { server.take(std::move(s)); });
    client.stream = network.connect(port_80, client);
    below.advance(100ms);
    EXPECT_TRUE(server.stream) << "a second of warped time has passed";
    below.advance(100ms);
    EXPECT_THAT(client.heard, ElementsAre("open"));
}

// Partitions.

TEST_F(MemoryNetworkTest, StallsStreamsWhilePartitionedAndLetsThemFlowWhenHealed) {
    connect();
    network.partition("station", "robot");
    EXPECT_EQ(on_station.write("hello"), "5");
    loop.advance(1h);
    EXPECT_THAT(on_robot.heard, IsEmpty());
    network.heal("robot", "station");
    EXPECT_EQ(on_station.write(" again"), "6");
    loop.run_ready();
    EXPECT_EQ(on_robot.received, "hello again");
}

TEST_F(SlowMemoryNetworkTest, StallsWhatWasOnItsWayWhenThePartitionCame) {
    connect();
    EXPECT_EQ(on_station.write("hello"), "5");
    loop.advance(5ms);
    network.partition("robot", "station");
    loop.advance(1h);
    EXPECT_THAT(on_robot.heard, IsEmpty());
    network.heal("robot", "station");
    loop.run_ready();
    EXPECT_EQ(on_robot.received, "hello");
}

TEST_F(MemoryNetworkTest, KeepsTheEndOfAStreamBackWhilePartitioned) {
    connect();
    network.partition("robot", "station");
    on_station.stream.reset();
    loop.advance(1h);
    EXPECT_THAT(on_robot.heard, IsEmpty());
    network.heal("robot", "station");
    loop.run_ready();
    EXPECT_EQ(on_robot.end_code(), Code::closed);
}

TEST_F(MemoryNetworkTest, KeepsNewsOfRoomBackWhilePartitioned) {
    network.set_faults({.stream_buffer = 4});
    connect();
    on_robot.stream->set_reading(false);
    EXPECT_EQ(on_station.write("abcdef"), "4");
    network.partition("robot", "station");
    on_robot.read_once();
    loop.run_ready();
    EXPECT_THAT(on_station.heard, IsEmpty());
    EXPECT_EQ(on_station.write("ef"), "0");
    network.heal("robot", "station");
    loop.run_ready();
    EXPECT_THAT(on_station.heard, ElementsAre("writable"));
}

TEST_F(MemoryNetworkTest, CutsOnlyTheTwoHostsThatAreNamed) {
    network.partition("robot", "moon");
    connect();
    EXPECT_EQ(on_station.write("x"), "1");
    loop.run_ready();
    EXPECT_EQ(on_robot.received, "x");
}

TEST_F(MemoryNetworkTest, TimesAConnectOutWhilePartitioned) {
    listen();
    network.partition("robot", "station");
    const Instant start = loop.clock().now();
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    EXPECT_TRUE(loop.run_until([&] { return !on_station.heard.empty(); }, 1min));
    EXPECT_EQ(loop.clock().now(), start + MemoryNetwork::connect_timeout);
    EXPECT_THAT(on_station.heard,
                ElementsAre(HasSubstr("failed: timed_out: no answer from robot:80 within 3 s")));
    network.heal("robot", "station");
    loop.advance(1min);
    EXPECT_FALSE(on_robot.stream);
    EXPECT_EQ(on_station.heard.size(), 1u);
}

TEST_F(MemoryNetworkTest, LetsAConnectThroughThatIsHealedInTime) {
    listen();
    network.partition("robot", "station");
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.advance(2s);
    network.heal("robot", "station");
    loop.advance(10s);
    EXPECT_THAT(on_station.heard, ElementsAre("open"));
}

TEST_F(SlowMemoryNetworkTest, EndsTheAcceptedStreamWhenTheAnswerComesTooLate) {
    listen();
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.advance(15ms);
    ASSERT_TRUE(on_robot.stream);
    network.partition("robot", "station");
    loop.advance(10s);
    EXPECT_THAT(on_station.heard, ElementsAre(HasSubstr("failed: timed_out")));
    network.heal("robot", "station");
    loop.advance(1s);
    EXPECT_EQ(on_robot.end_code(), Code::closed);
}

// Crashes.

TEST_F(SlowMemoryNetworkTest, LeavesAStreamHalfOpenWhenTheOtherHostCrashes) {
    connect();
    network.set_faults({.min_delay = delay, .max_delay = delay, .stream_buffer = 8});
    EXPECT_EQ(on_robot.write("lost with the host"), "8");
    network.crash("robot");
    on_robot.stream.reset();
    EXPECT_EQ(on_station.write("anybody there?"), "8");
    EXPECT_EQ(on_station.write("?"), "0");
    loop.advance(24h);
    EXPECT_THAT(on_station.heard, IsEmpty());
    on_station.read_once();
    EXPECT_EQ(on_station.received, "");
    EXPECT_FALSE(on_station.end);
}

TEST_F(MemoryNetworkTest, KeepsWhatHadArrivedBeforeTheCrash) {
    connect();
    EXPECT_EQ(on_robot.write("last words"), "10");
    network.crash("robot");
    loop.advance(1s);
    EXPECT_EQ(on_station.received, "last words");
    EXPECT_FALSE(on_station.end);
}

TEST_F(MemoryNetworkTest, SilencesWhatTheCrashedHostStillHolds) {
    connect();
    EXPECT_EQ(on_station.write("too late"), "8");
    network.crash("robot");
    loop.advance(1s);
    EXPECT_THAT(on_robot.heard, IsEmpty());
    EXPECT_EQ(on_robot.write("x"), "0");
    on_robot.read_once();
    EXPECT_EQ(on_robot.received, "");
    EXPECT_FALSE(on_robot.end);
}

TEST_F(MemoryNetworkTest, TimesOutConnectsToACrashedHostAndTakesThemAfterItsRestart) {
    listen();
    network.crash("robot");
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.advance(10s);
    EXPECT_THAT(on_station.heard, ElementsAre(HasSubstr("failed: timed_out")));

    auto restarted =
        *robot->listen(port_80, [this](std::unique_ptr<Stream> s) { on_robot.take(std::move(s)); });
    listener.reset();  // the old program's listener, which must not affect the new one
    on_station.heard.clear();
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.run_ready();
    EXPECT_THAT(on_station.heard, ElementsAre("open"));
}

TEST_F(SlowMemoryNetworkTest, TimesOutAConnectThatTheCrashCutShort) {
    listen();
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.advance(15ms);
    ASSERT_TRUE(on_robot.stream);
    network.crash("robot");
    loop.advance(10s);
    EXPECT_THAT(on_station.heard, ElementsAre(HasSubstr("failed: timed_out")));
}

TEST_F(MemoryNetworkTest, SurvivesACrashFromInsideAnEvent) {
    listener = *robot->listen(port_80, [this](std::unique_ptr<Stream> stream) {
        on_robot.take(std::move(stream));
        network.crash("station");
    });
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.advance(10s);
    EXPECT_THAT(on_station.heard, IsEmpty());
    EXPECT_THAT(on_robot.heard, IsEmpty());
}

// Resets.

TEST_F(MemoryNetworkTest, EndsAStreamWithAnErrorAtBothEndsWhenReset) {
    connect();
    EXPECT_EQ(on_station.write("lost"), "4");
    network.reset("robot", "station");
    EXPECT_THAT(on_station.heard, IsEmpty()) << "an event came from inside a call";
    loop.run_ready();
    EXPECT_EQ(on_station.end_code(), Code::unreachable);
    EXPECT_EQ(on_robot.end_code(), Code::unreachable);
    EXPECT_EQ(on_robot.received, "");
    EXPECT_EQ(on_station.write("x"), "unreachable");
    EXPECT_THAT(on_station.end->message, HasSubstr("robot:80 was reset"));
    loop.advance(1s);
    EXPECT_THAT(on_robot.heard, ElementsAre("readable"));
}

TEST_F(MemoryNetworkTest, WakesABlockedWriterWhenReset) {
    network.set_faults({.stream_buffer = 1});
    connect();
    on_robot.stream->set_reading(false);
    on_station.stream->set_reading(false);
    EXPECT_EQ(on_station.write("ab"), "1");
    network.reset("station", "robot");
    loop.run_ready();
    EXPECT_THAT(on_station.heard, ElementsAre("writable"));
}

TEST_F(SlowMemoryNetworkTest, FailsAConnectThatIsReset) {
    listen();
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    network.reset("robot", "station");
    loop.advance(10s);
    EXPECT_THAT(on_station.heard, ElementsAre(HasSubstr("failed: unreachable")));
    EXPECT_FALSE(on_robot.stream);
}

TEST_F(MemoryNetworkTest, LeavesOtherHostsAloneWhenReset) {
    connect();
    network.reset("robot", "moon");
    loop.run_ready();
    EXPECT_FALSE(on_station.end);
}

TEST_F(MemoryNetworkTest, ListensAgainAfterAnythingWasReset) {
    connect();
    network.reset("robot", "station");
    loop.run_ready();
    on_station.heard.clear();
    on_station.stream = station->connect(Address::ip("robot", 80), on_station);
    loop.run_ready();
    EXPECT_THAT(on_station.heard, ElementsAre("open"));
}

TEST(MemoryNetworkDeathTest, RefusesFaultsThatMakeNoSense) {
    VirtualLoop loop;
    EXPECT_DEATH(MemoryNetwork(loop, 0, {.min_delay = 2ms, .max_delay = 1ms}), "min_delay <= max_delay");
    EXPECT_DEATH(MemoryNetwork(loop, 0, {.loss = 1.5}), "from 0 to 1");
    EXPECT_DEATH(MemoryNetwork(loop, 0, {.stream_buffer = 0}), "at least one byte");
    EXPECT_DEATH(MemoryNetwork(loop).on_host("localhost"), "others can call it by");
}

}  // namespace
}  // namespace caribou
