#include "platform/stray_rounds.hpp"

#include <gtest/gtest.h>

namespace caribou {
namespace {

TEST(StrayRounds, DoNotGrowWhileKilledProcessesHaveNotEnded) {
    StrayRounds rounds;
    for (int i = 0; i < 100; ++i) rounds.add({7, 8});
    rounds.add({8});
    EXPECT_FALSE(rounds.grows());
}

TEST(StrayRounds, DoNotGrowByOneProcessThatWasStartedMeanwhile) {
    StrayRounds rounds;
    rounds.add({7});
    rounds.add({7, 8});
    for (int i = 0; i < 100; ++i) rounds.add({8});
    EXPECT_FALSE(rounds.grows());
}

TEST(StrayRounds, GrowWhenNewProcessesAreFoundAgainAndAgain) {
    StrayRounds rounds;
    for (pid_t each = 1; each <= 3; ++each) rounds.add({each});
    EXPECT_FALSE(rounds.grows());
    rounds.add({4});
    EXPECT_TRUE(rounds.grows());
}

}  // namespace
}  // namespace caribou
