#include "platform/system_clock.hpp"

#include <gtest/gtest.h>

namespace caribou {

TEST(SystemClock, NeverGoesBack) {
    const SystemClock clock;
    Instant last = clock.now();
    for (int i = 0; i < 1000; ++i) {
        const Instant next = clock.now();
        ASSERT_GE(next, last);
        last = next;
    }
}

TEST(SystemClock, CountsFromTheEpochsOfTheStandardClocks) {
    const SystemClock clock;
    const Instant before(std::chrono::steady_clock::now().time_since_epoch());
    const WallTime wall_before = std::chrono::system_clock::now();
    EXPECT_GE(clock.now(), before);
    EXPECT_LT(clock.now() - before, std::chrono::minutes(1));
    EXPECT_GE(clock.wall(), wall_before);
    EXPECT_LT(clock.wall() - wall_before, std::chrono::minutes(1));
}

}  // namespace caribou
