#include "bus/wildcard.hpp"

#include <regex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

TEST(Glob, MatchesWholeTextsByStarAndQuestionMark) {
    EXPECT_TRUE(glob_matches("*", ""));
    EXPECT_TRUE(glob_matches("", ""));
    EXPECT_TRUE(glob_matches("NAV_?", "NAV_X"));
    EXPECT_TRUE(glob_matches("*_X", "NAV_X_X"));
    EXPECT_TRUE(glob_matches("a*b*c", "axxbyyc"));
    EXPECT_FALSE(glob_matches("NAV_?", "NAV_"));
    EXPECT_FALSE(glob_matches("NAV", "NAV_X"));
    EXPECT_FALSE(glob_matches("nav_*", "NAV_X"));
    EXPECT_FALSE(glob_matches("", "a"));
}

RC_GTEST_PROP(Glob, AgreesWithARegularExpression, ()) {
    const auto letters = [](auto... c) { return rc::gen::container<std::string>(rc::gen::element(c...)); };
    const std::string pattern = *rc::gen::resize(12, letters('a', 'b', '*', '?'));
    const std::string text = *rc::gen::resize(16, letters('a', 'b'));
    std::string expression;
    for (const char c : pattern) expression += c == '*' ? "[ab]*" : c == '?' ? "[ab]" : std::string(1, c);
    RC_ASSERT(glob_matches(pattern, text) == std::regex_match(text, std::regex(expression)));
}

TEST(Glob, TakesLinearTimeOnAPatternOfStars) {
    const std::string pattern = "*a*a*a*a*a*a*a*a*a*a*a*a*b";
    const std::string text(5000, 'a');
    EXPECT_FALSE(glob_matches(pattern, text));  // an exponential matcher would not terminate
}

TEST(Wildcard, IsReadInAnyOrderWithSpaces) {
    const auto wildcard = Wildcard::parse("Interval = 0.25, VarPattern=VEC_* ,AppPattern=*");
    ASSERT_TRUE(wildcard);
    EXPECT_EQ(wildcard->app_pattern, "*");
    EXPECT_EQ(wildcard->var_pattern, "VEC_*");
    EXPECT_EQ(wildcard->interval, 250ms);
}

TEST(Wildcard, IsWrittenAsTheCapturedClientsDo) {
    const Wildcard wildcard{"*", "VEC_*", 250ms};
    EXPECT_EQ(wildcard.to_payload(), "AppPattern=*,VarPattern=VEC_*,Interval=0.25");
    EXPECT_EQ((Wildcard{"*", "VEC_*"}.to_payload()), "AppPattern=*,VarPattern=VEC_*,Interval=0");
}

TEST(Wildcard, NamesWhatIsMissing) {
    EXPECT_EQ(Wildcard::parse("AppPattern=*").error().code, Code::malformed);
    EXPECT_NE(Wildcard::parse("AppPattern=*").error().message.find("lacks VarPattern"), std::string::npos);
    EXPECT_FALSE(Wildcard::parse(""));
    EXPECT_FALSE(Wildcard::parse("apppattern=*,varpattern=*"));
}

}  // namespace
}  // namespace caribou::bus
