#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A socket that records what it receives.
struct Socket {
    Socket(Network& network, const Address& at) {
        socket = *network.bind(at, [this] {
            ++events;
            if (reads) receive();
        });
    }

    void receive() {
        std::byte buffer[64];
        const auto got = *socket->receive(buffer);
        if (!got) return;
        received.emplace_back(text_of(ByteView(buffer).first(got->size)));
        from.push_back(to_string(got->from));
    }

    void send(const Address& to, std::string_view text) { ASSERT_TRUE(socket->send(to, bytes_of(text))); }

    std::unique_ptr<Datagram> socket;
    std::vector<std::string> received;
    std::vector<std::string> from;
    int events = 0;
    bool reads = true;
};

class MemoryDatagramTest : public testing::Test {
protected:
    VirtualLoop loop;
    MemoryNetwork network{loop};
    Socket a{network, Address::ip("127.0.0.1", 1)};
    Socket b{network, Address::ip("0.0.0.0", 2)};
};

TEST_F(MemoryDatagramTest, CarriesPacketsWhole) {
    a.send(Address::ip("localhost", 2), "one");
    a.send(Address::ip("localhost", 2), "");
    a.send(Address::ip("localhost", 2), "three");
    EXPECT_EQ(b.events, 0) << "an event came from inside a call";
    loop.run_ready();
    EXPECT_THAT(b.received, ElementsAre("one", "", "three"));
    EXPECT_EQ(b.events, 3);
}

TEST_F(MemoryDatagramTest, SaysWhereToAnswer) {
    a.send(b.socket->address(), "ping");
    b.send(a.socket->address(), "pong");
    loop.run_ready();
    EXPECT_THAT(b.from, ElementsAre("127.0.0.1:1"));
    EXPECT_THAT(a.from, ElementsAre("127.0.0.1:2"));
}

TEST_F(MemoryDatagramTest, SaysWhereToAnswerFromAnotherHost) {
    const auto robot = network.on_host("robot");
    const auto station = network.on_host("station");
    Socket on_robot(*robot, Address::ip("0.0.0.0", 5));
    Socket on_station(*station, Address::ip("127.0.0.1", 5));
    on_robot.send(Address::ip("station", 5), "ping");
    loop.run_ready();
    EXPECT_THAT(on_station.from, ElementsAre("robot:5"));
    on_station.send(*Address::parse(on_station.from.at(0)), "pong");
    loop.run_ready();
    EXPECT_THAT(on_robot.received, ElementsAre("pong"));
    EXPECT_THAT(on_robot.from, ElementsAre("station:5"));
}

TEST_F(MemoryDatagramTest, CutsAPacketThatIsLargerThanTheRoom) {
    b.reads = false;
    a.send(Address::ip("localhost", 2), "abcdef");
    loop.run_ready();
    std::byte small[4];
    const auto got = *b.socket->receive(small);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->size, 4u);
    EXPECT_EQ(text_of(small), "abcd");
    EXPECT_FALSE(*b.socket->receive(small)) << "the rest is lost";
}

TEST_F(MemoryDatagramTest, TellsAgainAfterAPauseWhenNothingWasReceived) {
    b.reads = false;
    a.send(Address::ip("localhost", 2), "x");
    loop.run_ready();
    EXPECT_EQ(b.events, 1);
    loop.advance(1ms);
    EXPECT_EQ(b.events, 2);
}

TEST_F(MemoryDatagramTest, LosesWhatNobodyIsThereFor) {
    a.send(Address::ip("localhost", 99), "x");
    a.send(Address::ip("nowhere", 2), "x");
    loop.run_ready();
    EXPECT_THAT(b.received, IsEmpty());
}

TEST_F(MemoryDatagramTest, LosesWhatAFullSocketHasNoRoomFor) {
    b.reads = false;
    for (int i = 0; i < 2000; ++i) a.send(Address::ip("localhost", 2), std::to_string(i));
    b.reads = true;
    loop.run_ready();
    EXPECT_EQ(b.received.size(), 1024u);
    EXPECT_EQ(b.received.back(), "1023");
}

TEST_F(MemoryDatagramTest, RefusesAPacketThatIsTooLarge) {
    const auto sent = a.socket->send(Address::ip("localhost", 2), Bytes(65508));
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, Code::limit_exceeded);
    EXPECT_THAT(sent.error().message, HasSubstr("max_packet"));
}

TEST_F(MemoryDatagramTest, RefusesToSendToPortZero) {
    const auto sent = a.socket->send(Address::ip("localhost", 0), bytes_of("x"));
    ASSERT_FALSE(sent);
    EXPECT_EQ(sent.error().code, Code::invalid_argument);
}

