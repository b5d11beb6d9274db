#include "loop/time.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;

TEST(Duration, IsReadFromSeconds) {
    EXPECT_EQ(from_seconds(1.5), 1500ms);
    EXPECT_EQ(from_seconds(-0.25), -250ms);
    EXPECT_EQ(from_seconds(0), 0ns);
}

TEST(Duration, EndsAtItsRangeWhenSecondsDoNotFit) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(from_seconds(1e300), Duration::max());
    EXPECT_EQ(from_seconds(infinity), Duration::max());
    EXPECT_EQ(from_seconds(-1e300), Duration::min());
    EXPECT_EQ(from_seconds(-infinity), Duration::min());
    EXPECT_EQ(from_seconds(std::nan("")), Duration::zero());
}

TEST(WallTime, CountsFrom1970) {
    EXPECT_EQ(to_unix_seconds(WallTime(std::chrono::sys_days{std::chrono::year{2001} / 9 / 9})), 999993600.0);
}

RC_GTEST_PROP(Duration, ComesBackThroughSeconds, ()) {
    // A double represents nanoseconds exactly up to about 52 days.
    const auto nanoseconds = *rc::gen::inRange<std::int64_t>(-4'000'000'000'000'000, 4'000'000'000'000'000);
    RC_ASSERT(std::abs((from_seconds(to_seconds(Duration(nanoseconds))) - Duration(nanoseconds)).count()) <=
              1);
}

}  // namespace
}  // namespace caribou
