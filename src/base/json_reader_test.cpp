#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/json_node.hpp"

namespace caribou {
namespace {

using Kind = JsonNode::Kind;

JsonNode read(std::string_view text) {
    auto node = read_json(text);
    EXPECT_TRUE(node.has_value()) << node.error().message;
    return node.value_or(JsonNode{});
}

JsonFault fault_of(std::string_view text, const JsonLimits& limits = {}) {
    const auto node = read_json(text, limits);
    EXPECT_FALSE(node.has_value()) << text;
    return node ? JsonFault{} : node.error();
}

TEST(JsonReader, KnowsWhereEachValueStands) {
    const std::string_view text = R"({ "a" : [1, true ,null], "b":{"c":"d"}, "e":-2.5e1 })";
    const JsonNode root = read(text);
    ASSERT_TRUE(root.is(Kind::object));
    const JsonNode& a = root.items[0];
    EXPECT_EQ(a.key, "a");
    EXPECT_EQ(a.key_offset, text.find("\"a\""));
    EXPECT_EQ(a.offset, text.find('['));
    ASSERT_EQ(a.items.size(), 3U);
    EXPECT_EQ(a.items[0].offset, text.find('1'));
    EXPECT_EQ(a.items[1].offset, text.find("true"));
    EXPECT_EQ(a.items[2].offset, text.find("null"));
    const JsonNode* b = root.find("b");
    ASSERT_TRUE(b);
    EXPECT_EQ(b->offset, text.find("{\"c\""));
    EXPECT_EQ(b->items[0].offset, text.find("\"d\""));
    const JsonNode* e = root.find("e");
    ASSERT_TRUE(e);
    EXPECT_EQ(e->offset, text.find("-2.5e1"));
    EXPECT_EQ(e->number, -25);
    EXPECT_EQ(root.find("f"), nullptr);
}

TEST(JsonReader, TakesCommentsForBlanks) {
    const std::string_view text = "// first\n[1/* one */,/*\n*/ 2// two\n, \"//3\"]";
    const JsonNode root = read(text);
    ASSERT_EQ(root.items.size(), 3U);
    EXPECT_EQ(root.items[0].offset, text.find('1'));
    EXPECT_EQ(root.items[1].offset, text.find('2'));
    EXPECT_EQ(root.items[2].offset, text.find("\"//3"));
    EXPECT_EQ(root.items[2].text, "//3");
}

TEST(JsonReader, KeepsBothValuesOfAKeyThatStandsTwice) {
    EXPECT_EQ(read(R"({"a":1,"a":2})").items.size(), 2U);
}

TEST(JsonReader, NamesThePlaceOfAMistake) {
    const JsonFault fault = fault_of("{\n  \"a\": 1,\n}");
    EXPECT_EQ(fault.offset, 12U);
    EXPECT_EQ(fault.message,
              "malformed JSON: while parsing object key - unexpected '}'; expected string literal");
    EXPECT_EQ(fault_of("").offset, 0U);
    EXPECT_EQ(fault_of("[1").offset, 2U);
    EXPECT_TRUE(fault_of("[1] 2").message.starts_with("malformed JSON"));
    EXPECT_TRUE(fault_of("[1e999]").message.contains("number overflow"));
    EXPECT_TRUE(fault_of("\"\xff\"").message.contains("UTF-8"));
}

TEST(JsonReader, StopsAtItsLimits) {
    EXPECT_EQ(fault_of("[[[]]]", {.depth = 2}).message, "limit depth reached: 3 of at most 2 levels");
    EXPECT_EQ(fault_of("[1,2,3]", {.values = 3}).message, "limit values reached: 4 of at most 3 values");
    EXPECT_EQ(fault_of("[1]", {.bytes = 2}).message, "limit bytes reached: 3 of at most 2 bytes");
    EXPECT_TRUE(fault_of(std::string(1'000'000, '[')).message.starts_with("limit depth reached"));
}

RC_GTEST_PROP(JsonReader, PlacesEveryNumberOfAList, (const std::vector<std::int32_t>& numbers)) {
    std::string text = "[ ";
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i > 0) text += *rc::gen::element<std::string>(",", " ,", ", ", ",\n\t", "/**/,//\n");
        offsets.push_back(text.size());
        text += std::to_string(numbers[i]);
    }
    text += "]";
    const auto root = read_json(text);
    RC_ASSERT(root.has_value());
    RC_ASSERT(root->items.size() == numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        RC_ASSERT(root->items[i].offset == offsets[i]);
        RC_ASSERT(root->items[i].number == numbers[i]);
    }
}

}  // namespace
}  // namespace caribou
