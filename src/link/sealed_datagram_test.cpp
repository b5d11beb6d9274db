#include "link/sealed_datagram.hpp"

#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "link/datagram_seal.hpp"
#include "link/golden_lines.hpp"

namespace caribou::link {
namespace {

SecretKey key_of(std::uint8_t first) {
    std::array<std::byte, SecretKey::size> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(first + i);
    return SecretKey(bytes);
}

const SecretKey shared = key_of(1);
const SecretKey secret = key_of(100);  // of a session
constexpr SessionMark session{7};

BootMark boot_mark(std::uint64_t boot) {
    BootMark mark{.key = id_of(shared), .boot = boot};
    for (std::size_t i = 0; i < mark.nonce.size(); ++i) mark.nonce[i] = static_cast<std::byte>(boot + i);
    return mark;
}

std::string text_in(const Result<Bytes>& content) {
    return content ? std::string(text_of(*content)) : content.error().message;
}

std::optional<Code> refusal(const Result<Bytes>& content) {
    return content ? std::nullopt : std::optional(content.error().code);
}

TEST(SealedDatagram, StandsAsInTheGoldenFile) {
    const auto golden = golden_lines("sealed.txt");
    const ByteView content = bytes_of("the robot says");
    const auto to_station = Direction::to_station;
    const std::map<std::string, Bytes> sealed{
        {"session_to_station", seal({session, 5}, session_key(secret, to_station), content)},
        {"session_to_robot", seal({session, 5}, session_key(secret, Direction::to_robot), content)},
        {"boot_to_station", seal({boot_mark(3), 5}, boot_key(shared, boot_mark(3), to_station), content)}};
    EXPECT_EQ(golden.size(), sealed.size());
    for (const auto& [name, bytes] : sealed) EXPECT_EQ(hex(bytes), golden.at(name)) << name;
}

TEST(SealedDatagram, TellsItsHeaderWithoutAKey) {
    for (const SealedHeader& header : {SealedHeader{session, 5}, SealedHeader{boot_mark(3), 1ULL << 40U}})
        EXPECT_EQ(read_sealed_header(seal(header, secret, {})), header);
}

TEST(SealedDatagram, HoldsWhatItPromises) {
    const Bytes content(SealedLimits::content, std::byte{9});
    const Bytes sealed = seal({boot_mark(1), 0}, secret, content);
    EXPECT_EQ(sealed.size(), 1200);
    EXPECT_EQ(open_sealed(secret, sealed), content);
}

TEST(SealedDatagram, SaysWhatIsNoSuchDatagram) {
    Bytes sealed = seal({session, 5}, secret, bytes_of("a"));
    sealed[4] = std::byte{2};
    EXPECT_EQ(text_in(open_sealed(secret, sealed)), "not a sealed datagram: version 2, and only 1 is known");
    EXPECT_EQ(text_in(open_sealed(secret, bytes_of("hello"))), "not a sealed datagram: too short");
    Bytes boot = seal({boot_mark(1), 0}, secret, {});
    boot.pop_back();
    EXPECT_EQ(text_in(open_sealed(secret, boot)), "not a sealed datagram: too short");
    EXPECT_EQ(text_in(open_sealed(secret, Bytes(1201))), "not a sealed datagram: too long");
    EXPECT_EQ(text_in(open_sealed(secret, Bytes(100))), "not a sealed datagram: it does not begin with CSEA");
}

TEST(SealedDatagram, IsRefusedWhateverBitIsFlipped) {
    DatagramSealer sealer(session, secret, Direction::to_station);
    const Bytes sealed = sealer.seal(bytes_of("the robot says"));
    SessionOpener opener(session, secret, Direction::to_station);
    for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
        Bytes altered = sealed;
        altered[bit / 8] ^= std::byte{1} << (bit % 8);
        EXPECT_FALSE(opener.open(altered).has_value()) << bit;
    }
    EXPECT_EQ(text_in(opener.open(sealed)), "the robot says");
}

TEST(SealedDatagram, OfAnotherSessionDirectionOrKeyIsRefused) {
    const Bytes sealed = DatagramSealer(session, secret, Direction::to_station).seal(bytes_of("a"));
    for (SessionOpener opener : {SessionOpener({8}, secret, Direction::to_station),
                                 SessionOpener(session, secret, Direction::to_robot),
                                 SessionOpener(session, shared, Direction::to_station)})
        EXPECT_EQ(refusal(opener.open(sealed)), Code::refused);
    BootOpener before(secret, Direction::to_station);
    EXPECT_EQ(refusal(before.open(sealed)), Code::refused);
}

TEST(SealedDatagram, ComesOnceInWhateverOrder) {
    DatagramSealer sealer(session, secret, Direction::to_robot);
    SessionOpener opener(session, secret, Direction::to_robot);
    const Bytes first = sealer.seal(bytes_of("1"));
    const Bytes second = sealer.seal(bytes_of("2"));
    EXPECT_EQ(text_in(opener.open(second)), "2");
    EXPECT_EQ(text_in(opener.open(first)), "1");
    EXPECT_EQ(text_in(opener.open(second)), "a datagram that was seen before, or is too old");
}

TEST(SealedDatagram, ThatIsForgedCannotCloseTheWindow) {
    SessionOpener opener(session, secret, Direction::to_robot);
    const Bytes forged = seal({session, 1ULL << 60U}, shared, bytes_of("forged"));
    EXPECT_EQ(refusal(opener.open(forged)), Code::refused);
    DatagramSealer sealer(session, secret, Direction::to_robot);
    EXPECT_EQ(text_in(opener.open(sealer.seal(bytes_of("1")))), "1");
}

TEST(BootDatagram, OfAnEarlierStartIsRefused) {
    DatagramSealer first(boot_mark(1), shared, Direction::to_station);
    DatagramSealer second(boot_mark(2), shared, Direction::to_station);
    BootOpener opener(shared, Direction::to_station);
    EXPECT_EQ(text_in(opener.open(first.seal(bytes_of("1")))), "1");
    EXPECT_EQ(text_in(opener.open(second.seal(bytes_of("2")))), "2");
    EXPECT_EQ(text_in(opener.open(first.seal(bytes_of("3")))),
              "a datagram from before the sender's latest start");
    EXPECT_EQ(opener.heard(), (BootProgress{.boot = 2, .number = 0}));
}

TEST(BootDatagram, OfAnotherStartUnderTheSameNumberIsRefused) {
    BootMark twin = boot_mark(1);
    twin.nonce[0] ^= std::byte{1};
    BootOpener opener(shared, Direction::to_station);
    EXPECT_TRUE(
        opener.open(DatagramSealer(boot_mark(1), shared, Direction::to_station).seal({})).has_value());
    DatagramSealer other(twin, shared, Direction::to_station);
    other.seal({});
    EXPECT_EQ(refusal(opener.open(other.seal({}))), Code::refused);
}

TEST(BootDatagram, HeardInAnEarlierLifeIsRefused) {
    DatagramSealer sealer(boot_mark(4), shared, Direction::to_station);
    const Bytes old = sealer.seal(bytes_of("old"));
    BootOpener before(shared, Direction::to_station);
    EXPECT_EQ(text_in(before.open(old)), "old");
    BootOpener now(shared, Direction::to_station, before.heard());
    EXPECT_EQ(refusal(now.open(old)), Code::refused);
    EXPECT_EQ(text_in(now.open(sealer.seal(bytes_of("new")))), "new");
}

TEST(BootDatagram, OfASenderThatHasLostItsCounterIsOpenedButAcceptedOnlyWhenItHasProvedItself) {
    DatagramSealer first(boot_mark(1), shared, Direction::to_station);
    DatagramSealer second(boot_mark(2), shared, Direction::to_station);
    BootOpener opener(shared, Direction::to_station);
    const Bytes earlier = first.seal(bytes_of("1"));
    EXPECT_EQ(text_in(opener.open_earlier(earlier)), "a datagram of the sender's latest start")
        << "nothing was heard";
    const Bytes latest = second.seal(bytes_of("2"));
    EXPECT_TRUE(opener.open(latest));
    EXPECT_EQ(text_in(opener.open_earlier(latest)), "a datagram of the sender's latest start");
    EXPECT_EQ(text_in(opener.open_earlier(earlier)), "1");
    EXPECT_EQ(opener.heard(), (BootProgress{.boot = 2, .number = 0})) << "not accepted yet";
    for (const SealedHeader& foreign : {SealedHeader{session, 5}, SealedHeader{BootMark{.key = {5}}, 5}}) {
        EXPECT_EQ(text_in(opener.open_earlier(seal(foreign, shared, {}))), "a datagram under another key");
        opener.accept_earlier(foreign);
        EXPECT_EQ(opener.heard(), (BootProgress{.boot = 2, .number = 0}));
    }
    opener.accept_earlier(read_sealed_header(earlier).value());
    EXPECT_EQ(opener.heard(), (BootProgress{.boot = 1, .number = 0}));
    EXPECT_EQ(refusal(opener.open(earlier)), Code::refused) << "once";
    EXPECT_EQ(text_in(opener.open(first.seal(bytes_of("next")))), "next");
    BootMark twin = boot_mark(1);
    twin.nonce[0] ^= std::byte{1};
    DatagramSealer other(twin, shared, Direction::to_station);
    for (int i = 0; i < 3; ++i) other.seal({});
    EXPECT_EQ(refusal(opener.open(other.seal({}))), Code::refused) << "its start is the latest";
}

TEST(BootDatagram, OfALaterStartReplacesTheOneBefore) {
    BootOpener opener(shared, Direction::to_station);
    for (std::uint64_t boot = 1; boot <= 3; ++boot) {
        DatagramSealer sealer(boot_mark(boot), shared, Direction::to_station);
        EXPECT_TRUE(opener.open(sealer.seal({})));
        EXPECT_TRUE(opener.open(sealer.seal({})));
    }
}

/// Modified, repeated, or sealed with another key: none is accepted.
TEST(SealedDatagram, ThatIsAlteredReplayedOrForeignIsNeverAccepted) {
    constexpr int rounds = 20'000;
    Random random(8);
    DatagramSealer good(session, secret, Direction::to_station);
    DatagramSealer foreign(session, shared, Direction::to_station);
    SessionOpener opener(session, secret, Direction::to_station);
    Bytes content(40);
    int good_accepted = 0;
    int bad_accepted = 0;
    for (int round = 0; round < rounds; ++round) {
        for (std::byte& byte : content) byte = static_cast<std::byte>(random.next());
        const Bytes datagram = good.seal(content);
        Bytes altered = datagram;
        for (auto flips = random.between(1, 8); flips > 0; --flips)
            altered[random.below(altered.size())] ^= static_cast<std::byte>(random.between(1, 255));
        if (altered != datagram && opener.open(altered)) ++bad_accepted;
        if (opener.open(foreign.seal(content))) ++bad_accepted;
        if (opener.open(datagram)) ++good_accepted;
        if (opener.open(datagram)) ++bad_accepted;
    }
    EXPECT_EQ(good_accepted, rounds);
    EXPECT_EQ(bad_accepted, 0);
}

TEST(SecretKey, HasANameThatTellsNothing) {
    const KeyId id = id_of(shared);
    EXPECT_NE(id, id_of(secret));
    EXPECT_EQ(key_id_from(to_string(id)), id);
    EXPECT_EQ(key_id_from("12"), std::nullopt);
    EXPECT_EQ(key_id_from(""), std::nullopt);
    EXPECT_EQ(key_id_from("0000000000000000").value(), KeyId{});
    EXPECT_EQ(key_id_from("10000000000000000"), std::nullopt);
    EXPECT_EQ(key_id_from("12345678901234AB"), std::nullopt);
    EXPECT_NE(load_le<std::uint64_t>(shared.bytes().data()), id.value);
}

TEST(SecretKey, DerivesAnotherForEachPurpose) {
    EXPECT_EQ(shared.derive("a"), shared.derive("a"));
    EXPECT_NE(shared.derive("a"), shared.derive("b"));
    EXPECT_NE(shared.derive("ab"), shared.derive("a", bytes_of("b")));
    EXPECT_NE(shared.derive("a"), secret.derive("a"));
}

}  // namespace
}  // namespace caribou::link
