#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/memory_network.hpp"
#include "loop/stream_witness.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Address here = Address::ip("127.0.0.1", 9000);

/// Two ends on a perfect network; the server listens at `here`.
class MemoryStreamTest : public testing::Test {
protected:
    void connect() {
        listener =
            *network.listen(here, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); });
        client.stream = network.connect(here, client);
        loop.run_ready();
        ASSERT_TRUE(server.stream);
        ASSERT_THAT(client.heard, ElementsAre("open"));
        client.heard.clear();
    }

    VirtualLoop loop;
    MemoryNetwork network{loop};
    std::unique_ptr<Listener> listener;
    StreamWitness client;
    StreamWitness server;
};

TEST_F(MemoryStreamTest, OpensFromTheLoopAndNotInsideConnect) {
    listener =
        *network.listen(here, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); });
    client.stream = network.connect(here, client);
    EXPECT_THAT(client.heard, IsEmpty());
    EXPECT_FALSE(server.stream);
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("open"));
    EXPECT_TRUE(server.stream);
    EXPECT_THAT(server.heard, IsEmpty());
}

TEST_F(MemoryStreamTest, CarriesBytesBothWays) {
    connect();
    EXPECT_EQ(client.write("question"), "8");
    EXPECT_EQ(server.write("answer"), "6");
    EXPECT_THAT(server.heard, IsEmpty()) << "an event came from inside a call";
    loop.run_ready();
    EXPECT_EQ(server.received, "question");
    EXPECT_EQ(client.received, "answer");
}

TEST_F(MemoryStreamTest, JoinsPiecesInOrder) {
    connect();
    const ByteView pieces[] = {bytes_of("ca"), bytes_of(""), bytes_of("ri"), bytes_of("bou")};
    EXPECT_EQ(client.stream->write(pieces), 7u);
    EXPECT_EQ(client.stream->write({}), 0u);
    loop.run_ready();
    EXPECT_EQ(server.received, "caribou");
    EXPECT_THAT(client.heard, IsEmpty());
}

TEST_F(MemoryStreamTest, ReadsNothingAsZero) {
    connect();
    std::byte buffer[4];
    EXPECT_EQ(client.stream->read(buffer), 0u);
}

TEST_F(MemoryStreamTest, TellsOncePerTurnWhileAnythingIsLeft) {
    connect();
    server.chunk = 2;
    EXPECT_EQ(client.write("abcde"), "5");
    loop.run_ready();
    EXPECT_THAT(server.heard, ElementsAre("readable", "readable", "readable"));
    EXPECT_EQ(server.received, "abcde");
}

TEST_F(MemoryStreamTest, LetsOthersHaveTheirTurnBetweenTwoEvents) {
    connect();
    server.chunk = 1;
    EXPECT_EQ(client.write("ab"), "2");
    loop.run_ready();
    EXPECT_EQ(client.write("cd"), "2");
    std::vector<std::size_t> seen;
    loop.post([&] {
        seen.push_back(server.received.size());
        loop.post([&] { seen.push_back(server.received.size()); });
    });
    loop.run_ready();
    EXPECT_THAT(seen, ElementsAre(3u, 4u));
}

TEST_F(MemoryStreamTest, TellsAgainAfterAPauseWhenNothingWasRead) {
    connect();
    server.reads = false;
    EXPECT_EQ(client.write("x"), "1");
    loop.run_ready();
    EXPECT_THAT(server.heard, ElementsAre("readable"));
    loop.advance(1ms);
    EXPECT_THAT(server.heard, ElementsAre("readable", "readable"));
    server.reads = true;
    loop.advance(1ms);
    EXPECT_EQ(server.received, "x");
    EXPECT_TRUE(loop.idle());
}

TEST_F(MemoryStreamTest, IsSilentWhileReadingIsOff) {
    connect();
    server.stream->set_reading(false);
    EXPECT_EQ(client.write("x"), "1");
    client.stream.reset();
    loop.advance(1s);
    EXPECT_THAT(server.heard, IsEmpty());
    server.stream->set_reading(true);
    EXPECT_THAT(server.heard, IsEmpty()) << "an event came from inside a call";
    loop.run_ready();
    EXPECT_EQ(server.received, "x");
    EXPECT_EQ(server.end_code(), Code::closed);
}

TEST_F(MemoryStreamTest, IsSilentUntilSomebodyIsAttached) {
    std::unique_ptr<Stream> accepted;
    listener = *network.listen(here, [&](std::unique_ptr<Stream> stream) { accepted = std::move(stream); });
    client.stream = network.connect(here, client);
    loop.run_ready();
    EXPECT_EQ(client.write("early"), "5");
    loop.advance(1s);
    server.take(std::move(accepted));
    loop.run_ready();
    EXPECT_EQ(server.received, "early");
}

