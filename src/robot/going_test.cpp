#include "robot/going.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/command_table.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

/// On its way since the time 0, after two earlier arrivals and five failed tries.
const Going under_way("kitchen", {.arrivals = 2, .failed_tries = 5});

TEST(Going, EndsWithTheFirstArrival) {
    EXPECT_FALSE(under_way.look({.at = Instant(10s), .arrivals = 2, .failed_tries = 7}));
    EXPECT_EQ(under_way.look({.at = Instant(10s), .arrivals = 3, .failed_tries = 5}).value(),
              "it is at kitchen");
}

TEST(Going, EndsAfterThreeFailedTries) {
    const auto end =
        under_way.look({.at = Instant(10s), .arrivals = 2, .failed_tries = 8, .failure = "no way"});
    ASSERT_TRUE(end);
    EXPECT_EQ(end->error().refusal, link::Refusal::failed);
    EXPECT_EQ(end->error().text, "it did not reach kitchen in 3 tries: no way");
}

TEST(Going, NamesItsLimitWhenTriesFailFasterThanItLooks) {
    const auto end = under_way.look({.at = Instant(10s), .arrivals = 2, .failed_tries = 9});
    EXPECT_THAT(end->error().text, testing::HasSubstr(" in 3 tries: "));
}

TEST(Going, EndsByAFullStop) {
    const auto end = under_way.look({.stop = motion::StopCause::operator_, .arrivals = 3, .failed_tries = 5});
    EXPECT_EQ(end->error().refusal, link::Refusal::stopped);
}

TEST(Going, EndsByAFullStopThatIsReleased) {
    const auto end = under_way.look({.stops = 1, .arrivals = 2, .failed_tries = 5});
    EXPECT_EQ(end->error().refusal, link::Refusal::stopped);
}

TEST(Going, EndsWhenItsPlaceIsLost) {
    EXPECT_FALSE(Going("kitchen", {.losses = 4}).look({.losses = 4, .loss = "of before"}));
    const auto end = under_way.look(
        {.arrivals = 3, .failed_tries = 5, .losses = 1, .loss = "the place `kitchen` was moved"});
    EXPECT_EQ(end->error().refusal, link::Refusal::failed);
    EXPECT_EQ(end->error().text, "the place `kitchen` was moved; go again");
}

TEST(Going, EndsAfterAWhile) {
    const Going::Evidence still{.at = Instant(link::dock_limit) - 1ms, .arrivals = 2, .failed_tries = 5};
    EXPECT_FALSE(under_way.look(still));
    Going::Evidence late = still;
    late.at += 1ms;
    EXPECT_EQ(under_way.look(late)->error().text,
              "it did not reach kitchen within 4min: no behavior went there");
    late.failed_tries = 6;
    late.failure = "no way";
    EXPECT_EQ(under_way.look(late)->error().text, "it did not reach kitchen within 4min: no way");
}

}  // namespace
}  // namespace caribou::robot
