#include "bus/logic_condition.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::bus {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::map<std::string, wire::Message>& written() {
    const auto text = [](const std::string& value) {
        return wire::Message{.data_type = wire::DataType::string, .payload = value};
    };
    static const std::map<std::string, wire::Message> all{
        {"X", {.value = 3}}, {"T", text("true")}, {"MODE", text("ACTIVE:SURVEY:LEG")}, {"FIVE", text("5")}};
    return all;
}

bool logic_holds(std::string_view text) {
    const auto condition = LogicCondition::parse(text);
    EXPECT_TRUE(condition) << text << ": " << (condition ? "" : condition.error().message);
    return condition && condition->holds([](const std::string& variable) {
        const auto found = written().find(variable);
        return found == written().end() ? nullptr : &found->second;
    });
}

TEST(LogicCondition, ComparesNumbers) {
    for (const char* const yes : {"X == 3", "X=3.0", "X != 4", "X < 3.5", "X<=3", "X >= 3", "X>-1"})
        EXPECT_TRUE(logic_holds(yes)) << yes;
    for (const char* const no : {"X == 4", "X != 3", "X < 3", "X > 3", "X <= 2", "X >= 3.1", "X == \"3\""})
        EXPECT_FALSE(logic_holds(no)) << no;
}

TEST(LogicCondition, ComparesTexts) {
    for (const char* const yes :
         {"T = true", "T == \"true\"", "T != false", "MODE == ACTIVE", "MODE == SURVEY:LEG", "MODE == LEG",
          "MODE == ACTIVE:SURVEY:LEG", "FIVE == \"5\"", "FIVE != 5"})
        EXPECT_TRUE(logic_holds(yes)) << yes;
    for (const char* const no : {"T == tru", "MODE == ACT", "MODE == SURVEY", "MODE == :LEG", "FIVE == 5",
                                 "FIVE < 6", "MODE != LEG", "T == \"\""})
        EXPECT_FALSE(logic_holds(no)) << no;
}

TEST(LogicCondition, JoinsComparisons) {
    EXPECT_TRUE(logic_holds("(X == 3) and (T == true)"));
    EXPECT_FALSE(logic_holds("(X == 3) and (T == false)"));
    EXPECT_TRUE(logic_holds("(X == 4) or (T == true)"));
    EXPECT_TRUE(logic_holds("not (X == 4)"));
    EXPECT_TRUE(logic_holds("!(X == 4) and not(T == false)"));
    EXPECT_TRUE(logic_holds("((X == 4) or (X == 3)) and (T == true)"));
    EXPECT_TRUE(logic_holds("X == 3 or X == 4 and T == false")) << "`and` binds more tightly";
}

TEST(LogicCondition, IsFalseForVariablesThatWereNeverWritten) {
    EXPECT_FALSE(logic_holds("NONE == 1"));
    EXPECT_FALSE(logic_holds("NONE != 1"));
    EXPECT_THAT(LogicCondition::parse("(A == 1) or (B == A)")->variables(), ElementsAre("A", "B"));
}

TEST(LogicCondition, ReportsTheColumnOfAnError) {
    const auto wrong = [](std::string_view text) {
        const auto condition = LogicCondition::parse(text);
        return condition ? "accepted" : condition.error().message;
    };
    EXPECT_EQ(wrong(""), "column 1: expected the name of a variable");
    EXPECT_EQ(wrong("X"), "column 2: expected ==, !=, <, <=, > or >=");
    EXPECT_EQ(wrong("X =="), "column 5: expected a value");
    EXPECT_EQ(wrong("X == \"a"), "column 7: expected a closing quote");
    EXPECT_EQ(wrong("(X == 1"), "column 8: expected `)`");
    EXPECT_EQ(wrong("X == 1 Y == 2"), "column 8: expected `and`, `or` or the end");
    EXPECT_THAT(wrong(std::string(1000, '!') + "X=1"), HasSubstr("nested too deeply"));
    EXPECT_THAT(wrong(std::string(1000, '(')), HasSubstr("nested too deeply"));
}

/// Random conditions agree with a direct evaluation.
RC_GTEST_PROP(LogicCondition, AgreesWithADirectEvaluation, ()) {
    std::string text = "X == 3";
    bool expected = true;
    for (int i = *rc::gen::inRange(0, 10); i > 0; --i) {
        const bool other = *rc::gen::arbitrary<bool>();
        const std::string term = other ? "(T == true)" : "(T == false)";
        switch (*rc::gen::inRange(0, 3)) {
            case 0:
                text = "(" + text + ") and " + term;
                expected = expected && other;
                break;
            case 1:
                text = "(" + text + ") or " + term;
                expected = expected || other;
                break;
            default: text = "not (" + text + ")"; expected = !expected;
        }
    }
    RC_ASSERT(logic_holds(text) == expected);
}

}  // namespace
}  // namespace caribou::bus
