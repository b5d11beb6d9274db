#include "bus/client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bus/client_rig.hpp"
#include "loop/warp.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;
using wire::MessageType;
// ---- connection and reconnection ----------------------------------------------------------------

TEST(Client, RefusesToStartWithoutANameOrWithAnImpossibleTick) {
    VirtualLoop loop;
    MemoryNetwork network(loop);
    EXPECT_EQ(Client(loop, network, {}).start().error().code, Code::invalid_argument);
    EXPECT_EQ(Client(loop, network, {.name = "x", .comms_tick = 201}).start().error().code,
              Code::invalid_argument);
    EXPECT_EQ(Client(loop, network, {.name = "x", .comms_tick = 0}).start().error().code,
              Code::invalid_argument);
    Client twice(loop, network, {.name = "x"});
    ASSERT_TRUE(twice.start());
    EXPECT_EQ(twice.start().error().code, Code::wrong_state);
}

TEST(Client, PassesThroughItsStates) {
    ClientRig rig;
    EXPECT_EQ(rig.client.state(), ClientState::idle);
    ASSERT_TRUE(rig.client.start());
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.state(), ClientState::waiting);  // no broker is listening
    EXPECT_EQ(rig.client.last_error()->code, Code::unreachable);
    rig.listen();
    rig.welcome_next();
    EXPECT_EQ(rig.client.state(), ClientState::connected);
    EXPECT_EQ(rig.client.last_connected(), rig.loop.clock().wall());
    EXPECT_EQ(rig.client.stats().attempts_since_connected, 0u);
    rig.client.stop();
    EXPECT_EQ(rig.client.state(), ClientState::stopped);
    rig.loop.run_ready();
    EXPECT_TRUE(rig.broker().ended());
    rig.run(10s);
    EXPECT_THAT(rig.connections, SizeIs(1));
    rig.connect();
    EXPECT_TRUE(rig.client.connected());
}

TEST(Client, TriesAgainAtOnceThenAtMostASecondApart) {
    ClientRig rig;
    ASSERT_TRUE(rig.client.start());
    rig.run(10s);  // no broker is listening
    EXPECT_THAT(rig.client.stats().attempts, AllOf(Ge(10u), Le(30u)));
    EXPECT_EQ(rig.client.stats().attempts_since_connected, rig.client.stats().attempts);

    rig.listen();
    rig.welcome_next();
    rig.run(2s);
    const Instant lost = rig.loop.clock().now();
    rig.broker().end();
    rig.welcome_next();
    EXPECT_EQ(rig.loop.clock().now(), lost);
    EXPECT_THAT(rig.connections, SizeIs(2));
}

TEST(Client, DoesNotStormABrokerThatEndsEveryConnection) {
    ClientRig rig;
    rig.connect();
    for (int i = 0; i < 20; ++i) {
        rig.broker().end();
        rig.loop.run_ready();
        rig.welcome_next();
    }
    EXPECT_GT(rig.loop.clock().now().time_since_epoch(), 8s);
}

TEST(Client, GivesUpOnAConnectionThatDoesNotComeOrABrokerThatDoesNotAnswer) {
    ClientRig rig({.connect_limit = 1s, .handshake_limit = 2s});
    rig.listen();
    auto elsewhere = rig.network.on_host("far");
    Client client(rig.loop, *elsewhere,
                  {.name = "far", .broker = Address::ip("nowhere", 9000), .connect_limit = 1s});
    ASSERT_TRUE(client.start());
    ASSERT_TRUE(rig.client.start());
    rig.run(1900ms);
    EXPECT_EQ(rig.client.state(), ClientState::shaking_hands);
    rig.run(200ms);
    EXPECT_EQ(rig.client.last_error()->code, Code::timed_out);
    EXPECT_THAT(rig.client.last_error()->message, HasSubstr("127.0.0.1:9000"));
    EXPECT_GE(client.stats().attempts, 2u);
}

TEST(Client, TellsOfConnectionsAndTheirEnd) {
    ClientRig rig;
    std::vector<std::string> story;
    rig.client.on_connected([&] { story.push_back("connected"); });
    rig.client.on_disconnected([&](const Error& why) { story.push_back(std::string(to_string(why.code))); });
    rig.connect();
    rig.broker().end();
    rig.loop.run_ready();
    rig.welcome_next();
    rig.client.stop();
    EXPECT_THAT(story, ElementsAre("connected", "closed", "connected", "closed"));
    EXPECT_EQ(rig.client.stats().connections, 2u);
    EXPECT_EQ(rig.client.stats().losses, 2u);
}

TEST(Client, ReportsPoisonWithItsReasonAndTriesOn) {
    ClientRig rig;
    std::string reason;
    rig.client.on_refused([&](std::string_view words) { reason = words; });
    rig.listen();
    ASSERT_TRUE(rig.client.start());
    rig.loop.run_ready();
    rig.broker().send(ClientRig::poison("A client of this name (\"vec\") already exists"));
    rig.broker().end();
    rig.loop.run_ready();
    EXPECT_THAT(reason, HasSubstr("already exists"));
    EXPECT_EQ(rig.client.state(), ClientState::waiting);
    EXPECT_EQ(rig.client.last_error()->code, Code::refused);
    EXPECT_EQ(rig.client.stats().refusals, 1u);
    rig.welcome_next();
    EXPECT_TRUE(rig.client.connected());
}

