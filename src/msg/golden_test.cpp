// Compares our serialization with tests/golden/cdr/messages.txt, which contains messages as CycloneDDS writes
// them (verified by tests/dds_peers_test.cpp).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include <test_paths.hpp>
#include "msg/counted_message.hpp"

namespace caribou::msg {
namespace {

std::map<std::string, std::string> golden() {
    std::ifstream file(tests::in_repository("tests/golden/cdr/messages.txt"));
    std::map<std::string, std::string> bytes;
    for (std::string type, hex; file >> type >> hex;) bytes[type] = hex;
    return bytes;
}

std::string hex(ByteView bytes) {
    std::string text;
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<int>(byte));
    return text;
}

TEST(GoldenMessages, AreThere) { EXPECT_GE(golden().size(), 18u); }

TEST(GoldenMessages, AreWhatWeWriteAndRead) {
    for (const auto& [type, expected] : golden()) {
        const MessageSchema* schema = find_schema(type);
        ASSERT_NE(schema, nullptr) << type;
        const MessageValue value = CountedMessage(*schema).value();
        const Bytes bytes = encode_value(*schema, value);
        EXPECT_EQ(hex(bytes), expected) << type;
        const auto read = decode_value(*schema, bytes);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_TRUE(*read == value) << type;
    }
}

}  // namespace
}  // namespace caribou::msg
