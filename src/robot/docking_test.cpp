#include "robot/docking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/command_table.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr Instant dock_start{100s};

Docking::Evidence evidence_after(Duration time) { return {.at = dock_start + time, .failed_tries = 7}; }

TEST(Docking, IsDoneOnceTheContactHasHeld) {
    Docking docking(evidence_after(0s));
    auto now = evidence_after(10s);
    now.on_charger = true;
    EXPECT_FALSE(docking.look(now));
    EXPECT_FALSE(docking.look(evidence_after(11s))) << "the contact was lost";
    now.at = dock_start + 12s;
    EXPECT_FALSE(docking.look(now));
    now.at += Docking::settle;
    const auto end = docking.look(now);
    ASSERT_TRUE(end && *end);
    EXPECT_EQ(**end, "it is on the charger");
}

TEST(Docking, IsEndedByAFullStop) {
    Docking docking(evidence_after(0s));
    auto now = evidence_after(1s);
    now.stop = motion::StopCause::operator_;
    const auto end = docking.look(now);
    ASSERT_TRUE(end && !*end);
    EXPECT_EQ(end->error().refusal, link::Refusal::stopped);
}

TEST(Docking, IsEndedByAFullStopThatIsReleased) {
    Docking docking({.at = dock_start, .stops = 3});
    EXPECT_FALSE(docking.look({.at = dock_start + 1s, .stops = 3}));
    const auto end = docking.look({.at = dock_start + 1s, .stops = 4});
    ASSERT_TRUE(end && !*end);
    EXPECT_EQ(end->error().refusal, link::Refusal::stopped);
}

TEST(Docking, FailsAfterThreeTriesWithTheReasonOfTheLast) {
    Docking docking(evidence_after(0s));
    auto now = evidence_after(20s);
    now.failed_tries += Docking::max_tries - 1;
    EXPECT_FALSE(docking.look(now)) << "earlier failures do not count";
    now.failed_tries += 1;
    now.failure = "no charger is known";
    const auto end = docking.look(now);
    ASSERT_TRUE(end && !*end);
    EXPECT_EQ(end->error().refusal, link::Refusal::failed);
    EXPECT_THAT(end->error().text, HasSubstr("in 3 tries: no charger is known"));
}

TEST(Docking, FailsAfterItsLimit) {
    Docking docking(evidence_after(0s));
    EXPECT_FALSE(docking.look(evidence_after(link::dock_limit - 1ms)));
    const auto end = docking.look(evidence_after(link::dock_limit));
    ASSERT_TRUE(end && !*end);
    EXPECT_EQ(end->error().refusal, link::Refusal::failed);
    EXPECT_THAT(end->error().text, HasSubstr("within 4m"));
}

}  // namespace
}  // namespace caribou::robot
