// Faults while ten well-behaved clients exchange messages, and their effect on these. The broker is the real
// program in a separate process.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/limits.hpp"
#include "base/log.hpp"
#include "base/random.hpp"
#include "faults/broker_process.hpp"
#include "faults/quality.hpp"
#include "faults/raw_client.hpp"
#include "faults/steady_clients.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "wire/codec.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

double milliseconds(Duration d) { return to_seconds(d) * 1000; }

class Faults : public testing::Test {
protected:
    /// Duration of the undisturbed measurement, and minimum duration of a disturbance.
    static constexpr Duration look = 1s;
    /// Much longer than anything takes on a busy machine.
    static constexpr Duration limit = 60s;

    Faults() {
        EXPECT_TRUE(raise_descriptor_limit());
        wait(look);  // warms up caches
        steady.begin();
        wait(look);
        usual = steady.end(loop);
    }

    void wait(Duration span) {
        loop.run_until([] { return false; }, span);
    }

    /// Runs the disturbance until it has happened, and checks the service for the ten clients meanwhile.
    void expect_unharmed_until(const std::function<bool()>& happened) {
        const Instant least = loop.clock().now() + look;
        const auto alarm = loop.make_timer([] {});  // conditions are evaluated after each event
        alarm->arm(least);
        EXPECT_TRUE(loop.run_until([&] { return loop.clock().now() >= least && happened(); }, limit))
            << "what was to happen did not";
        const Quality now = steady.end(loop);
        const Allowed allowed(usual, now);
        EXPECT_GT(now.messages, 0u);
        EXPECT_LE(milliseconds(now.p50), milliseconds(allowed.p50)) << "usual: " << milliseconds(usual.p50);
        EXPECT_LE(milliseconds(now.worst_gap), milliseconds(allowed.gap))
            << "usual: " << milliseconds(usual.worst_gap);
        RecordProperty("p50_ms",
                       fmt::format("{:.3f} (usual {:.3f})", milliseconds(now.p50), milliseconds(usual.p50)));
        RecordProperty("gap_ms",
                       fmt::format("{:.1f} (usual {:.1f}, ticks late by {:.1f})", milliseconds(now.worst_gap),
                                   milliseconds(usual.worst_gap), milliseconds(now.worst_tick)));
    }

    void TearDown() override {
        steady.stop();
        EXPECT_TRUE(steady.never_lost()) << "a well-behaved client lost its connection";
        const auto end = broker.stop();
        ASSERT_TRUE(end) << "the broker does not end";
        EXPECT_EQ(end->code, 0) << end->err;
    }

    RawClient& connect(Bytes first) {
        clients.push_back(std::make_unique<RawClient>(network, broker.address(), std::move(first)));
        return *clients.back();
    }
    template <class Holds>
    bool all(Holds holds) const {
        return std::ranges::all_of(clients, [&](const auto& client) { return holds(*client); });
    }

    NullLog log;
    BrokerProcess broker;
    EventLoop loop;
    SocketNetwork network{loop, log};
    SteadyClients steady{broker.address()};
    Quality usual;
    Random random{20260101};
    std::vector<std::unique_ptr<RawClient>> clients;
};

Bytes random_bytes(Random& random, std::size_t size) {
    Bytes bytes(size);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    return bytes;
}

TEST_F(Faults, SurvivesRandomBytes) {
    steady.begin();
    for (int i = 0; i < 100; ++i) {
        Bytes said;
        // Every other one completes the handshake first, so that the bytes are read as packets.
        if (i % 2 == 1) said = hello(fmt::format("random_{}", i));
        append(said, random_bytes(random, 16_KiB));
        connect(std::move(said));
    }
    expect_unharmed_until([&] { return all([](const RawClient& c) { return c.ended(); }); });
}

TEST_F(Faults, SurvivesAWebBrowser) {
    steady.begin();
    for (int i = 0; i < 100; ++i) {
        const std::string_view request =
            "GET / HTTP/1.1\r\nHost: localhost:9000\r\nConnection: keep-alive\r\n\r\n";
        const ByteView bytes = bytes_of(request);
        connect(Bytes(bytes.begin(), bytes.end()));
    }
    // At once, not after five seconds of silence.
    const Instant begun = loop.clock().now();
    EXPECT_TRUE(loop.run_until([&] { return all([](const RawClient& c) { return c.ended(); }); }, limit));
    EXPECT_LT(to_seconds(loop.clock().now() - begun), 4);
    expect_unharmed_until([] { return true; });
}

TEST_F(Faults, SurvivesWrongGreetings) {
    steady.begin();
    for (std::size_t i = 0; i < 23; ++i) {
        Bytes said = hello("wrong");
        said[i] ^= std::byte{1};
        connect(std::move(said));
    }
    expect_unharmed_until([&] { return all([](const RawClient& c) { return c.ended() && !c.welcome(); }); });
}

