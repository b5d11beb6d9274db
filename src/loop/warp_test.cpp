#include "loop/warp.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

Warp warp(double factor) { return *Warp::make(factor); }

TEST(Warp, TakesFactorsAboveZeroAndUpTo400) {
    for (const double factor : {1e-3, 0.5, 1.0, 400.0}) EXPECT_EQ(Warp::make(factor)->factor, factor);
}

TEST(Warp, RefusesOtherFactorsWithASentence) {
    for (const double factor : {0.0, -1.0, 400.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
        const auto made = Warp::make(factor);
        ASSERT_FALSE(made) << factor;
        EXPECT_EQ(made.error().code, Code::invalid_argument);
        EXPECT_TRUE(made.error().message.contains("up to 400")) << made.error().message;
    }
}

TEST(WarpedClock, RunsFactorTimesAsFastFromWhereItStarts) {
    VirtualLoop loop;
    loop.advance(7s);
    const WarpedClock clock(loop.clock(), warp(10));
    const Instant start = loop.clock().now();
    EXPECT_EQ(clock.now(), start);
    loop.advance(2s);
    EXPECT_EQ(clock.now(), start + 20s);
}

TEST(WarpedClock, StartsItsWallAtTheTrueTimeOfDay) {
    VirtualLoop loop;
    loop.advance(7s);
    const WallTime start = loop.clock().wall();
    const WarpedClock clock(loop.clock(), warp(10));
    EXPECT_EQ(clock.wall(), start);
    loop.advance(2s);
    EXPECT_EQ(clock.wall(), start + 20s);
}

TEST(WarpedClock, ReadsTheSameAllAtOnce) {
    VirtualLoop loop;
    const WarpedClock clock(loop.clock(), warp(4));
    loop.advance(3s);
    const WarpedClock::Reading reading = clock.read();
    EXPECT_EQ(reading.below, loop.clock().now());
    EXPECT_EQ(reading.now, clock.now());
    EXPECT_EQ(reading.unix_seconds, clock.unix_seconds());
}

TEST(WarpedClock, PassesAStepOfTheTimeOfDayOnAsItIs) {
    VirtualLoop loop;
    const WarpedClock clock(loop.clock(), warp(10));
    const WallTime start = clock.wall();
    loop.step_wall(1h);
    EXPECT_EQ(clock.wall(), start + 1h);
}

TEST(WarpedClock, MultipliesTheWholeUnixTime) {
    VirtualLoop loop;
    const WarpedClock clock(loop.clock(), warp(10));
    EXPECT_EQ(clock.unix_seconds(), 17672256000.0);
    loop.advance(3s);
    EXPECT_EQ(clock.unix_seconds(), 17672256030.0);
}

TEST(WarpedClock, StopsAtTheEndOfTimeRatherThanOverflow) {
    VirtualLoop loop;
    const WarpedClock fast(loop.clock(), warp(400));
    const WarpedClock slow(loop.clock(), warp(0.5));
    EXPECT_EQ(slow.below_at(Instant::max()), Instant::max());
    loop.advance(24h * 365);
    EXPECT_EQ(fast.now(), Instant::max());
}

TEST(WarpedLoop, FiresTimersFactorTimesAsSoon) {
    VirtualLoop below;
    WarpedLoop loop(below, warp(10));
    std::vector<Instant> fired;
    const auto timer = loop.make_timer([&] { fired.push_back(below.clock().now()); });
    const Instant start = below.clock().now();
    timer->arm(loop.clock().now() + 20s);
    below.advance(1min);
    EXPECT_EQ(fired, std::vector{start + 2s});
}

TEST(WarpedLoop, DoesNotFireATimerThatWasCancelledOrDestroyed) {
    VirtualLoop below;
    WarpedLoop loop(below, warp(10));
    int fired = 0;
    const auto cancelled = loop.make_timer([&] { ++fired; });
    auto destroyed = loop.make_timer([&] { ++fired; });
    cancelled->arm(loop.clock().now() + 1s);
    destroyed->arm(loop.clock().now() + 1s);
    cancelled->cancel();
    destroyed.reset();
    below.advance(1h);
    EXPECT_EQ(fired, 0);
}

TEST(WarpedLoop, RunsPostedTasksOnTheLoopBelow) {
    VirtualLoop below;
    WarpedLoop loop(below, warp(10));
    bool ran = false;
    loop.post([&] { ran = true; });
    EXPECT_FALSE(ran);
    below.run_ready();
    EXPECT_TRUE(ran);
}

TEST(WarpedClockDeathTest, RefusesAFactorThatWarpMakeWouldRefuse) {
    VirtualLoop loop;
    EXPECT_DEATH(WarpedClock(loop.clock(), Warp{0.0}), "Warp::make");
}

double any_factor() {
    return *rc::gen::map(rc::gen::inRange(1, 400'001), [](int n) { return n / 1000.0; });
}

/// Exact to the nanosecond, over days, for slow and fast clocks.
RC_GTEST_PROP(WarpedLoop, NeverFiresATimerEarlyAndNeverANanosecondLate, ()) {
    const double factor = any_factor();
    const Duration waited(*rc::gen::inRange<std::int64_t>(0, 86'400'000'000'000));
    VirtualLoop below;
    below.advance(Duration(*rc::gen::inRange<std::int64_t>(0, 86'400'000'000'000)));
    WarpedLoop loop(below, warp(factor));
    const Instant due = loop.clock().now() + waited;
    const Instant at = loop.clock().below_at(due);
    below.advance(std::max(Duration(0), at - below.clock().now() - 1ns));
    RC_ASSERT(waited == 0ns || loop.clock().now() < due);
    below.advance(at - below.clock().now());
    RC_ASSERT(loop.clock().now() >= due);
}

RC_GTEST_PROP(WarpedClock, KeepsStampsInOrder, (const std::vector<std::uint32_t>& steps)) {
    const double factor = any_factor();
    VirtualLoop loop;
    const WarpedClock clock(loop.clock(), warp(factor));
    for (const std::uint32_t step : steps) {
        const Instant now = clock.now();
        const WallTime wall = clock.wall();
        const double stamp = clock.unix_seconds();
        loop.advance(Duration(step));
        RC_ASSERT(clock.now() >= now);
        RC_ASSERT(clock.wall() >= wall);
        RC_ASSERT(clock.unix_seconds() >= stamp);
    }
}

/// The difference of two stamps is warped time.
RC_GTEST_PROP(WarpedClock, LetsStampsRunFactorTimesAsFast, ()) {
    const double factor = any_factor();
    const Duration step(*rc::gen::inRange<std::int64_t>(0, 3'600'000'000'000));
    VirtualLoop loop;
    const WarpedClock clock(loop.clock(), warp(factor));
    const double stamp = clock.unix_seconds();
    loop.advance(step);
    RC_ASSERT(std::abs(clock.unix_seconds() - stamp - to_seconds(step) * factor) < 1e-3);
}

}  // namespace
}  // namespace caribou
