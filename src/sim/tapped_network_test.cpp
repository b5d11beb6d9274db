#include "sim/tapped_network.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/keyed_network.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "sim/intruder.hpp"
#include "sim/stalling_network.hpp"
#include "sim/wiretap.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

class Notes final : public StreamTap {
public:
    void on_read(StreamNumber, ByteView bytes) override { read += text_of(bytes); }
    void on_written(StreamNumber, ByteView bytes) override { written += text_of(bytes); }
    void on_gone(StreamNumber) override { ++gone; }

    std::string read;
    std::string written;
    int gone = 0;
};

/// Reads all available bytes.
class Ear final : public StreamEvents {
public:
    void on_readable() override {
        std::array<std::byte, 64> room;
        const auto size = stream->read(room);
        if (size) heard += text_of(ByteView(room).first(*size));
    }
    void on_writable() override {}

    std::unique_ptr<Stream> stream;
    std::string heard;
};

Result<std::size_t> say(Stream& stream, std::string_view text) {
    const std::array pieces{bytes_of(text.substr(0, 1)), bytes_of(text.substr(1))};
    return stream.write(pieces);
}

struct Pair {
    Pair() {
        auto made = tapped.listen(Address::ip("127.0.0.1", 9), [this](std::unique_ptr<Stream> stream) {
            server.stream = std::move(stream);
            server.stream->attach(server);
        });
        listener = std::move(*made);
        client.stream = stalling.connect(Address::ip("127.0.0.1", 9), client);
        loop.run_ready();
    }

    VirtualLoop loop;
    MemoryNetwork network{loop, 1, {.stream_buffer = 8}};
    Notes notes;
    TappedNetwork tapped{network, notes};
    StallingNetwork stalling{network};
    Ear server;
    Ear client;
    std::unique_ptr<Listener> listener;
};

TEST(TappedNetwork, HearsWhatIsReadAndWritten) {
    Pair pair;
    ASSERT_TRUE(say(*pair.client.stream, "hello"));
    EXPECT_EQ(pair.notes.read, "") << "it has not been read yet";
    pair.loop.run_ready();
    EXPECT_EQ(pair.notes.read, "hello");
    EXPECT_EQ(pair.server.heard, "hello");
    ASSERT_TRUE(say(*pair.server.stream, "well"));
    EXPECT_EQ(pair.notes.written, "well");
}

TEST(TappedNetwork, HearsOnlyWhatTheNetworkTakes) {
    Pair pair;
    EXPECT_EQ(say(*pair.server.stream, "more than there is room for"), 8u);
    EXPECT_EQ(pair.notes.written, "more tha");
}

TEST(TappedNetwork, HearsTheEnd) {
    Pair pair;
    pair.server.stream.reset();
    EXPECT_EQ(pair.notes.gone, 1);
}

/// A listener that requires a key, and a client that has it and whose connection is tapped.
struct KeyedPair : testing::Test {
    KeyedPair() {
        listener = *inside.listen(Address::ip("127.0.0.1", 9), [this](std::unique_ptr<Stream> stream) {
            server.stream = std::move(stream);
            server.stream->attach(server);
            ++let_in;
        });
    }
    bool gets_in(Intruder::Kind kind, Network& by, Bytes recorded = {}) {
        const int before = let_in;
        const Intruder intruder(by, Address::ip("127.0.0.1", 9), kind, random, std::move(recorded));
        loop.advance(1s);
        EXPECT_EQ(intruder.got_in(), let_in > before) << "it knows whether it was let in";
        return let_in > before;
    }

    Random random{1};
    link::SecretKey key = random_key(random);
    VirtualLoop loop;
    MemoryNetwork network{loop};
    Notes notes;
    StreamWiretap wiretap;
    TappedNetwork wire{network, wiretap};
    link::KeyedNetwork listening{network, {.keys = [this](link::KeyId id) -> Result<link::SecretKey> {
                                     if (id == link::id_of(key)) return key;
                                     return fail(Code::not_found, "no such key");
                                 }}};
    TappedNetwork inside{listening, notes};
    Ear server;
    Ear client;
    std::unique_ptr<Listener> listener;
    int let_in = 0;
};

TEST_F(KeyedPair, ProveTheKeyThroughTaps) {
    link::KeyedNetwork dialling(wire, {.own_key = key});
    client.stream = dialling.connect(Address::ip("127.0.0.1", 9), client);
    loop.run_ready();
    ASSERT_NE(server.stream, nullptr);
    ASSERT_NE(link::secured(*server.stream), nullptr);
    EXPECT_EQ(link::secured(*server.stream)->key(), link::id_of(key));
    EXPECT_EQ(link::secured(*server.stream)->derive("this"), link::secured(*client.stream)->derive("this"));
    ASSERT_TRUE(say(*client.stream, "hello"));
    loop.run_ready();
    EXPECT_EQ(notes.read, "hello") << "what is said once it stands";
}

TEST_F(KeyedPair, LetNobodyInWithAWrongKeyOrOldWords) {
    link::KeyedNetwork dialling(wire, {.own_key = key, .seed = 1});
    client.stream = dialling.connect(Address::ip("127.0.0.1", 9), client);
    loop.run_ready();
    ASSERT_TRUE(say(*client.stream, "move"));
    loop.run_ready();
    const Bytes recorded = wiretap.any(random);
    ASSERT_GT(recorded.size(), link::KeyedNetwork::reply_size);

    EXPECT_FALSE(gets_in(Intruder::Kind::replayer, network, recorded));
    link::KeyedNetwork wrong(network, {.own_key = random_key(random)});
    EXPECT_FALSE(gets_in(Intruder::Kind::wrong_key, wrong));
    EXPECT_FALSE(gets_in(Intruder::Kind::hasty, network));
    link::KeyedNetwork right(network, {.own_key = key, .seed = 2});
    EXPECT_TRUE(gets_in(Intruder::Kind::wrong_key, right)) << "the proof is what counts";
}

TEST(StallingNetwork, KeepsBytesFromBeingReadUntilItIsOver) {
    Pair pair;
    pair.stalling.stall(true);
    ASSERT_TRUE(say(*pair.server.stream, "hello"));
    pair.loop.advance(1s);
    EXPECT_EQ(pair.client.heard, "");
    pair.stalling.stall(false);
    pair.loop.advance(1s);
    EXPECT_EQ(pair.client.heard, "hello");
}

TEST(StallingNetwork, CountsForNewStreamsToo) {
    Pair pair;
    pair.stalling.stall(true);
    pair.client.stream = pair.stalling.connect(Address::ip("127.0.0.1", 9), pair.client);
    pair.loop.advance(1s);
    ASSERT_TRUE(say(*pair.server.stream, "hello"));
    pair.loop.advance(1s);
    EXPECT_EQ(pair.client.heard, "");
    pair.client.stream->set_reading(true);
    pair.loop.advance(1s);
    EXPECT_EQ(pair.client.heard, "") << "its owner's wish to read does not end the stall";
}

}  // namespace
}  // namespace caribou::sim
