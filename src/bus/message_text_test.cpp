#include "bus/message_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace caribou::bus {
namespace {

using wire::DataType;

TEST(MessageText, ShowsEachKindOfValueInOneLine) {
    EXPECT_EQ(value_text({.value = 3.25}), "3.25");
    EXPECT_EQ(value_text({.data_type = DataType::string, .payload = "a\nb\x1b[2J"}), "a\\nb\\x1b[2J");
    EXPECT_EQ(value_text({.data_type = DataType::binary, .payload = "abc"}), "<3 bytes>");
    EXPECT_EQ(value_text({.data_type = DataType::none}), "");
}

TEST(MessageText, CutsBetweenLetters) {
    EXPECT_EQ(printable("äöü", 2), "ä…");
    EXPECT_EQ(printable("äöü", 3), "äö…");
    EXPECT_EQ(printable("abc", 3), "abc");
    EXPECT_EQ(printable("\xc3"), "\\xc3");
    EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");
}

TEST(MessageText, MakesALineAndAnObjectOfAMessage) {
    const wire::MessageView message{
        .source = "pNav", .community = "alpha", .key = "NAV_X", .time = 1'800'000'000.125, .value = 3.25};
    EXPECT_EQ(message_line(message), "08:00:00.125  NAV_X                pNav             3.25");
    EXPECT_EQ(message_json(message),
              R"({"time":1800000000.125,"variable":"NAV_X","type":"number","value":3.25,"source":"pNav",)"
              R"("aux":"","community":"alpha"})");
    EXPECT_EQ(
        message_json({.data_type = DataType::binary, .key = "B", .time = 0, .payload = "\x01\xff"}),
        R"({"time":0.0,"variable":"B","type":"binary","value":"01ff","source":"","aux":"","community":""})");
}

RC_GTEST_PROP(MessageText, NeverPrintsAControlCharacter, (const std::string& text)) {
    RC_ASSERT(std::ranges::none_of(printable(text),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }));
}

}  // namespace
}  // namespace caribou::bus
