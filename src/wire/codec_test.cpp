#include "wire/codec.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "wire/message_test.hpp"

namespace caribou::wire {
namespace {

using testing::HasSubstr;
using namespace std::string_literals;

std::string padded(std::string text) {
    text.resize(greeting_size);
    return text;
}

Bytes encode(const Message& m) {
    Bytes out;
    append_message(out, view(m));
    return out;
}

/// Encodes a message with extra bytes after the last field, as a future sender might.
Bytes encode_with_more_behind(const Message& m, std::string_view more) {
    Bytes out = encode(m);
    append(out, bytes_of(more));
    store_le(out.data(), static_cast<std::int32_t>(out.size()));
    return out;
}

TEST(Greeting, IsItself) {
    EXPECT_EQ(text_of(greeting()), padded("ELKS CAN'T DANCE 2/8/10"));
    EXPECT_TRUE(is_greeting(greeting()));
}

TEST(Greeting, CountsInAnyCaseOfLetters) {
    EXPECT_TRUE(is_greeting(bytes_of(padded("elks can't dance 2/8/10"))));
    EXPECT_TRUE(is_greeting(bytes_of(padded("Elks Can't dANCE 2/8/10"))));
}

TEST(Greeting, MayHaveAnythingBehindTheFirstNul) {
    EXPECT_TRUE(is_greeting(bytes_of("ELKS CAN'T DANCE 2/8/10\0junk!\xff\0?"s)));
}

TEST(Greeting, IsNothingElse) {
    EXPECT_FALSE(is_greeting(bytes_of(padded(""))));
    EXPECT_FALSE(is_greeting(bytes_of(padded("ELKS CAN'T DANCE 2/8/1"))));
    EXPECT_FALSE(is_greeting(bytes_of(padded("ELKS CAN'T DANCE 2/8/11"))));
    EXPECT_FALSE(is_greeting(bytes_of(padded("ELKS CAN'T DANCE 2/8/10 "))));
    EXPECT_FALSE(is_greeting(bytes_of(padded(" ELKS CAN'T DANCE 2/8/10"))));
    EXPECT_FALSE(is_greeting(bytes_of(padded("ELKS CAN\0T DANCE 2/8/10"s))));
    EXPECT_FALSE(is_greeting(bytes_of("ELKS CAN'T DANCE 2/8/10 for ever"s)));
    EXPECT_FALSE(is_greeting(bytes_of("GET / HTTP/1.1\r\nHost: localhost\r"s)));
}

TEST(Greeting, Has32Bytes) {
    EXPECT_FALSE(is_greeting({}));
    EXPECT_FALSE(is_greeting(greeting().first(31)));
    EXPECT_FALSE(is_greeting(greeting().first(23)));
    EXPECT_FALSE(is_greeting(bytes_of(padded("ELKS CAN'T DANCE 2/8/10") + '\0')));
}

RC_GTEST_PROP(Greeting, IsSpoiltByAnyOtherByteInItsText, ()) {
    auto text = std::string(text_of(greeting()));
    const auto place = *rc::gen::inRange<std::size_t>(0, 23);
    const char right = text[place];
    const auto upper = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
    text[place] = *rc::gen::suchThat(any_char(), [&](char c) { return upper(c) != right; });
    RC_ASSERT(!is_greeting(bytes_of(text)));
}

TEST(Codec, EmptyMessageHas54Bytes) {
    EXPECT_EQ(encoded_size({}), min_message_size);
    EXPECT_EQ(encode({}).size(), min_message_size);
}

TEST(Codec, PacketHeaderCountsItself) {
    Bytes appended;
    append_packet_header(appended, 100, 1);
    EXPECT_EQ(text_of(appended), "\x6d\0\0\0\x01\0\0\0\0"s);
    Bytes stored(packet_header_size);
    store_packet_header(stored.data(), 100, 1);
    EXPECT_EQ(stored, appended);
}

TEST(Codec, PacketWithoutMessagesIsItsHeader) {
    EXPECT_EQ(text_of(encode_packet(std::span<const Message>{})), "\x09\0\0\0\0\0\0\0\0"s);
}

RC_GTEST_PROP(Codec, AnyMessageRoundTrips, (const Message& m)) {
    const Bytes bytes = encode(m);
    RC_ASSERT(bytes.size() == encoded_size(view(m)));
    const auto decoded = decode_message(bytes);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(identical(own(*decoded), m));
}

RC_GTEST_PROP(Codec, DecodedFieldsStandInTheInput, (const Message& m)) {
    const Bytes bytes = encode(m);
    const auto decoded = decode_message(bytes);
    RC_ASSERT(decoded.has_value());
    const auto input = text_of(bytes);
    for (const auto field :
         {decoded->source, decoded->aux, decoded->community, decoded->key, decoded->payload})
        RC_ASSERT(field.data() >= input.data() && field.data() + field.size() <= input.data() + input.size());
}

RC_GTEST_PROP(Codec, PacketOfOneIsTheSameFromAViewAndFromAList, (const Message& m)) {
    RC_ASSERT(encode_packet(view(m)) == encode_packet(std::span(&m, 1)));
}

RC_GTEST_PROP(Codec, PassesOverWhatFollowsTheLastField, (const Message& m)) {
    const Bytes bytes = encode_with_more_behind(m, *any_text());
    const auto decoded = decode_message(bytes);
    RC_ASSERT(decoded.has_value());
    RC_ASSERT(identical(own(*decoded), m));
}

RC_GTEST_PROP(Codec, ReplacingTheCommunityEqualsEncodingAnew, (Message m)) {
    const Bytes raw = encode_with_more_behind(m, *any_text());
    const auto community = *any_text();
    Bytes replaced = encode({});  // earlier bytes must be preserved
    append_with_community(replaced, raw, *decode_message(raw), community);
    m.community = community;
    Bytes anew = encode({});
    append_message(anew, view(m));
    RC_ASSERT(replaced == anew);
}

RC_GTEST_PROP(Codec, NoCutMessageDecodes, (const Message& m)) {
    const Bytes bytes = encode(m);
    const auto size = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const auto decoded = decode_message(ByteView(bytes).first(size));
    RC_ASSERT(!decoded.has_value());
    RC_ASSERT(decoded.error().code == Code::malformed);
}

TEST(Codec, SaysHowShortAMessageIs) {
    const auto decoded = decode_message(ByteView(encode({})).first(53), 1000);
    ASSERT_FALSE(decoded.has_value());
    EXPECT_EQ(decoded.error(),
              (Error{Code::malformed, "message at offset 1000: 53 bytes, but the least is 54"}));
}

TEST(Codec, NamesTheFieldThatDoesNotFit) {
    const Message m{.source = "vec", .key = "VEC_D"};
    constexpr std::size_t key_length = 10 + (4 + 3) + 4 + 4;
    for (const std::int32_t length :
         {-1, 1000, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()}) {
        Bytes bytes = encode(m);
        store_le(bytes.data() + key_length, length);
        const auto decoded = decode_message(bytes, 9);
        ASSERT_FALSE(decoded.has_value()) << length;
        EXPECT_EQ(decoded.error().code, Code::malformed);
        EXPECT_THAT(decoded.error().message,
                    HasSubstr("message at offset 9: the field at offset 34 does not fit"));
    }
}

TEST(Codec, NamesTheNumberThatDoesNotFit) {
    Bytes bytes = encode({});
    constexpr std::size_t key_length = 10 + 4 + 4 + 4;
    store_le(bytes.data() + key_length, std::int32_t{26});  // leaves two bytes for the time
    const auto decoded = decode_message(bytes);
    ASSERT_FALSE(decoded.has_value());
    EXPECT_THAT(decoded.error().message,
                HasSubstr("the field at offset 52 does not fit into the message's 54 bytes"));
}

}  // namespace
}  // namespace caribou::wire
