#include "sim/tapped_network.hpp"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"
#include "sim/stalling_network.hpp"

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

/// Reads all there is.
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
