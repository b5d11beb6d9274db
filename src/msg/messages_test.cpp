// Tests every message that comes with Caribou, with its generated codec and with the schema-based one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "msg/all_messages.hpp"
#include "msg/arbitrary_message.hpp"

namespace caribou::msg {
namespace {

/// The properties of a generated C++ type that the tests need; type erasure avoids compiling every test once
/// per type.
struct MadeMessage {
    std::string_view type_name;
    std::size_t least_size;
    Bytes initial;
    Result<Bytes> (*rewritten)(ByteView);
};

template <class T>
MadeMessage made() {
    return {wire::MessageCodec<T>::type_name, wire::MessageCodec<T>::least_size, wire::encode_cdr(T()),
            [](ByteView bytes) -> Result<Bytes> {
                auto message = wire::decode_cdr<T>(bytes);
                if (!message) return fail(std::move(message.error()));
                return wire::encode_cdr(*message);
            }};
}

template <class... T>
struct MadeOf {
    static std::vector<MadeMessage> all() { return {made<T>()...}; }
};

const std::vector<MadeMessage>& all() {
    static const std::vector<MadeMessage> messages = AllMessages<MadeOf>::all();
    return messages;
}

class Messages : public testing::TestWithParam<MadeMessage> {
protected:
    const MadeMessage& made_ = GetParam();
    const MessageSchema& schema_ = *find_schema(made_.type_name);
};

TEST_P(Messages, BeginAsTheirTypeSays) {
    EXPECT_EQ(made_.initial, encode_value(schema_, initial_value(schema_)));
    EXPECT_EQ(made_.least_size, schema_.least_size);
    EXPECT_LE(made_.least_size + wire::cdr_header_size, made_.initial.size());
}

TEST_P(Messages, AreTheSameBytesByTypeAndByName) {
    EXPECT_TRUE(rc::check([&] {
        const MessageValue value = *arbitrary_message(schema_);
        const Bytes bytes = encode_value(schema_, value);
        const auto read = decode_value(schema_, bytes);
        RC_ASSERT(read.has_value());
        RC_ASSERT(*read == value);
        const Result<Bytes> rewritten = made_.rewritten(bytes);
        RC_ASSERT(rewritten.has_value());
        RC_ASSERT(*rewritten == bytes);
    }));
}

TEST_P(Messages, AreRefusedAlikeWhenCut) {
    EXPECT_TRUE(rc::check([&] {
        Bytes bytes = encode_value(schema_, *arbitrary_message(schema_));
        bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size()));
        const auto by_name = decode_value(schema_, bytes);
        const auto by_type = made_.rewritten(bytes);
        RC_ASSERT(!by_name.has_value());
        RC_ASSERT(!by_type.has_value());
    }));
}

INSTANTIATE_TEST_SUITE_P(All, Messages, testing::ValuesIn(all()), [](const auto& message) {
    std::string name(message.param.type_name);
    std::ranges::replace(name, '/', '_');
    return name;
});

TEST(Schemas, AreAllTested) { EXPECT_EQ(known_schemas().size(), all().size()); }

TEST(Schemas, AreFoundByEitherFormOfTheirName) {
    ASSERT_NE(find_schema("std_msgs/msg/String"), nullptr);
    EXPECT_EQ(find_schema("std_msgs/String"), find_schema("std_msgs/msg/String"));
    EXPECT_EQ(find_schema("std_msgs/msg/Strign"), nullptr);
    EXPECT_EQ(find_schema("String"), nullptr);
}

}  // namespace
}  // namespace caribou::msg