TEST_F(Faults, WelcomesAGreetingThatComesByteByByte) {
    steady.begin();
    const Bytes said = hello("by_bytes");
    RawClient& client = connect({});
    std::size_t next = 0;
    std::unique_ptr<Timer> timer = loop.make_timer([&] {
        if (client.standing() && next < said.size()) client.say(ByteView(said).subspan(next++, 1));
        timer->arm(loop.clock().now() + 1ms);
    });
    timer->arm(loop.clock().now());
    expect_unharmed_until([&] { return client.welcome(); });
    EXPECT_FALSE(client.ended());
}

/// A packet with one value, and all variants with one field at an extreme.
class Extremes {
public:
    /// Returns all packets with one field at one of its extremes.
    std::vector<Bytes> packets() const {
        std::vector<Bytes> all;
        for (const std::size_t at : lengths())
            for (const std::int32_t extreme : whole_numbers(load_le<std::int32_t>(good.data() + at)))
                all.push_back(with(at, extreme));
        for (const std::size_t at : reals())
            for (const double extreme : real_numbers) all.push_back(with(at, extreme));
        for (int letter = 0; letter < 256; ++letter)
            for (const std::size_t at : {compression_at, type_at, type_at + 1})
                all.push_back(with(at, static_cast<std::uint8_t>(letter)));
        return all;
    }

private:
    static constexpr std::size_t compression_at = 8;
    static constexpr std::size_t type_at = wire::packet_header_size + 8;
    static constexpr double real_numbers[] = {std::numeric_limits<double>::quiet_NaN(),
                                              std::numeric_limits<double>::infinity(),
                                              -std::numeric_limits<double>::infinity(),
                                              std::numeric_limits<double>::max(),
                                              std::numeric_limits<double>::lowest(),
                                              std::numeric_limits<double>::denorm_min(),
                                              -0.0};

    static std::vector<std::int32_t> whole_numbers(std::int32_t right) {
        return {std::numeric_limits<std::int32_t>::min(),
                std::numeric_limits<std::int32_t>::max(),
                -1,
                0,
                1,
                right - 1,
                right + 1,
                1 << 16,
                1 << 24};
    }
    /// Returns the offsets of the integers: of the packet, of the message, and the five strings' sizes.
    std::vector<std::size_t> lengths() const {
        std::vector<std::size_t> all{0, 4, 9, 13};
        std::size_t at = type_at + 2;
        for (int string = 0; string < 4; ++string) {
            all.push_back(at);
            at += 4 + static_cast<std::size_t>(load_le<std::int32_t>(good.data() + at));
        }
        all.push_back(at + 3 * sizeof(double));
        return all;
    }
    std::vector<std::size_t> reals() const {
        const std::size_t first = lengths().back() - 3 * sizeof(double);
        return {first, first + 8, first + 16};
    }
    template <class T>
    Bytes with(std::size_t at, T value) const {
        Bytes packet = good;
        store_le(packet.data() + at, value);
        return packet;
    }

    Bytes good = wire::encode_packet(wire::MessageView{.id = 1,
                                                       .type = wire::MessageType::notify,
                                                       .source = "extreme",
                                                       .aux = "aux",
                                                       .community = "far",
                                                       .key = "EXTREME",
                                                       .time = 1,
                                                       .value = 2,
                                                       .payload = "payload"});
};

TEST_F(Faults, SurvivesEveryFieldAtItsExtremes) {
    steady.begin();
    std::size_t number = 0;
    for (const Bytes& packet : Extremes().packets()) {
        Bytes said = hello(fmt::format("extreme_{}", number++));
        append(said, packet);
        // A client that is still connected after that registers with an invalid interval.
        append(said, wire::encode_packet(wire::MessageView{
                         .type = wire::MessageType::register_,
                         .key = "EXTREME",
                         .value = number % 2 == 0 ? std::numeric_limits<double>::quiet_NaN() : -1e300}));
        connect(std::move(said));
    }
    EXPECT_GT(clients.size(), 800u);
    expect_unharmed_until([&] { return all([](const RawClient& c) { return c.welcome() || c.ended(); }); });
}

