#include "adapters/openssl/tls_stream.hpp"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "adapters/openssl/tls_fixture.hpp"
#include "base/random.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

std::string some_text(std::size_t size, std::uint64_t seed) {
    Random random(seed);
    std::string text(size, ' ');
    for (char& letter : text) letter = static_cast<char>(random.next());
    return text;
}

/// Writes a text as fast as it is accepted.
void write_all(TlsRig& rig, StreamWitness& from, std::string_view text) {
    while (!text.empty()) {
        const ByteView piece = bytes_of(text);
        const auto taken = from.stream->write({&piece, 1});
        ASSERT_TRUE(taken.has_value()) << taken.error().message;
        text.remove_prefix(*taken);
        if (text.empty()) break;
        const auto heard = from.heard.size();
        ASSERT_TRUE(rig.loop.run_until(
            [&] {
                return std::count(from.heard.begin() + static_cast<std::ptrdiff_t>(heard), from.heard.end(),
                                  "writable") > 0;
            },
            60s));
    }
}

/// The station's end, with TLS controlled by the test.
class ManualClient {
public:
    explicit ManualClient(TlsRig& rig) : rig_(rig), engine(TlsEngine::client(context_, rig.key)) {
        rig_.dial_plainly();
        rig_.loop.run_ready();
    }
    /// Forwards bytes in both directions, at most `most` bytes to the robot.
    void exchange(std::size_t& most) {
        static_cast<void>(engine->shake_hands());
        const ByteView outgoing = engine->outgoing();
        const ByteView passed = outgoing.first(std::min(most, outgoing.size()));
        most -= passed.size();
        rig_.client.write(text_of(passed));
        engine->sent(outgoing.size());
        rig_.loop.run_ready();
        engine->feed(bytes_of(std::exchange(rig_.client.received, "")));
    }
    void exchange() {
        std::size_t most = SIZE_MAX;
        exchange(most);
    }
    /// Completes the handshake.
    void shake_hands(std::size_t most = SIZE_MAX) {
        for (int i = 0; i < 3; ++i) exchange(most);
    }

private:
    TlsRig& rig_;
    TlsContext context_;

public:
    std::unique_ptr<TlsEngine> engine;
};

