#include "base/number_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace caribou {
namespace {

TEST(NumberText, ReadsWhatIsANumberFromEndToEnd) {
    EXPECT_EQ(number_in("3"), 3);
    EXPECT_EQ(number_in("+0.5"), 0.5);
    EXPECT_EQ(number_in(" -1e3\r"), -1000);
    EXPECT_EQ(number_in(".25"), 0.25);
}

TEST(NumberText, LeavesWordsAndHalfNumbersAlone) {
    for (const char* text :
         {"", " ", "north", "3 m", "1,5", "0x10", "nan", "inf", "+-3", "++3", "1e999", "--1"})
        EXPECT_EQ(number_in(text), std::nullopt) << text;
}

RC_GTEST_PROP(NumberText, ReadsBackEveryNumberItWrites, (double number)) {
    RC_PRE(std::isfinite(number));
    RC_ASSERT(number_in(number_text(number)) == number);
}

}  // namespace
}  // namespace caribou
