#include "base/toml.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

using Kind = JsonNode::Kind;

TEST(Toml, ReadsIntoNodesThatKnowWhereTheyStand) {
    const std::string_view text =
        "# ä first\nname = \"hütte\"\nz = 1.5\na = [1, true, \"x\"]\n\n[[wall]]\nto = 2\n[[wall]]\nto = 3\n";
    const auto root = read_toml(text);
    ASSERT_TRUE(root.has_value()) << root.error().message;
    ASSERT_EQ(root->items.size(), 4U);
    EXPECT_EQ(root->items[0].key, "name");
    EXPECT_EQ(root->items[0].text, "hütte");
    EXPECT_EQ(root->items[0].key_offset, text.find("name"));
    EXPECT_EQ(root->items[0].offset, text.find("\"hütte"));
    EXPECT_EQ(root->items[1].number, 1.5);
    EXPECT_EQ(root->items[2].key, "a") << "in the order of the text";
    EXPECT_EQ(root->items[2].items[1].offset, text.find("true"));
    const JsonNode* walls = root->find("wall");
    ASSERT_TRUE(walls && walls->is(Kind::list));
    ASSERT_EQ(walls->items.size(), 2U);
    EXPECT_EQ(walls->items[1].find("to")->number, 3);
    EXPECT_EQ(walls->items[1].offset, text.rfind("[[wall]]"));
}

TEST(Toml, SaysWhereATextIsNone) {
    const auto root = read_toml("good = 1\nbad = = 2\n");
    ASSERT_FALSE(root.has_value());
    EXPECT_GE(root.error().offset, 9U);
    EXPECT_TRUE(root.error().message.starts_with("malformed TOML: ")) << root.error().message;
}

TEST(Toml, GivesDatesAsTheirText) {
    const auto root = read_toml("day = 2026-01-02\n");
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(root->items[0].is(Kind::null));
    EXPECT_EQ(root->items[0].text, "2026-01-02");
}

TEST(Toml, KeepsToItsLimits) {
    EXPECT_FALSE(read_toml("a = [1, 2, 3]\n", {.values = 3}).has_value());
    EXPECT_TRUE(read_toml("a = [1, 2]\n", {.values = 5}).has_value());
    EXPECT_FALSE(read_toml("a = 1\n", {.bytes = 3}).has_value());
}

TEST(Toml, SurvivesOddLetters) {
    for (const char* text : {"[", "[[", "[]\n", "é = 1", "\xC3", "= 1", "[.a]", "a.\xD1\x80 = 2"})
        EXPECT_FALSE(read_toml(text).has_value()) << text;
}

}  // namespace
}  // namespace caribou
