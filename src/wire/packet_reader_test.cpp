#include "wire/packet_reader.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/limits.hpp"
#include "wire/codec.hpp"
#include "wire/head.hpp"
#include "wire/message_test.hpp"

namespace caribou::wire {
namespace {

using testing::HasSubstr;
using Kind = PacketReader::Step::Kind;
using Packets = std::vector<std::vector<Message>>;

constexpr std::size_t max_message = 64_KiB;
constexpr std::int32_t int_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t int_max = std::numeric_limits<std::int32_t>::max();

Packets any_packets() { return *rc::gen::resize(6, rc::gen::arbitrary<Packets>()); }

Packets example_packets() {
    return {
        {{.type = MessageType::timing, .key = "_async_timing", .time = 5, .value = 0},
         {.id = 3, .type = MessageType::notify, .source = "vec", .aux = "aux", .key = "VEC_D", .value = 4.5}},
        {},
        {{.type = MessageType::notify, .data_type = DataType::string, .key = "S", .payload = "hello"}}};
}

Bytes encode(const Packets& packets) {
    Bytes stream;
    for (const auto& messages : packets) append(stream, encode_packet(std::span(messages)));
    return stream;
}

std::vector<Message> flat(const Packets& packets) {
    std::vector<Message> all;
    for (const auto& messages : packets) all.insert(all.end(), messages.begin(), messages.end());
    return all;
}

struct Reading {
    std::vector<Message> messages;
    std::size_t packets_begun = 0;
    std::size_t packets_ended = 0;
    std::size_t most_wanted = 0;
    std::optional<Error> error;
};

/// Reads like a connection: passes the bytes that have arrived and removes those that were consumed. The
/// stream arrives in pieces of the given sizes, used cyclically.
class Arrival {
public:
    explicit Arrival(std::size_t limit = max_message) : reader_(limit) {}

    Reading read(ByteView stream, const std::vector<std::size_t>& pieces) {
        for (std::size_t turn = 0; !stream.empty() && !reading_.error; ++turn) {
            const std::size_t size =
                std::min(stream.size(), std::max<std::size_t>(1, pieces[turn % pieces.size()]));
            append(arrived_, stream.first(size));
            stream = stream.subspan(size);
            digest();
        }
        return reading_;
    }

private:
    void digest() {
        for (;;) {
            const auto step = reader_.next(arrived_);
            if (!step) {
                reading_.error = step.error();
                return;
            }
            EXPECT_LE(step->consumed, arrived_.size());
            switch (step->kind) {
                case Kind::need_more:
                    EXPECT_EQ(step->consumed, 0u);
                    EXPECT_GT(step->wanted, arrived_.size());
                    reading_.most_wanted = std::max(reading_.most_wanted, step->wanted);
                    return;
                case Kind::packet: ++reading_.packets_begun; break;
                case Kind::message:
                    EXPECT_EQ(step->raw.data(), arrived_.data());
                    EXPECT_EQ(step->raw.size(), step->consumed);
                    reading_.messages.push_back(own(step->message));
                    break;
                case Kind::packet_end: ++reading_.packets_ended; break;
            }
            arrived_.erase(arrived_.begin(), arrived_.begin() + static_cast<std::ptrdiff_t>(step->consumed));
        }
    }