TEST_F(MemoryStreamTest, TellsTheOneWhoWasAttachedLast) {
    connect();
    StreamWitness other;
    other.reads = false;
    server.stream->attach(other);
    EXPECT_EQ(client.write("x"), "1");
    loop.run_ready();
    EXPECT_THAT(other.heard, ElementsAre("readable"));
    EXPECT_THAT(server.heard, IsEmpty());
    server.stream.reset();
}

TEST_F(MemoryStreamTest, TakesNoMoreThanTheBufferUntilTheOtherSideReads) {
    network.set_faults({.stream_buffer = 4});
    connect();
    server.reads = false;
    EXPECT_EQ(client.write("abcdef"), "4");
    EXPECT_EQ(client.write("ef"), "0");
    loop.run_ready();
    EXPECT_THAT(client.heard, IsEmpty());
    server.chunk = 3;
    server.read_once();
    EXPECT_THAT(client.heard, IsEmpty()) << "an event came from inside a call";
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("writable"));
    EXPECT_EQ(client.write("efgh"), "3");
}

TEST_F(MemoryStreamTest, SaysNothingOfRoomToAWriterThatWasNotTurnedAway) {
    network.set_faults({.stream_buffer = 4});
    connect();
    EXPECT_EQ(client.write("abcd"), "4");
    loop.run_ready();
    EXPECT_EQ(server.received, "abcd");
    EXPECT_THAT(client.heard, IsEmpty());
}

TEST_F(MemoryStreamTest, BlocksTheWriterWhileReadingIsOff) {
    network.set_faults({.stream_buffer = 4});
    connect();
    server.stream->set_reading(false);
    EXPECT_EQ(client.write("abcdef"), "4");
    loop.advance(1h);
    EXPECT_THAT(client.heard, IsEmpty());
    server.stream->set_reading(true);
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("writable"));
}

TEST_F(MemoryStreamTest, TakesNothingBeforeItIsOpenAndSaysWhenItDoes) {
    listener =
        *network.listen(here, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); });
    client.stream = network.connect(here, client);
    EXPECT_EQ(client.write("early"), "0");
    std::byte buffer[4];
    EXPECT_EQ(client.stream->read(buffer), 0u);
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("open", "writable"));
}

TEST_F(MemoryStreamTest, GivesWhatIsLeftAndThenTheEndWhenTheOtherSideCloses) {
    connect();
    EXPECT_EQ(client.write("last words"), "10");
    client.stream.reset();
    loop.run_ready();
    EXPECT_EQ(server.received, "last words");
    EXPECT_EQ(server.end_code(), Code::closed);
    server.heard.clear();
    loop.advance(1s);
    EXPECT_THAT(server.heard, IsEmpty()) << "the end was told, nothing is left";
    server.end.reset();
    server.read_once();
    EXPECT_EQ(server.end_code(), Code::closed) << "and stays so";
}

TEST_F(MemoryStreamTest, FailsToWriteToAPeerThatIsGone) {
    connect();
    server.stream.reset();
    EXPECT_EQ(client.write("anybody?"), "unreachable");
}

TEST_F(MemoryStreamTest, WakesABlockedWriterWhenItsPeerGoes) {
    network.set_faults({.stream_buffer = 1});
    connect();
    client.reads = false;
    server.stream->set_reading(false);
    EXPECT_EQ(client.write("ab"), "1");
    server.stream.reset();
    loop.run_ready();
    EXPECT_EQ(client.heard.front(), "writable");
    EXPECT_EQ(client.write("b"), "unreachable");
}

TEST_F(MemoryStreamTest, FailsToConnectWhereNobodyListens) {
    client.stream = network.connect(Address::ip("127.0.0.1", 7), client);
    loop.run_ready();
    ASSERT_EQ(client.heard.size(), 1u);
    EXPECT_THAT(client.heard[0], HasSubstr("failed: unreachable: no program listens at 127.0.0.1:7"));
    EXPECT_EQ(client.write("x"), "unreachable");
    client.read_once();
    EXPECT_EQ(client.end_code(), Code::unreachable);
    loop.advance(10s);
    EXPECT_EQ(client.heard.size(), 1u) << "a failed connect is the last call";
}

TEST_F(MemoryStreamTest, GivesUpConnectingWhenItIsDestroyed) {
    listener =
        *network.listen(here, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); });
    client.stream = network.connect(here, client);
    client.stream.reset();
    loop.advance(10s);
    EXPECT_FALSE(server.stream);
    EXPECT_THAT(client.heard, IsEmpty());
}

TEST_F(MemoryStreamTest, HearsNothingAfterItIsDestroyed) {
    connect();
    EXPECT_EQ(server.write("x"), "1");
    client.stream.reset();
    loop.advance(1s);
    EXPECT_THAT(client.heard, IsEmpty());
}

