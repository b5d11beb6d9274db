#include "link/peer_clock.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::link {
namespace {

TEST(PeerClock, IsUnknownAtFirst) {
    EXPECT_FALSE(PeerClock().theirs_at(5));
    EXPECT_FALSE(PeerClock().ours_at(5));
}

TEST(PeerClock, TrustsTheFastestRoundTripOfTheLastTenSeconds) {
    PeerClock clock;  // of a peer that is 40 s ahead
    clock.learn(100, 140.9, 101);
    EXPECT_NEAR(*clock.theirs_at(200), 240.4, 1e-9) << "half a second off, as it may be after one second";
    clock.learn(102, 142.01, 102.02);
    EXPECT_NEAR(*clock.theirs_at(200), 240, 1e-9);
    clock.learn(103, 143.9, 104);
    EXPECT_NEAR(*clock.ours_at(240), 200, 1e-9) << "a slower one changes nothing";
    clock.learn(113, 153.9, 114);
    EXPECT_NEAR(*clock.theirs_at(200), 240.4, 1e-9) << "until the fast one is too old";
}

TEST(PeerClock, KeepsTheLatestMeasurementHoweverOldItIs) {
    PeerClock clock;
    EXPECT_EQ(clock.uncertainty(), 0);
    clock.learn(100, 100.5, 101);
    EXPECT_NEAR(*clock.theirs_at(5000), 5000, 1e-9);
    EXPECT_NEAR(clock.uncertainty(), 0.5, 1e-9);
}

TEST(PeerClock, IgnoresAnAnswerFromBeforeItsQuestion) {
    PeerClock clock;
    clock.learn(100, 100, 99);
    EXPECT_FALSE(clock.theirs_at(5));
}

TEST(PeerClock, CountsTheStallOfAPeerOnlyAsFarAsAMessageWaitedForIt) {
    PeerClock waited;  // of a peer that is 40 s ahead, and did not run for 2 s
    waited.learn(100, 140.5, 100.5, 2);
    EXPECT_NEAR(waited.theirs_at(200).value(), 240, 1e-9) << "asked 0.5 s before it ran again";
    PeerClock fast;
    fast.learn(100, 140, 100, 2);
    EXPECT_NEAR(fast.theirs_at(200).value(), 240, 1e-9) << "asked afterwards";
    PeerClock longer;
    longer.learn(100, 142.5, 102.5, 2);
    EXPECT_NEAR(longer.theirs_at(200).value(), 240.25, 1e-9) << "and 0.5 s on the way";
}

TEST(PeerClock, UsesTheLaterOfTwoTripsThatTookAsLong) {
    PeerClock clock;
    clock.learn(0, 10, 1);
    clock.learn(5, 20, 6);
    EXPECT_NEAR(clock.theirs_at(0).value(), 14.5, 1e-9);
}

RC_GTEST_PROP(PeerClock, IsOffByNoMoreThanHalfTheFastestRoundTrip, ()) {
    const double ahead = *rc::gen::inRange(-1000, 1000) / 7.0;
    PeerClock clock;
    double now = 5000;
    double fastest = 1e9;
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
        const double there = *rc::gen::inRange(0, 1000) / 1000.0;
        const double back = *rc::gen::inRange(0, 1000) / 1000.0;
        clock.learn(now, now + there + ahead, now + there + back);
        fastest = std::min(fastest, there + back);
        now += 2;
        RC_ASSERT(std::abs(*clock.theirs_at(0) - ahead) <= fastest / 2 + 1e-9);
    }
}

}  // namespace
}  // namespace caribou::link
