#include "link/clock_offset.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::link {
namespace {

TEST(ClockOffset, KnowsNothingAtFirst) {
    EXPECT_FALSE(ClockOffset().seconds());
    EXPECT_FALSE(ClockOffset().uncertainty());
}

TEST(ClockOffset, IsBestWhereTheWayWasFastest) {
    ClockOffset offset;
    offset.learn(1000.0 + 40, 1000.5);  // 40 s ahead, 0.5 s latency
    EXPECT_DOUBLE_EQ(*offset.seconds(), 39.5);
    offset.learn(1001.0 + 40, 1001.01);
    EXPECT_NEAR(*offset.seconds(), 39.99, 1e-9);
    offset.learn(1002.0 + 40, 1002.3);
    EXPECT_NEAR(*offset.seconds(), 39.99, 1e-9);
}

TEST(ClockOffset, StartsAnewWhenAClockWasSet) {
    for (const double step : {100.0, -100.0}) {
        ClockOffset offset;
        offset.learn(1000.0, 999.99, 1000.01);
        EXPECT_NEAR(*offset.seconds(), 0, 0.02);
        offset.learn(1001.0 + step, 1000.99, 1001.01);
        EXPECT_NEAR(*offset.seconds(), step, 0.02) << step;
    }
}

TEST(ClockOffset, ForgetsTheBestSampleAfterOneToTwoWindows) {
    ClockOffset offset;
    double now = 1000;
    const auto learn = [&](double latency) {
        offset.learn(now, now, now + latency);
        now += 1;
    };
    learn(0.01);
    for (int i = 1; i < 2 * ClockOffset::window; ++i) {
        learn(0.5);
        ASSERT_NEAR(*offset.seconds(), -0.01, 1e-9) << i;
    }
    learn(0.5);
    EXPECT_NEAR(*offset.seconds(), -0.5, 1e-9);
}

TEST(ClockOffset, GivesTheLatenessOfAMessageBeyondTheFastest) {
    ClockOffset offset;
    EXPECT_EQ(offset.lateness(1000, 2000), 0) << "not known yet";
    offset.learn(1040, 1000.5);
    EXPECT_EQ(offset.uncertainty(), std::nullopt) << "only one direction is known";
    EXPECT_NEAR(offset.lateness(1041, 1001.5), 0, 1e-9);
    EXPECT_NEAR(offset.lateness(1041, 1003.5), 2, 1e-9);
    EXPECT_EQ(offset.lateness(1042, 1002.0), 0) << "faster than before";
}

RC_GTEST_PROP(ClockOffset, IsNeverFurtherOffThanItSays, ()) {
    const double ahead = *rc::gen::inRange(-1000, 1000) / 7.0;
    ClockOffset offset;
    double now = 5000;
    for (int i = *rc::gen::inRange(1, 100); i > 0; --i) {
        const double there = *rc::gen::inRange(0, 1000) / 1000.0;
        const double back = *rc::gen::inRange(0, 1000) / 1000.0;
        const double rests = *rc::gen::inRange(0, 1000) / 1000.0;
        offset.learn(now + there + rests + ahead, now, now + there + rests + back);
        now += 3;
        const double error = ahead - *offset.seconds();
        RC_ASSERT(error >= -1e-9);
        RC_ASSERT(error <= *offset.uncertainty() + 1e-9);
    }
}

}  // namespace
}  // namespace caribou::link