TEST_F(MemoryDatagramTest, MayBeDestroyedInItsOwnEvent) {
    std::unique_ptr<Datagram> socket;
    int events = 0;
    socket = *network.bind(Address::ip("127.0.0.1", 3),
                           [&, word = std::string("long enough to live on the heap")] {
                               socket.reset();
                               events += word.empty() ? 0 : 1;
                           });
    a.send(Address::ip("localhost", 3), "x");
    a.send(Address::ip("localhost", 3), "y");
    loop.advance(1s);
    EXPECT_EQ(events, 1);
}

TEST_F(MemoryDatagramTest, HearsNothingAfterItIsDestroyed) {
    a.send(Address::ip("localhost", 2), "x");
    b.socket.reset();
    loop.advance(1s);
    EXPECT_EQ(b.events, 0);
}

TEST_F(MemoryDatagramTest, LosesEverythingAtALossOfOne) {
    network.set_faults({.loss = 1});
    a.send(Address::ip("localhost", 2), "x");
    loop.advance(1s);
    EXPECT_THAT(b.received, IsEmpty());
}

TEST_F(MemoryDatagramTest, DoublesEverythingAtADuplicationOfOne) {
    network.set_faults({.duplication = 1});
    a.send(Address::ip("localhost", 2), "x");
    loop.run_ready();
    EXPECT_THAT(b.received, ElementsAre("x", "x"));
}

TEST_F(MemoryDatagramTest, LetsLaterPacketsOvertakeWhenReordered) {
    network.set_faults({.min_delay = 10ms, .max_delay = 10ms, .reordering = 1});
    a.send(Address::ip("localhost", 2), "late");
    network.set_faults({.min_delay = 10ms, .max_delay = 10ms});
    a.send(Address::ip("localhost", 2), "early");
    loop.advance(10ms);
    EXPECT_THAT(b.received, ElementsAre("early"));
    loop.advance(10ms);
    EXPECT_THAT(b.received, ElementsAre("early", "late"));
}

TEST_F(MemoryDatagramTest, LosesPacketsToAPartitionAlsoThoseInFlight) {
    network.set_faults({.min_delay = 10ms, .max_delay = 10ms});
    const std::string local(MemoryNetwork::own_host);
    a.send(Address::ip("localhost", 2), "in flight");
    loop.advance(5ms);
    network.partition(local, local);
    a.send(Address::ip("localhost", 2), "sent into it");
    loop.advance(5ms);
    network.heal(local, local);
    loop.advance(1s);
    EXPECT_THAT(b.received, IsEmpty());
    a.send(Address::ip("localhost", 2), "after it");
    loop.advance(10ms);
    EXPECT_THAT(b.received, ElementsAre("after it"));
}

TEST_F(MemoryDatagramTest, IsSilentAfterItsHostHasCrashedAndItsPortIsFree) {
    network.crash(std::string(MemoryNetwork::own_host));
    a.send(Address::ip("localhost", 2), "x");
    loop.advance(1s);
    EXPECT_EQ(b.events, 0);
    Socket reborn(network, Address::ip("127.0.0.1", 2));
    Socket sender(network, Address::ip("127.0.0.1", 0));
    b.socket.reset();  // must not release an endpoint that it no longer owns
    sender.send(Address::ip("localhost", 2), "y");
    loop.run_ready();
    EXPECT_THAT(reborn.received, ElementsAre("y"));
}

/// Whatever the faults, each received packet was sent, is received at most twice, and is reported by an
/// event.
RC_GTEST_PROP(MemoryDatagram, DeliversOnlyWhatWasSent, (std::uint64_t seed)) {
    const auto share = [] { return *rc::gen::elementOf(std::vector{0.0, 0.1, 0.5}); };
    const Faults faults{.min_delay = Duration(*rc::gen::inRange(0, 1000)),
                        .max_delay = Duration(*rc::gen::inRange(1000, 100'000)),
                        .loss = share(),
                        .duplication = share(),
                        .reordering = share()};
    VirtualLoop loop;
    MemoryNetwork network(loop, seed, faults);
    Socket from(network, Address::ip("127.0.0.1", 1));
    Socket to(network, Address::ip("127.0.0.1", 2));
    constexpr int sent = 50;
    for (int i = 0; i < sent; ++i) {
        from.send(to.socket->address(), std::to_string(i));
        loop.advance(Duration(1000));
    }
    loop.advance(1s);
    std::multiset<int> got;
    for (const std::string& packet : to.received) got.insert(std::stoi(packet));
    for (const int packet : got) {
        RC_ASSERT(packet >= 0 && packet < sent);
        RC_ASSERT(got.count(packet) <= (faults.duplication > 0 ? 2u : 1u));
    }
    if (faults.loss == 0.0)
        for (int i = 0; i < sent; ++i) RC_ASSERT(got.contains(i));
    RC_ASSERT(loop.idle());
}

}  // namespace
}  // namespace caribou
