#include "bus/assignment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

using testing::HasSubstr;
using wire::DataType;

TEST(Assignment, TakesForANumberWhatReadsAsOne) {
    EXPECT_EQ(Assignment::parse("X=3.5"), (Assignment{.key = "X", .number = 3.5}));
    EXPECT_EQ(Assignment::parse("X=-1e3"), (Assignment{.key = "X", .number = -1000}));
    EXPECT_EQ(Assignment::parse("X=north"),
              (Assignment{.key = "X", .type = DataType::string, .text = "north"}));
    EXPECT_EQ(Assignment::parse("X="), (Assignment{.key = "X", .type = DataType::string}));
    EXPECT_EQ(Assignment::parse("X=a=b"), (Assignment{.key = "X", .type = DataType::string, .text = "a=b"}));
}

TEST(Assignment, TakesTheStatedType) {
    const Assignment five{.key = "X", .type = DataType::string, .text = "5"};
    EXPECT_EQ(Assignment::parse("X:=5"), five);
    EXPECT_EQ(Assignment::parse("X:string=5"), five);
    EXPECT_EQ(Assignment::parse("X:number=5"), (Assignment{.key = "X", .number = 5}));
    EXPECT_EQ(Assignment::parse("X:binary=00fF"),
              (Assignment{.key = "X", .type = DataType::binary, .text = std::string("\0\xff", 2)}));
}

TEST(Assignment, SaysWhatIsWrong) {
    const auto complaint = [](std::string_view text) {
        const auto made = Assignment::parse(text);
        return made ? "nothing" : made.error().message;
    };
    EXPECT_THAT(complaint("X"), HasSubstr("expected X=VALUE"));
    EXPECT_THAT(complaint("=5"), HasSubstr("has no variable name"));
    EXPECT_THAT(complaint("X:strnig=5"), HasSubstr("did you mean `string`?"));
    EXPECT_THAT(complaint("X:colour=5"), HasSubstr("`number`, `string` and `binary`"));
    EXPECT_THAT(complaint("X:number=five"), HasSubstr("`five` for X is not a number"));
    for (const char* text : {"X:binary=0", "X:binary=0g", "X:binary=-1"})
        EXPECT_THAT(complaint(text), HasSubstr("hexadecimal")) << text;
}

TEST(Assignment, KnowsItselfInAMessage) {
    const Assignment number{.key = "X", .number = 2};
    EXPECT_TRUE(number.is_in({.key = "X", .value = 2}));
    EXPECT_FALSE(number.is_in({.key = "X", .value = 3}));
    EXPECT_FALSE(number.is_in({.key = "Y", .value = 2}));
    EXPECT_FALSE(number.is_in({.data_type = DataType::string, .key = "X", .value = 2}));
    const Assignment text{.key = "X", .type = DataType::string, .text = "a"};
    EXPECT_TRUE(text.is_in({.data_type = DataType::string, .key = "X", .payload = "a"}));
    EXPECT_FALSE(text.is_in({.data_type = DataType::string, .key = "X", .payload = "b"}));
}

}  // namespace
}  // namespace caribou::bus
