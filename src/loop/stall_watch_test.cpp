#include "loop/stall_watch.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;

/// A clock that a test sets.
class SetClock final : public Clock {
public:
    Instant now() const override { return Instant(from_seconds(seconds)); }
    WallTime wall() const override { return {}; }

    double seconds = 100;
};

TEST(StallWatch, ReportsNothingWhileTheLoopTurns) {
    SetClock clock;
    StallWatch watch(clock);
    for (int i = 0; i < 100; ++i) {
        clock.seconds += 0.09;
        watch.turn();
        EXPECT_EQ(watch.gap(), Duration::zero());
    }
}

TEST(StallWatch, ReportsAStallForAsLongAsInputOfThatTimeIsRead) {
    SetClock clock;
    StallWatch watch(clock);
    clock.seconds += 2;
    EXPECT_EQ(watch.gap(), 2s) << "also if the input is read before the first turn";
    for (int i = 0; i < 4; ++i) {
        clock.seconds += 0.06;
        watch.turn();
        EXPECT_EQ(watch.gap(), 2s);
    }
    clock.seconds += 0.06;
    EXPECT_EQ(watch.gap(), Duration::zero());
}

TEST(StallWatch, ReportsTheLatestStall) {
    SetClock clock;
    StallWatch watch(clock);
    clock.seconds += 3;
    watch.turn();
    clock.seconds += 0.5;
    EXPECT_EQ(watch.gap(), 500ms);
}

}  // namespace
}  // namespace caribou
