#include "loop/duration_text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;

TEST(DurationText, ReadsANumberAndItsUnit) {
    EXPECT_EQ(duration_from("250ms"), 250ms);
    EXPECT_EQ(duration_from("1.5s"), 1500ms);
    EXPECT_EQ(duration_from("2min"), 2min);
    EXPECT_EQ(duration_from("0s"), 0s);
    EXPECT_EQ(duration_from("3us"), 3us);
}

TEST(DurationText, ReadsNothingElse) {
    for (const char* text : {"", "5", "s", "5 s", "-1s", "1e300s", "nans", "infs", "5sec", "5s ", "101000h0"})
        EXPECT_EQ(duration_from(text), std::nullopt) << text;
}

TEST(DurationText, WritesTheLargestUnitThatIsExact) {
    EXPECT_EQ(duration_text(90s), "90s");
    EXPECT_EQ(duration_text(2min), "2min");
    EXPECT_EQ(duration_text(60ms), "60ms");
    EXPECT_EQ(duration_text(0s), "0s");
}

RC_GTEST_PROP(DurationText, ReadsWhatItWrote, ()) {
    // A double represents every number of nanoseconds up to 2^53 exactly.
    const Duration duration(*rc::gen::inRange<Duration::rep>(0, Duration::rep{1} << 51));
    RC_ASSERT(duration_from(duration_text(duration)) == duration);
}

}  // namespace
}  // namespace caribou
