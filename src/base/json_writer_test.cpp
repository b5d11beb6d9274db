#include "base/json_writer.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "base/json_node.hpp"

namespace caribou {
namespace {

TEST(JsonWriter, SeparatesValuesOfNestedObjectsAndLists) {
    JsonWriter to;
    to.begin_object();
    to.key("a");
    to.begin_list();
    to.integer(std::uint8_t{1});
    to.begin_object();
    to.end_object();
    to.begin_list();
    to.end_list();
    to.truth(true);
    to.end_list();
    to.key("b\n");
    to.null();
    to.end_object();
    EXPECT_EQ(std::move(to).take(), R"({"a":[1,{},[],true],"b\u000a":null})");
}

TEST(JsonWriter, WritesNumbersWithTheDigitsAskedForOrAsShortAsExact) {
    JsonWriter to;
    to.begin_list();
    to.number(0.1);
    to.number(2.0 / 3, 3);
    to.number(7, 0);
    to.number(std::numeric_limits<double>::infinity());
    to.number(std::numeric_limits<double>::quiet_NaN(), 2);
    to.integer(std::numeric_limits<std::uint64_t>::max());
    to.integer(std::numeric_limits<std::int64_t>::min());
    to.end_list();
    EXPECT_EQ(std::move(to).take(), "[0.1,0.667,7,null,null,18446744073709551615,-9223372036854775808]");
}

TEST(JsonWriter, WritesMembersByTheirType) {
    JsonWriter to;
    to.begin_object();
    to.member("text", "x");
    to.member("truth", true);
    to.member("whole", 3);
    to.member("real", 0.5F);
    to.member("some", std::optional<std::string>("y"));
    to.member("none", std::optional<std::uint64_t>());
    to.end_object();
    EXPECT_EQ(std::move(to).take(),
              R"({"text":"x","truth":true,"whole":3,"real":0.5,"some":"y","none":null})");
}

TEST(JsonWriter, AddsTheMembersOfAnotherObject) {
    const auto with = [](std::string_view object) {
        JsonWriter to;
        to.begin_object();
        to.key("at");
        to.integer(1);
        to.raw_members(object);
        to.key("end");
        to.raw("[]");
        to.end_object();
        return std::move(to).take();
    };
    EXPECT_EQ(with("{}"), R"({"at":1,"end":[]})");
    EXPECT_EQ(with(R"({"x":{"y":2}})"), R"({"at":1,"x":{"y":2},"end":[]})");
}

TEST(JsonWriter, WritesAnyBytesAsValidText) {
    JsonWriter to;
    to.text("\xff\"\\\t");
    const std::string json = std::move(to).take();
    const auto node = read_json(json);
    ASSERT_TRUE(node.has_value());
    EXPECT_EQ(node->text, "\xef\xbf\xbd\"\\\t");
}

}  // namespace
}  // namespace caribou