    PacketReader reader_;
    Bytes arrived_;
    Reading reading_;
};

Reading read(ByteView stream, const std::vector<std::size_t>& pieces = {std::string::npos}) {
    return Arrival().read(stream, pieces);
}

/// Returns every number that the error message calls an offset.
std::vector<std::size_t> offsets_named(const Error& error) {
    constexpr std::string_view word = "offset ";
    std::vector<std::size_t> offsets;
    for (auto at = error.message.find(word); at != std::string::npos; at = error.message.find(word, at + 1))
        offsets.push_back(std::stoull(error.message.substr(at + word.size())));
    return offsets;
}

bool names_a_place_within(const Error& error, std::size_t size) {
    const auto offsets = offsets_named(error);
    return !offsets.empty() &&
           std::ranges::all_of(offsets, [&](std::size_t offset) { return offset <= size; });
}

/// Returns the positions of the lengths and counts in a packet, as described in docs/formats/moos-wire.md.
std::vector<std::size_t> places_of_lengths(std::span<const Message> messages) {
    std::vector<std::size_t> places = {0, 4};
    std::size_t at = packet_header_size;
    for (const Message& m : messages) {
        places.push_back(at);
        at += 10;
        for (const auto* text : {&m.source, &m.aux, &m.community, &m.key}) {
            places.push_back(at);
            at += 4 + text->size();
        }
        at += 24;
        places.push_back(at);
        at += 4 + m.payload.size();
    }
    return places;
}

/// Sets each length and count of `packet` to each of its extreme values and reads the result after `before`:
/// the outcome must be messages, or an error that names its position.
void expect_survives_every_wrong_length(const Packets& before, const std::vector<Message>& packet) {
    const auto whole_before = flat(before);
    const Bytes good_before = encode(before);
    const Bytes good_packet = encode_packet(std::span(packet));
    for (const std::size_t place : places_of_lengths(packet)) {
        const auto right = load_le<std::int32_t>(good_packet.data() + place);
        for (const std::int32_t wrong : {int_min, -1, 0, 1, right - 1, right + 1, int_max}) {
            Bytes stream = good_before;
            append(stream, good_packet);
            store_le(stream.data() + good_before.size() + place, wrong);
            const Reading reading = read(stream);
            RC_ASSERT(reading.most_wanted <= max_message);
            RC_ASSERT(reading.messages.size() >= whole_before.size());
            RC_ASSERT(identical({reading.messages.begin(),
                                 reading.messages.begin() + static_cast<std::ptrdiff_t>(whole_before.size())},
                                whole_before));
            if (reading.error) RC_ASSERT(names_a_place_within(*reading.error, stream.size()));
        }
    }
}

Error error_of(const Bytes& stream) {
    return read(stream).error.value_or(Error{Code::not_found, "no error"});
}

TEST(PacketReader, WantsAWholeHeaderFirst) {
    PacketReader reader(max_message);
    const Bytes stream = encode(example_packets());
    for (std::size_t size = 0; size < packet_header_size; ++size) {
        const auto step = reader.next(ByteView(stream).first(size));
        ASSERT_TRUE(step.has_value());
        EXPECT_EQ(step->kind, Kind::need_more);
        EXPECT_EQ(step->wanted, packet_header_size);
    }
    EXPECT_EQ(reader.offset(), 0u);
    EXPECT_TRUE(reader.between_packets());
}

TEST(PacketReader, TellsWherePacketsBeginAndEnd) {
    PacketReader reader(max_message);
    const Bytes stream = encode_packet(MessageView{});
    ByteView input = stream;
    std::vector<Kind> kinds;
    for (auto step = reader.next(input); step->kind != Kind::need_more; step = reader.next(input)) {
        kinds.push_back(step->kind);
        input = input.subspan(step->consumed);
        EXPECT_EQ(reader.offset(), stream.size() - input.size());
        EXPECT_EQ(reader.between_packets(), step->kind == Kind::packet_end);
    }
    EXPECT_EQ(kinds, (std::vector{Kind::packet, Kind::message, Kind::packet_end}));
}

TEST(PacketReader, ReadsAPacketWithoutMessages) {
    const Reading reading = read(encode(Packets{{}}));
    EXPECT_FALSE(reading.error);
    EXPECT_EQ(reading.packets_begun, 1u);
    EXPECT_EQ(reading.packets_ended, 1u);
    EXPECT_TRUE(reading.messages.empty());
}

TEST(PacketReader, PassesOverTheCompressionFlag) {
    Bytes stream = encode(example_packets());
    stream[8] = std::byte{1};
    EXPECT_EQ(read(stream).messages, flat(example_packets()));
}

TEST(PacketReader, PassesOverWhatFollowsTheLastFieldOfAMessage) {
    Bytes message;
    append_message(message, {.key = "A"});
    append(message, bytes_of("more"));
    store_le(message.data(), static_cast<std::int32_t>(message.size()));
    Bytes stream;
    append_packet_header(stream, 2 * message.size(), 2);
    append(stream, message);
    append(stream, message);
    const Reading reading = read(stream);
    EXPECT_FALSE(reading.error);
    EXPECT_EQ(reading.messages, (std::vector<Message>{{.key = "A"}, {.key = "A"}}));
}

TEST(PacketReader, GivesTheMessagesOfAPacketThatIsStillArriving) {
    Bytes stream;
    append_packet_header(stream, int_max - packet_header_size, 1'000'000);
    append_message(stream, {.key = "A"});
    append_message(stream, {.key = "B"});
    const Reading reading = read(stream);
    EXPECT_FALSE(reading.error);
    EXPECT_EQ(reading.messages.size(), 2u);
    EXPECT_EQ(reading.packets_ended, 0u);
    EXPECT_EQ(reading.most_wanted, 4u);
}

TEST(PacketReader, ReadsAMessageAsLargeAsTheLimitAndNoLarger) {
    const Bytes stream = encode_packet({.payload = "12345678"});
    const std::size_t size = stream.size() - packet_header_size;
    EXPECT_EQ(Arrival(size).read(stream, {1}).messages.size(), 1u);
    const Reading refused = Arrival(size - 1).read(stream, {1});
    EXPECT_TRUE(refused.messages.empty());
    EXPECT_EQ(refused.error,
              (Error{Code::limit_exceeded,
                     "message at offset 9: limit max_message reached: 62 of at most 61 bytes"}));
}

TEST(PacketReader, RefusesAPacketShorterThanItsHeader) {
    for (const std::int32_t length : {int_min, -1, 0, 8}) {
        Bytes stream = encode(example_packets());
        store_le(stream.data(), length);
        const Error error = error_of(stream);
        EXPECT_EQ(error.code, Code::malformed);
        EXPECT_EQ(error.message,
                  fmt::format("packet at offset 0: length {} is less than its header of 9 bytes", length));
    }
}

TEST(PacketReader, RefusesMoreMessagesThanThePacketCanHold) {
    for (const std::int32_t count : {int_min, -1, 2, int_max}) {
        Bytes stream = encode(example_packets());
        const std::size_t first = stream.size();
        append(stream, encode_packet({.key = "A"}));
        store_le(stream.data() + first + 4, count);
        const Error error = error_of(stream);
        EXPECT_EQ(error.code, Code::malformed);
        EXPECT_EQ(error.message,
                  fmt::format("packet at offset {}: {} messages do not fit into 55 bytes", first, count));
    }
}

TEST(PacketReader, RefusesAMessageThatLeavesNoRoomForTheOthers) {
    Bytes stream = encode(Packets{{{.key = "A"}, {.key = "B"}}});
    store_le(stream.data() + packet_header_size, std::int32_t{57});
    EXPECT_EQ(
        error_of(stream).message,
        "message at offset 9: length 57 is not between 54 and the 56 bytes that the packet leaves for it");
}

TEST(PacketReader, RefusesBytesBehindTheLastMessageOfAPacket) {
    Bytes stream;
    append_packet_header(stream, min_message_size + 3, 1);
    append_message(stream, {});
    append(stream, bytes_of("???"));
    const Error error = error_of(stream);
    EXPECT_EQ(error.code, Code::malformed);
    EXPECT_THAT(error.message, HasSubstr("packet ends at offset 63, but its length promises 3 more bytes"));
}

TEST(PacketReader, EveryPrefixOfAStreamIsABeginning) {
    const Bytes stream = encode(example_packets());
    const auto all = flat(example_packets());
    for (std::size_t size = 0; size <= stream.size(); ++size) {
        const Reading reading = read(ByteView(stream).first(size));
        ASSERT_FALSE(reading.error) << size;
        ASSERT_TRUE(std::ranges::equal(reading.messages, std::span(all).first(reading.messages.size())))
            << size;
    }
}

RC_GTEST_PROP(PacketReader, AnyPrefixOfAStreamIsABeginning, ()) {
    const Packets packets = any_packets();
    const Bytes stream = encode(packets);
    const auto size = *rc::gen::inRange<std::size_t>(0, stream.size() + 1);
    const Reading reading = read(ByteView(stream).first(size));
    RC_ASSERT(!reading.error);
    auto begun = flat(packets);
    begun.resize(reading.messages.size());
    RC_ASSERT(identical(reading.messages, begun));
}

RC_GTEST_PROP(PacketReader, ReadsTheSameHoweverTheStreamIsSplit, ()) {
    const Packets packets = any_packets();
    const auto pieces = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(
        rc::gen::oneOf(rc::gen::inRange<std::size_t>(1, 12), rc::gen::inRange<std::size_t>(1, 300))));
    const Reading reading = read(encode(packets), pieces);
    RC_ASSERT(!reading.error);
    RC_ASSERT(reading.packets_begun == packets.size());
    RC_ASSERT(reading.packets_ended == packets.size());
    RC_ASSERT(identical(reading.messages, flat(packets)));
}

/// Reads a stream that arrives as a whole, without decoding messages whose head equals that of the last one.
Reading read_similar(ByteView stream, std::size_t& skipped) {
    PacketReader reader(max_message);
    Reading reading;
    Bytes head;
    for (;;) {
        const auto next = reader.next_similar(stream, head, max_message);
        stream = stream.subspan(next.consumed);
        if (next.consumed > 0) {
            skipped += 1;
            if (next.begins_packet) ++reading.packets_begun;
            reading.messages.push_back(own(decode_message(next.raw).value()));
            continue;
        }
        const auto step = reader.next(stream);
        if (!step) reading.error = step.error();
        if (!step || step->kind == Kind::need_more) return reading;
        stream = stream.subspan(step->consumed);
        if (step->kind == Kind::packet) ++reading.packets_begun;
        if (step->kind != Kind::message) continue;
        reading.messages.push_back(own(step->message));
        const ByteView found = head_of(step->raw, step->message);
        head.assign(found.begin(), found.end());
    }
}

Packets packets_of_few_variables() {
    const auto message = rc::gen::map(
        rc::gen::tuple(rc::gen::element<std::string>("A", "A", "A", "B"), any_text(), any_double(),
                       rc::gen::arbitrary<std::int32_t>()),
        [](const auto& parts) {
            const auto& [key, payload, value, id] = parts;
            return Message{
                .id = id, .type = MessageType::notify, .key = key, .value = value, .payload = payload};
        });
    return *rc::gen::container<Packets>(rc::gen::container<std::vector<Message>>(message));
}

RC_GTEST_PROP(PacketReader, ReadsSimilarMessagesAsAllOthers, ()) {
    const Packets packets = packets_of_few_variables();
    std::size_t skipped = 0;
    const Reading reading = read_similar(encode(packets), skipped);
    RC_ASSERT(!reading.error);
    RC_ASSERT(reading.packets_begun == packets.size());
    RC_ASSERT(identical(reading.messages, flat(packets)));
}

RC_GTEST_PROP(PacketReader, FindsTheSameErrorsBehindSimilarMessages, ()) {
    const Packets packets = packets_of_few_variables();
    Bytes stream = encode(packets);
    RC_PRE(!stream.empty());
    stream[*rc::gen::inRange<std::size_t>(0, stream.size())] = static_cast<std::byte>(*any_char());
    std::size_t skipped = 0;
    const Reading similar = read_similar(stream, skipped);
    const Reading decoded = read(stream);
    RC_ASSERT(identical(similar.messages, decoded.messages));
    RC_ASSERT(similar.packets_begun == decoded.packets_begun);
    RC_ASSERT(similar.error.has_value() == decoded.error.has_value());
    if (similar.error) RC_ASSERT(similar.error->message == decoded.error->message);
}

TEST(PacketReader, DoesNotDecodeFurtherValuesOfAVariable) {
    const Message a{.type = MessageType::notify, .key = "A", .value = 1};
    const Message b{.type = MessageType::notify, .key = "B", .value = 2};
    std::size_t skipped = 0;
    const Reading reading = read_similar(encode({{a, a}, {a}, {b, b}, {a}}), skipped);
    EXPECT_EQ(reading.messages.size(), 6u);
    EXPECT_EQ(skipped, 3u);
}

TEST(PacketReader, LeavesLongSimilarMessagesToTheCaller) {
    const Message message{.type = MessageType::notify, .key = "A", .payload = std::string(100, 'x')};
    const Bytes stream = encode_packet(view(message));
    const ByteView raw = ByteView(stream).subspan(packet_header_size);
    const ByteView head = head_of(raw, *decode_message(raw));
    EXPECT_EQ(PacketReader(max_message).next_similar(stream, head, raw.size() - 1).consumed, 0u);
    EXPECT_EQ(PacketReader(raw.size() - 1).next_similar(stream, head, raw.size()).consumed, 0u);
    EXPECT_EQ(PacketReader(max_message).next_similar(stream, head, raw.size()).consumed, stream.size());
}

TEST(PacketReader, SurvivesEveryWrongLengthInTheExample) {
    const auto packets = example_packets();
    expect_survives_every_wrong_length({packets[2]}, packets[0]);
    expect_survives_every_wrong_length({packets[0]}, packets[1]);
}

RC_GTEST_PROP(PacketReader, SurvivesEveryWrongLength, ()) {
    const auto packet = *rc::gen::resize(4, rc::gen::arbitrary<std::vector<Message>>());
    expect_survives_every_wrong_length(*rc::gen::resize(2, rc::gen::arbitrary<Packets>()), packet);
}

RC_GTEST_PROP(PacketReader, SurvivesAnyBytes, ()) {
    const auto text = *rc::gen::container<std::string>(any_char());
    const Reading reading = read(bytes_of(text), {7});
    RC_ASSERT(reading.most_wanted <= max_message);
    if (reading.error) RC_ASSERT(names_a_place_within(*reading.error, text.size()));
}

}  // namespace
}  // namespace caribou::wire
