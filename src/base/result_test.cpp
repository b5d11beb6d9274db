#include "base/result.hpp"

#include <set>

#include <gtest/gtest.h>

namespace caribou {
namespace {

Result<int> half(int number) {
    if (number % 2 != 0) return fail(Code::invalid_argument, "the number is odd; give an even one");
    return number / 2;
}

Result<std::string> half_in_words(int number) {
    auto result = half(number);
    if (!result) return fail(std::move(result.error()));
    return std::to_string(*result);
}

TEST(Result, HoldsTheValueWhenAllIsWell) { EXPECT_EQ(half(4), 2); }

TEST(Result, HoldsCodeAndSentenceWhenNot) {
    const auto result = half(3);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error(), (Error{Code::invalid_argument, "the number is odd; give an even one"}));
}

TEST(Result, HandsAnErrorOnToACallerOfAnotherType) {
    EXPECT_EQ(half_in_words(8), "4");
    const auto result = half_in_words(3);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, Code::invalid_argument);
}

TEST(Code, HasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Code::io); ++i) names.insert(to_string(static_cast<Code>(i)));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(Code::io) + 1);
    EXPECT_FALSE(names.contains("unknown"));
    EXPECT_EQ(to_string(Code::unreachable), "unreachable");
}

}  // namespace
}  // namespace caribou