TEST(Client, StopsWhenPoisonedIfToldSo) {
    ClientRig rig({.when_refused = WhenRefused::stop});
    rig.listen();
    ASSERT_TRUE(rig.client.start());
    rig.loop.run_ready();
    rig.broker().send(ClientRig::poison("no"));
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.state(), ClientState::stopped);
}

TEST(Client, LeavesABrokerThatAnswersNonsense) {
    ClientRig rig;
    rig.listen();
    ASSERT_TRUE(rig.client.start());
    rig.loop.run_ready();
    rig.broker().send(ClientRig::number("X", 1));
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.last_error()->code, Code::malformed);
    EXPECT_EQ(rig.client.stats().malformed, 1u);
}

TEST(Client, DropsAConnectionWithMalformedBytesAndNamesTheirPlace) {
    ClientRig rig;
    rig.connect();
    Bytes bytes = wire::encode_packet(wire::view(ClientRig::number("X", 1)));
    store_le(bytes.data() + wire::packet_header_size, std::int32_t{7});  // length field of the message
    std::string why;
    rig.client.on_disconnected([&](const Error& error) { why = error.message; });
    const std::size_t place =
        wire::encode_packet(wire::view(ClientRig::welcome())).size() + wire::packet_header_size;
    rig.broker().send(bytes);
    rig.loop.run_ready();
    EXPECT_THAT(why, HasSubstr("offset " + std::to_string(place)));
    EXPECT_EQ(rig.client.stats().malformed, 1u);
    rig.welcome_next();
    EXPECT_TRUE(rig.client.connected());
}

TEST(Client, DeliversWhatArrivedBeforeTheEnd) {
    ClientRig rig;
    rig.connect();
    rig.broker().send(ClientRig::number("LAST", 1));
    rig.broker().end();
    ASSERT_TRUE(rig.client.notify("X", 1.0));
    rig.loop.run_ready();
    EXPECT_EQ(keys(rig.client.fetch()), std::vector<std::string>{"LAST"});
}

TEST(Client, TakesASilentBrokerForLost) {
    ClientRig rig;
    rig.connect();
    Error why;
    rig.client.on_disconnected([&](const Error& error) { why = error; });
    rig.run(4s);
    rig.broker().send(rig.timing_echo(0));
    rig.run(4900ms);
    EXPECT_TRUE(rig.client.connected());
    rig.run(200ms);
    EXPECT_FALSE(rig.client.connected());
    EXPECT_EQ(why.code, Code::timed_out);
}

TEST(Client, KnowsCommunityHostAndSkewFromTheWelcome) {
    ClientRig rig;
    rig.connect();
    EXPECT_EQ(rig.client.community(), "vecs");
    EXPECT_EQ(rig.client.broker_host(), "vm");
    EXPECT_EQ(rig.client.skew(), 0.125);
}

// ---- heartbeat, timing, skew ------------------------------------------------------------------------

TEST(Client, SendsATimingMessageAtLeastEvery1333Milliseconds) {
    ClientRig rig({.silence_limit = 1h});
    rig.connect();
    rig.run(20s);
    const Packet quiet = rig.broker().messages(MessageType::timing);
    for (std::size_t i = 1; i < quiet.size(); ++i)
        EXPECT_THAT(quiet[i].time - quiet[i - 1].time, AllOf(Ge(1.0), Le(1.33)));
    EXPECT_THAT(quiet, SizeIs(AllOf(Ge(15u), Le(21u))));
    for (int i = 0; i < 300; ++i) {
        ASSERT_TRUE(rig.client.notify("X", i));
        rig.run(70ms);
    }
    const Packet busy = rig.broker().messages(MessageType::timing);
    for (std::size_t i = 1; i < busy.size(); ++i)
        EXPECT_THAT(busy[i].time - busy[i - 1].time, AllOf(Ge(1.0), Le(1.33)));
    for (const Packet& packet : rig.broker().packets())
        for (std::size_t i = 1; i < packet.size(); ++i)
            EXPECT_NE(packet[i].type, MessageType::timing) << "not in front";
}

TEST(Client, MeasuresSkewFromTheSecondEchoOn) {
    ClientRig rig;
    rig.connect();
    const auto echo_ahead_by = [&](double seconds) {
        rig.broker().send(rig.timing_echo(rig.broker().messages(MessageType::timing).back().time + seconds));
        rig.loop.run_ready();
    };
    echo_ahead_by(7);
    EXPECT_EQ(rig.client.skew(), 0.125);  // still the value from the welcome
    echo_ahead_by(2);
    EXPECT_NEAR(rig.client.skew(), 2, 1e-6);
    echo_ahead_by(3);
    EXPECT_NEAR(rig.client.skew(), 2.1, 1e-6);
}

