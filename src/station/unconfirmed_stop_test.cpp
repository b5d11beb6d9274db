#include "station/unconfirmed_stop.hpp"

#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using link::Answer;

Instant at(Duration time) { return Instant(time); }
Answer done() { return Answer::done({1}); }
Answer refused(std::string why) { return Answer::refused({1}, {link::Refusal::unavailable, std::move(why)}); }

TEST(UnconfirmedStop, IsNotWorthAWarningIfItIsConfirmedSoon) {
    UnconfirmedStop stop;
    stop.sending("ann", at(0s));
    EXPECT_FALSE(stop.shown(at(1499ms)));
    EXPECT_FALSE(stop.learn(Answer::accepted({1}), at(1s)));
    EXPECT_FALSE(stop.learn(done(), at(1s))) << "nobody has seen it";
    EXPECT_FALSE(stop.open());
}

TEST(UnconfirmedStop, IsShownAfterAFailureOrWithoutAnAnswer) {
    UnconfirmedStop stop;
    stop.sending("ann", at(0s));
    ASSERT_TRUE(stop.shown(at(1500ms)));
    EXPECT_EQ(*stop.shown(at(1500ms)), (UnconfirmedStop::Open{at(0s), "ann", ""}));
    EXPECT_TRUE(stop.learn(refused("rover is not connected"), at(2s)));
    EXPECT_EQ(stop.shown(at(2s))->why, "rover is not connected");
    stop.sending("", at(3s));
    EXPECT_FALSE(stop.learn(refused("rover is not connected"), at(3s))) << "the same reason";
    stop.sending("bob", at(4s));
    EXPECT_EQ(stop.open()->by, "ann") << "since when it is wanted";
    EXPECT_EQ(stop.open()->since, at(0s));
    EXPECT_TRUE(stop.learn(done(), at(5s)));
    EXPECT_FALSE(stop.shown(at(9s)));
}

TEST(UnconfirmedStop, IsDueAgainAPauseAfterAnAttemptThatFailedHoweverLong) {
    UnconfirmedStop stop;
    EXPECT_FALSE(stop.is_due(at(1h))) << "nobody wants one";
    stop.sending("ann", at(0s));
    EXPECT_FALSE(stop.is_due(at(1h))) << "it is under way";
    stop.learn(refused("x"), at(500ms));
    EXPECT_FALSE(stop.is_due(at(999ms)));
    EXPECT_TRUE(stop.is_due(at(1s)));
    EXPECT_TRUE(stop.is_due(at(24h)));
    stop.sending("", at(24h));
    stop.sending("bob", at(24h));
    stop.learn(refused("x"), at(24h));
    EXPECT_FALSE(stop.is_due(at(25h))) << "one of two is under way";
}

TEST(UnconfirmedStop, IsConfirmedByARobotThatWasStoppedSince) {
    UnconfirmedStop stop;
    stop.sending("ann", at(5s));
    EXPECT_FALSE(stop.stopped_at(at(4999ms))) << "of before";
    EXPECT_TRUE(stop.stopped_at(at(5s)));
    EXPECT_FALSE(stop.stopped_at(at(6s)));
    EXPECT_FALSE(stop.learn(refused("x"), at(7s)));
    EXPECT_FALSE(stop.shown(at(9s)));
}

TEST(UnconfirmedStop, EndsWhenItIsDismissed) {
    UnconfirmedStop stop;
    stop.sending("ann", at(0s));
    stop.learn(refused("x"), at(0s));
    EXPECT_TRUE(stop.dismiss());
    EXPECT_FALSE(stop.dismiss());
    EXPECT_FALSE(stop.is_due(at(1h)));
}

}  // namespace
}  // namespace caribou::station
