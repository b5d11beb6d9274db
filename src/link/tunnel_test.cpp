#include "link/tunnel.hpp"

#include <gtest/gtest.h>

#include "loop/memory_network.hpp"
#include "loop/stream_witness.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::link {
namespace {

using namespace std::chrono_literals;

class TunnelTest : public testing::Test {
protected:
    explicit TunnelTest(const Faults& faults = {}) : network(loop, 5, faults) {
        listener = std::move(*far->listen(Address::ip("far", 9500), [this](std::unique_ptr<Stream> stream) {
            server.take(std::move(stream));
        }));
        EXPECT_TRUE(tunnel.open(Address::ip("near", 9000)).has_value());
        client.stream = near->connect(Address::ip("near", 9000), client);
    }

    VirtualLoop loop;
    MemoryLog log;
    MemoryNetwork network;
    std::unique_ptr<Network> near = network.on_host("near");
    std::unique_ptr<Network> far = network.on_host("far");
    std::unique_ptr<Listener> listener;
    StreamWitness client;
    StreamWitness server;
    Tunnel tunnel{{*near, *near}, Address::ip("far", 9500), log};
};

class NarrowTunnel : public TunnelTest {
protected:
    NarrowTunnel() : TunnelTest({.max_delay = 1ms, .split_reads = true, .stream_buffer = 1000}) {}
};

TEST_F(TunnelTest, CarriesBytesBothWays) {
    loop.run_ready();
    client.write("hello");
    server.write("welcome");
    loop.run_ready();
    EXPECT_EQ(server.received, "hello");
    EXPECT_EQ(client.received, "welcome");
    EXPECT_EQ(tunnel.connections(), 1);
}

TEST_F(TunnelTest, EndsBothSidesTogether) {
    loop.run_ready();
    client.write("bye");
    client.stream.reset();
    loop.run_ready();
    EXPECT_EQ(server.received, "bye");
    EXPECT_EQ(server.end_code(), Code::closed);
    EXPECT_EQ(tunnel.connections(), 0);
}

TEST_F(TunnelTest, EndsWhoComesWhenNobodyIsThere) {
    listener.reset();
    for (int i = 0; i < 3; ++i) {
        client = {};
        client.stream = near->connect(Address::ip("near", 9000), client);
        loop.run_ready();
        EXPECT_EQ(client.end_code(), Code::closed);
    }
    EXPECT_EQ(log.lines.size(), 1) << "told once";
    EXPECT_TRUE(log.mentions("no program listens at far:9500"));
    EXPECT_EQ(tunnel.connections(), 0);
}

TEST_F(NarrowTunnel, HoldsUpWhoIsTooFastAndLosesNothing) {
    server.reads = false;
    ASSERT_TRUE(loop.run_until([&] { return server.stream != nullptr; }, 1s));
    std::string sent;
    const auto send = [&] {
        const std::string text(500, static_cast<char>('a' + sent.size() / 500 % 26));
        const ByteView piece = bytes_of(text);
        const auto taken = client.stream->write({&piece, 1});
        ASSERT_TRUE(taken.has_value());
        sent += text.substr(0, *taken);
    };
    for (int i = 0; i < 200; ++i) {
        send();
        loop.advance(2ms);
    }
    EXPECT_LT(sent.size(), 5000) << "nothing piles up";
    server.reads = true;
    for (int i = 0; i < 200; ++i) {
        send();
        loop.advance(5ms);
    }
    client.stream.reset();
    EXPECT_TRUE(loop.run_until([&] { return server.end.has_value(); }, 60s));
    EXPECT_EQ(server.received, sent);
    EXPECT_GT(sent.size(), 20'000);
}

}  // namespace
}  // namespace caribou::link
