#include "bus/skew.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace caribou::bus {
namespace {

TEST(Skew, TakesTheWelcomeThenMeasuresThenFilters) {
    Skew skew;
    skew.start(0.5);
    EXPECT_EQ(skew.seconds(), 0.5);
    skew.measure(100, 0, 0);
    EXPECT_EQ(skew.seconds(), 0.5);
    skew.measure(12, 9, 11);
    EXPECT_DOUBLE_EQ(skew.seconds(), 2);
    skew.measure(13, 9, 11);
    EXPECT_DOUBLE_EQ(skew.seconds(), 0.9 * 2 + 0.1 * 3);
}

TEST(Skew, StartsAnewWithEachConnection) {
    Skew skew;
    skew.start(1);
    skew.measure(1, 0, 0);
    skew.measure(1, 0, 0);
    skew.start(4);
    skew.measure(9, 0, 0);
    EXPECT_EQ(skew.seconds(), 4);
}

TEST(Skew, PassesOverWhatIsNoNumber) {
    Skew skew;
    skew.start(std::numeric_limits<double>::quiet_NaN());
    for (int i = 0; i < 3; ++i) skew.measure(std::numeric_limits<double>::infinity(), 0, 0);
    EXPECT_EQ(skew.seconds(), 0);
}

}  // namespace
}  // namespace caribou::bus