TEST_F(MemoryStreamTest, MayBeDestroyedInOnOpen) {
    listener = *network.listen(here, [this](std::unique_ptr<Stream> stream) {
        server.take(std::move(stream));
        EXPECT_EQ(server.write("hello"), "5");
    });
    client.destroys = true;
    client.stream = network.connect(here, client);
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("open"));
    EXPECT_EQ(server.end_code(), Code::closed);
}

TEST_F(MemoryStreamTest, MayBeDestroyedInOnReadable) {
    connect();
    server.destroys = true;
    EXPECT_EQ(client.write("x"), "1");
    loop.advance(1s);
    EXPECT_THAT(server.heard, ElementsAre("readable"));
    EXPECT_EQ(client.end_code(), Code::closed);
}

TEST_F(MemoryStreamTest, MayBeDestroyedInOnWritable) {
    network.set_faults({.stream_buffer = 1});
    connect();
    client.destroys = true;
    EXPECT_EQ(server.write("x"), "1");
    EXPECT_EQ(client.write("ab"), "1");
    server.read_once();
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("writable"));
}

TEST_F(MemoryStreamTest, MayBeDestroyedInOnConnectFailed) {
    client.destroys = true;
    client.stream = network.connect(here, client);
    loop.run_ready();
    ASSERT_EQ(client.heard.size(), 1u);
    EXPECT_THAT(client.heard[0], HasSubstr("127.0.0.1:9000"));
}

TEST_F(MemoryStreamTest, MayBeDestroyedWhileItIsBeingAccepted) {
    listener = *network.listen(here, [this](std::unique_ptr<Stream> stream) {
        client.stream.reset();
        listener.reset();
        server.take(std::move(stream));
    });
    client.stream = network.connect(here, client);
    loop.run_ready();
    EXPECT_THAT(client.heard, IsEmpty());
    EXPECT_EQ(server.end_code(), Code::closed);
}

TEST_F(MemoryStreamTest, EndsForTheClientWhenNobodyKeepsTheAcceptedOne) {
    listener = *network.listen(here, [](std::unique_ptr<Stream>) {});
    client.stream = network.connect(here, client);
    loop.run_ready();
    EXPECT_THAT(client.heard, ElementsAre("open", "readable"));
    EXPECT_EQ(client.end_code(), Code::closed);
}

TEST_F(MemoryStreamTest, NamesTheOtherEndForPeople) {
    connect();
    EXPECT_EQ(client.stream->peer(), "127.0.0.1:9000");
    EXPECT_THAT(server.stream->peer(), HasSubstr("local:"));
}

TEST_F(MemoryStreamTest, OutlivesItsNetworkAndItsListener) {
    auto passing = std::make_unique<MemoryNetwork>(loop);
    listener =
        *passing->listen(here, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); });
    client.stream = passing->connect(here, client);
    loop.run_ready();
    passing.reset();
    listener.reset();
    EXPECT_EQ(client.write("still here"), "10");
    loop.run_ready();
    EXPECT_EQ(server.received, "still here");
}

TEST_F(MemoryStreamTest, SplitsReadsIntoPartsOfAtLeastOneByte) {
    network.set_faults({.split_reads = true});
    connect();
    const std::string sent(1000, 'x');
    EXPECT_EQ(client.write(sent), "1000");
    server.chunk = 1000;
    loop.run_ready();
    EXPECT_EQ(server.received, sent);
    EXPECT_GT(server.heard.size(), 2u);
}

TEST_F(MemoryStreamTest, TakesItsTimeOnANetworkWithDelay) {
    network.set_faults({.min_delay = 10ms, .max_delay = 10ms});
    const Instant start = loop.clock().now();
    listener =
        *network.listen(here, [this](std::unique_ptr<Stream> stream) { server.take(std::move(stream)); });
    client.stream = network.connect(here, client);
    EXPECT_TRUE(loop.run_until([&] { return server.stream != nullptr; }, 1s));
    EXPECT_EQ(loop.clock().now(), start + 10ms);
    EXPECT_TRUE(loop.run_until([&] { return !client.heard.empty(); }, 1s));
    EXPECT_EQ(loop.clock().now(), start + 20ms);
    EXPECT_EQ(client.write("x"), "1");
    client.stream.reset();
    EXPECT_EQ(server.write("into the void"), "13") << "the news of the end is still on its way";
    EXPECT_TRUE(loop.run_until([&] { return server.end.has_value(); }, 1s));
    EXPECT_EQ(server.received, "x");
    EXPECT_EQ(loop.clock().now(), start + 30ms);
}

}  // namespace
}  // namespace caribou