TEST_F(Faults, SurvivesAPacketThatNeverEnds) {
    const std::size_t before = broker.peak_memory();
    steady.begin();
    RawClient& client = connect(hello("endless"));
    Bytes header;
    append_le<std::int32_t>(header, std::numeric_limits<std::int32_t>::max());
    append_le<std::int32_t>(header, 30'000'000);  // about as many as fit
    append_le<std::uint8_t>(header, 0);
    client.say(header);
    const Bytes packet = value_packet("ENDLESS", std::string(10'000, 'x'));
    const ByteView message = ByteView(packet).subspan(wire::packet_header_size);
    std::size_t said = 0;
    std::unique_ptr<Timer> timer = loop.make_timer([&] {
        if (client.unsaid() == 0) client.say(message);
        said += 1;
        timer->arm(loop.clock().now() + 1ms);
    });
    timer->arm(loop.clock().now());
    // One whose only message claims to exceed the size limit, and one that is incomplete.
    Bytes oversized = hello("oversized");
    for (const std::int32_t claim : {std::numeric_limits<std::int32_t>::max(), 1, 0x2000000,
                                     std::numeric_limits<std::int32_t>::max() - 9})
        append_le(oversized, claim);
    RawClient& refused = connect(std::move(oversized));
    expect_unharmed_until([&] { return said >= 1000 && refused.ended(); });
    EXPECT_FALSE(client.ended()) << "what has come of it makes sense";
    EXPECT_LT(broker.peak_memory(), before + 32_MiB);
}

class FaultsWithClients : public Faults {
protected:
    /// Connects many clients at once, with one registration each.
    void come(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            Bytes said = hello(fmt::format("one_of_many_{}", i));
            append(said, wire::encode_packet(wire::MessageView{
                             .type = wire::MessageType::register_, .key = "NEWS", .value = 0}));
            connect(std::move(said));
        }
    }
    bool all_welcome() const {
        return all([](const RawClient& c) { return c.welcome(); });
    }
};

TEST_F(FaultsWithClients, Serves200AtOnce) {
    steady.begin();
    come(200);
    expect_unharmed_until([&] { return all_welcome(); });
}

TEST_F(FaultsWithClients, Serves2000AtOnce) {
    steady.begin();
    come(2000);
    expect_unharmed_until([&] { return all_welcome(); });
}

TEST_F(FaultsWithClients, ServesDescriptorsBeyond1024) {
    steady.begin();
    come(1200);
    ASSERT_TRUE(loop.run_until([&] { return all_welcome(); }, limit));
    EXPECT_GT(broker.open_descriptors(), 1024u);
    RawClient& writer = connect(hello("late_writer"));
    writer.say(value_packet("NEWS", "for everybody"));
    expect_unharmed_until([&] {
        // The last of them have the highest descriptors.
        return std::ranges::all_of(clients.begin() + 1100, clients.end() - 1, [](const auto& client) {
            const auto heard = client->heard();
            return !heard.empty() && heard.back().payload == "for everybody";
        });
    });
}

TEST_F(Faults, SurvivesAReaderThatStops) {
    // A camera's data rate, as fast as the broker can follow under a sanitizer.
    constexpr std::size_t offered = 400'000'000;
    constexpr std::size_t rate = sanitized ? 40'000'000 : 100'000'000;
    constexpr std::size_t images = 16;
    const std::size_t before = broker.peak_memory();
    steady.begin();
    Bytes said = hello("deaf");
    append(said,
           wire::encode_packet(wire::MessageView{.type = wire::MessageType::wildcard_register,
                                                 .data_type = wire::DataType::string,
                                                 .key = "deaf",
                                                 .payload = "AppPattern=*,VarPattern=IMAGE_*,Interval=0"}));
    RawClient& deaf = connect(std::move(said));
    ASSERT_TRUE(loop.run_until([&] { return deaf.welcome(); }, limit));
    deaf.stop_reading();

    RawClient& camera = connect(hello("camera"));
    std::size_t sent = 0;
    const Instant begun = loop.clock().now();
    std::unique_ptr<Timer> timer = loop.make_timer([&] {
        const double due = to_seconds(loop.clock().now() - begun) * static_cast<double>(rate);
        for (int burst = 0; burst < 4 && camera.unsaid() == 0 && static_cast<double>(sent) < due; ++burst) {
            const Bytes image =
                value_packet(fmt::format("IMAGE_{}", sent / 64'000 % images), std::string(64'000, 'i'));
            camera.say(image);
            sent += image.size();
        }
        timer->arm(loop.clock().now() + 1ms);
    });
    timer->arm(begun);
    expect_unharmed_until([&] { return sent >= offered; });
    EXPECT_FALSE(camera.ended());
    // At most backlog_max bytes wait for one client, after a packet of at most the same size.
    EXPECT_LT(broker.peak_memory(), before + 100_MiB);
}

TEST_F(Faults, ClosesSilentConnectionsAfterFiveSeconds) {
    steady.begin();
    const Instant begun = loop.clock().now();
    for (int i = 0; i < 50; ++i) {
        const Bytes all_said = hello("silent");
        // Nothing; part of the greeting; the greeting only; part of the name.
        constexpr std::size_t parts[] = {0, 7, wire::greeting_size, wire::greeting_size + 20};
        connect(Bytes(all_said.begin(), all_said.begin() + static_cast<std::ptrdiff_t>(parts[i % 4])));
    }
    std::optional<Instant> first_end;
    expect_unharmed_until([&] {
        for (const auto& client : clients)
            if (client->ended() && !first_end) first_end = loop.clock().now();
        return all([](const RawClient& c) { return c.ended(); });
    });
    ASSERT_TRUE(first_end);
    EXPECT_GE(to_seconds(*first_end - begun), 4.9);
    EXPECT_LT(to_seconds(loop.clock().now() - begun), sanitized ? 15 : 8);
}

}  // namespace
}  // namespace caribou::tests