TEST(TlsStream, CarriesMoreThanFitsOnTheWay) {
    TlsRig rig(1, {.max_delay = 1ms, .stream_buffer = 10'000});
    rig.server.chunk = 70'000;
    rig.dial();
    ASSERT_TRUE(rig.loop.run_until([&] { return rig.server.stream != nullptr; }, 1s));
    const std::string text = some_text(500'000, 2);
    write_all(rig, rig.client, text);
    EXPECT_TRUE(rig.loop.run_until([&] { return rig.server.received.size() == text.size(); }, 60s));
    EXPECT_EQ(rig.server.received, text);
}

TEST(TlsStream, HoldsTheSenderUpWhileNobodyReads) {
    TlsRig rig(0, {.stream_buffer = 10'000});
    rig.dial();
    rig.loop.run_ready();
    rig.server.stream->set_reading(false);
    const std::string text = some_text(100'000, 3);
    const ByteView piece = bytes_of(text);
    const auto taken = rig.client.stream->write({&piece, 1});
    ASSERT_TRUE(taken.has_value());
    EXPECT_LT(*taken, 40'000);
    rig.loop.advance(1s);
    EXPECT_EQ(rig.server.received, "");
    EXPECT_EQ(rig.client.write("more"), "0");
    rig.server.stream->set_reading(true);
    rig.loop.advance(1s);
    EXPECT_EQ(rig.server.received, text.substr(0, *taken));
}

TEST(TlsStream, TakesManyPiecesAsOne) {
    TlsRig rig;
    rig.dial();
    rig.loop.run_ready();
    const std::string large = some_text(40'000, 4);
    const std::array<ByteView, 6> pieces{bytes_of("one"), ByteView{},        bytes_of("two"),
                                         bytes_of(large), bytes_of("three"), ByteView{}};
    EXPECT_EQ(rig.client.stream->write(pieces), large.size() + 11);
    rig.loop.advance(1s);
    EXPECT_EQ(rig.server.received, "onetwo" + large + "three");
}

TEST(TlsStream, ComesAgainWhileAnythingIsLeft) {
    TlsRig rig;
    rig.server.chunk = 1;
    rig.dial();
    rig.loop.run_ready();
    rig.client.write("letter by letter");
    rig.loop.run_ready();
    EXPECT_EQ(rig.server.received, "letter by letter");
}

TEST(TlsStream, WaitsForItsOwner) {
    TlsRig rig;
    std::unique_ptr<Stream> held;
    const auto listener = rig.robot.listen(Address::ip("robot", 9700),
                                           [&](std::unique_ptr<Stream> stream) { held = std::move(stream); });
    rig.client.stream = rig.station.connect(Address::ip("robot", 9700), rig.client);
    rig.loop.run_ready();
    rig.client.write("early");
    rig.loop.advance(1s);
    rig.server.take(std::move(held));
    rig.loop.run_ready();
    EXPECT_EQ(rig.server.received, "early");
}

TEST(TlsStream, EndsInGoodOrder) {
    TlsRig rig;
    rig.dial();
    rig.loop.run_ready();
    rig.client.write("the last word");
    rig.client.stream.reset();
    rig.loop.run_ready();
    EXPECT_EQ(rig.server.received, "the last word");
    EXPECT_EQ(rig.server.end_code(), Code::closed);
}

TEST(TlsStream, CanStillBeWrittenWhenTheOtherEndHasEndedItsSending) {
    TlsRig rig;
    ManualClient client(rig);
    client.shake_hands();
    ASSERT_TRUE(rig.server.stream);
    client.engine->end();
    client.exchange();
    EXPECT_EQ(rig.server.end_code(), Code::closed);
    EXPECT_EQ(rig.server.write("and yet"), "7");
    rig.loop.run_ready();
    client.exchange();
    std::array<std::byte, 100> room;
    const auto got = client.engine->read(room);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(text_of(ByteView(room).first(*got)), "and yet");
}

TEST(TlsStream, TellsACutFromAnEnd) {
    TlsRig rig;
    rig.dial();
    rig.loop.run_ready();
    rig.network.reset("robot", "station");
    rig.loop.run_ready();
    EXPECT_EQ(rig.server.end_code(), Code::unreachable);
    EXPECT_EQ(rig.client.write("anyone?"), "unreachable");
}

TEST(TlsStream, NoticesWhatWasAltered) {
    TlsRig rig;
    ManualClient client(rig);
    client.shake_hands();
    ASSERT_TRUE(rig.server.stream);
    ASSERT_TRUE(client.engine->write(bytes_of("HALT")).has_value());
    std::string altered(text_of(client.engine->outgoing()));
    altered.back() ^= 1;
    rig.client.write(altered);
    rig.loop.run_ready();
    EXPECT_EQ(rig.server.received, "");
    EXPECT_EQ(rig.server.end_code(), Code::unreachable);
    EXPECT_EQ(rig.server.write("broken"), "unreachable");
}

/// Cuts the connection after each possible number of bytes sent by a client during the handshake.
TEST(TlsStream, IsRefusedWhereverTheHandshakeIsCut) {
    for (std::size_t allowed = 0;; allowed += 7) {
        TlsRig rig;
        ManualClient client(rig);
        client.shake_hands(allowed);
        if (rig.server.stream) break;  // the handshake was completed
        rig.client.stream.reset();
        rig.loop.run_ready();
        ASSERT_EQ(rig.robot.counts().refused, 1) << allowed;
        ASSERT_LT(allowed, 10'000);
    }
}

TEST(TlsStream, TellsTheClientWhereverTheHandshakeIsCut) {
    int failed = 0;
    for (auto after = 0us; after < 4000us; after += 100us) {
        TlsRig rig(9, {.min_delay = 1ms, .max_delay = 1ms});
        rig.dial();
        rig.loop.advance(after);
        rig.network.reset("robot", "station");
        rig.loop.advance(10s);
        const bool opened = !rig.client.heard.empty() && rig.client.heard[0] == "open";
        if (opened) {
            EXPECT_EQ(rig.client.end_code(), Code::unreachable) << after.count();
        } else {
            ASSERT_EQ(rig.client.heard.size(), 1) << after.count();
            EXPECT_TRUE(rig.client.heard[0].starts_with("failed: ")) << rig.client.heard[0];
            ++failed;
        }
    }
    EXPECT_GT(failed, 10);
}

TEST(TlsStream, MayBeDestroyedByAnyEvent) {
    TlsRig rig;
    rig.client.destroys = true;
    rig.dial();
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.heard, std::vector<std::string>{"open"});
    EXPECT_EQ(rig.server.end_code(), Code::closed);
    rig.dial_with(test_key(2));
    rig.loop.run_ready();
    EXPECT_EQ(rig.client.heard.size(), 2);
}

RC_GTEST_PROP(TlsStream, BringsOutWhatWentIn, ()) {
    const Faults faults{.max_delay = std::chrono::microseconds(*rc::gen::inRange(0, 3000)),
                        .split_reads = *rc::gen::arbitrary<bool>(),
                        .stream_buffer = *rc::gen::inRange<std::size_t>(500, 60'000)};
    TlsRig rig(*rc::gen::arbitrary<std::uint64_t>(), faults);
    rig.server.chunk = *rc::gen::inRange<std::size_t>(20, 40'000);
    rig.client.chunk = *rc::gen::inRange<std::size_t>(20, 1000);
    rig.dial();
    RC_ASSERT(rig.loop.run_until([&] { return rig.server.stream != nullptr; }, 60s));
    std::string to_server;
    std::string to_client;
    const auto sizes = *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 4000));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::string text = some_text(sizes[i], i);
        write_all(rig, i % 2 == 0 ? rig.client : rig.server, text);
        (i % 2 == 0 ? to_server : to_client) += text;
    }
    RC_ASSERT(rig.loop.run_until(
        [&] {
            return rig.server.received.size() == to_server.size() &&
                   rig.client.received.size() == to_client.size();
        },
        600s));
    RC_ASSERT(rig.server.received == to_server);
    RC_ASSERT(rig.client.received == to_client);
}

}  // namespace
}  // namespace caribou