TEST(Client, CorrectsStampsUnlessTheBrokerIsOnThisMachine) {
    const auto stamp_error = [](ClientOptions options) {
        ClientRig rig(std::move(options));
        rig.connect();
        return rig.client.stamp() - to_unix_seconds(rig.loop.clock().wall());
    };
    EXPECT_NEAR(stamp_error({.hostname = "vm"}), 0, 1e-6);
    EXPECT_NEAR(stamp_error({.hostname = "robot"}), 0.125, 1e-6);
    EXPECT_NEAR(stamp_error({}), 0, 1e-6);  // unknown host name, but 127.0.0.1 is this machine
    EXPECT_NEAR(stamp_error({.hostname = "robot", .correct_skew = SkewCorrection::off}), 0, 1e-6);
    EXPECT_NEAR(stamp_error({.hostname = "vm", .correct_skew = SkewCorrection::on}), 0.125, 1e-6);
}

TEST(Client, StampsByAWarpedClockBeyondTheRangeOfWallTime) {
    VirtualLoop loop;
    MemoryNetwork network(loop);
    const WarpedClock warped(loop.clock(), *Warp::make(10));
    const Client client(loop, network, {.name = "fast", .stamps = &warped});
    EXPECT_EQ(client.stamp(), 10 * to_unix_seconds(loop.clock().wall()));
}

TEST(Client, PausesBetweenPacketsAsTheBrokerAsks) {
    ClientRig rig;
    rig.connect();
    rig.broker().send(rig.timing_echo(0, 0.1));
    rig.loop.run_ready();
    const std::size_t before = rig.broker().packets().size();
    for (int i = 0; i < 50; ++i) {
        ASSERT_TRUE(rig.client.notify("X", i));
        rig.run(10ms);
    }
    EXPECT_THAT(rig.broker().packets().size() - before, AllOf(Ge(4u), Le(6u)));
    rig.run(100ms);
    EXPECT_THAT(rig.broker().messages(MessageType::notify), SizeIs(50));
}

// ---- synchronous mode -------------------------------------------------------------------------------

TEST(SynchronousClient, SendsOnePacketPerTickAndWaitsForItsAnswer) {
    ClientRig rig({.mode = CommsMode::synchronous, .comms_tick = 10});
    rig.connect();
    rig.run(1s);
    EXPECT_THAT(rig.broker().packets(), SizeIs(2));  // its name, and one unanswered NULL message
    EXPECT_EQ(rig.broker().packets()[1][0].type, MessageType::null);
    EXPECT_EQ(rig.broker().packets()[1][0].source, "vec");
    ASSERT_TRUE(rig.client.notify("A", 1.0));
    ASSERT_TRUE(rig.client.notify("B", 2.0));
    rig.broker().send(Packet{ClientRig::null_answer(), ClientRig::number("M", 3)});
    rig.loop.run_ready();
    EXPECT_EQ(keys(rig.client.fetch()), std::vector<std::string>{"M"});
    ASSERT_THAT(rig.broker().packets(), SizeIs(3));
    EXPECT_EQ(keys(rig.broker().packets()[2]), (std::vector<std::string>{"A", "B"}));
    rig.broker().send(ClientRig::null_answer());
    rig.run(99ms);
    EXPECT_THAT(rig.broker().packets(), SizeIs(3));
    rig.run(1ms);
    EXPECT_THAT(rig.broker().packets(), SizeIs(4));
}

TEST(SynchronousClient, IsWhatAWelcomeWithoutAsynchronousMakes) {
    ClientRig rig;
    rig.listen();
    ASSERT_TRUE(rig.client.start());
    rig.welcome_next("");
    EXPECT_EQ(rig.client.mode(), CommsMode::synchronous);
    EXPECT_EQ(rig.broker().packets().back()[0].type, MessageType::null);
    EXPECT_THAT(rig.broker().messages(MessageType::timing), IsEmpty());
}

TEST(SynchronousClient, LosesABrokerThatOwesAnAnswer) {
    ClientRig rig({.mode = CommsMode::synchronous});
    rig.connect();
    rig.run(4900ms);
    EXPECT_TRUE(rig.client.connected());
    rig.run(200ms);
    EXPECT_FALSE(rig.client.connected());
}

TEST(SynchronousClient, FinishesWithTheLastAnswer) {
    ClientRig rig({.mode = CommsMode::synchronous});
    rig.connect();
    ASSERT_TRUE(rig.client.notify("A", 1));
    rig.client.finish(3s);
    rig.broker().send(ClientRig::null_answer());
    rig.run(200ms);
    EXPECT_TRUE(rig.client.connected());
    rig.broker().send(ClientRig::null_answer());
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.state(), ClientState::stopped);
}

TEST(SynchronousClient, RegistersInItsFirstPacket) {
    ClientRig rig({.mode = CommsMode::synchronous});
    ASSERT_TRUE(rig.client.register_variable("A"));
    rig.connect();
    EXPECT_EQ(rig.broker().packets().back()[0].type, MessageType::register_);
}

}  // namespace
}  // namespace caribou::bus
