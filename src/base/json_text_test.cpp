#include "base/json_text.hpp"

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json_node.hpp"

namespace caribou {
namespace {

TEST(JsonText, QuotesAndEscapes) {
    EXPECT_EQ(json_quoted("a\"b\\c\n\x1f\x7f"), "\"a\\\"b\\\\c\\u000a\\u001f\x7f\"");
    EXPECT_EQ(json_quoted("grüße 🤖"), "\"grüße 🤖\"");
}

TEST(JsonText, ReplacesWhatIsNoUtf8) {
    EXPECT_EQ(json_quoted("a\xff"), "\"a\uFFFD\"");
    EXPECT_EQ(json_quoted("gr\xc3"), "\"gr\uFFFD\"") << "cut inside a character";
    EXPECT_EQ(json_quoted("\xc0\x80"), "\"\uFFFD\uFFFD\"") << "longer than needed";
    EXPECT_EQ(json_quoted("\xed\xa0\x80"), "\"\uFFFD\uFFFD\uFFFD\"") << "half of a pair";
    EXPECT_EQ(json_quoted("\xf4\x90\x80\x80"), "\"\uFFFD\uFFFD\uFFFD\uFFFD\"") << "beyond the last";
}

TEST(JsonText, HasNoWordForWhatIsNoNumber) {
    EXPECT_EQ(json_fixed(1.23456, 3), "1.235");
    EXPECT_EQ(json_fixed(-2, 0), "-2");
    EXPECT_EQ(json_fixed(std::numeric_limits<double>::quiet_NaN(), 3), "null");
    EXPECT_EQ(json_fixed(std::numeric_limits<double>::infinity(), 3), "null");
}

RC_GTEST_PROP(JsonText, MakesJsonOfAnyBytes, (const std::string& bytes)) {
    RC_ASSERT(read_json(json_quoted(bytes)).has_value());
}

TEST(JsonOf, WritesWhatWasReadWithoutComments) {
    const auto node = read_json(R"({"a": [1, -2.5e3, true, null] /* no JSON */, "b\"": {"c": "\u00fc"}})");
    ASSERT_TRUE(node) << node.error().message;
    EXPECT_EQ(json_of(*node), "{\"a\":[1,-2500,true,null],\"b\\\"\":{\"c\":\"\xc3\xbc\"}}");
}

}  // namespace
}  // namespace caribou
