#include "motion/reflexes.hpp"

#include <gtest/gtest.h>

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

class ReflexesTest : public testing::Test {
protected:
    static constexpr Duration back_off = 500ms;

    void step(Way driven, std::optional<Way> ordered, bool may_touch = false) {
        reflexes.step(senses, {driven, ordered, may_touch}, now);
    }

    Reflexes reflexes{back_off};
    Senses senses{Clearance{0.15, 0.03}};
    Instant now = Instant{} + 1h;
};

TEST_F(ReflexesTest, SeeDangerOnTheSideThatTheRobotGoesTo) {
    senses.bump_ahead = true;
    EXPECT_EQ(danger(senses, Way::ahead), MotionReason::bump);
    EXPECT_EQ(danger(senses, Way::back), std::nullopt);
    senses.cliff_ahead = true;
    EXPECT_EQ(danger(senses, Way::ahead), MotionReason::cliff) << "the greater danger";
    senses = Senses{Clearance{0.15, 0.03}};
    senses.cliff_behind = true;
    EXPECT_EQ(danger(senses, Way::back), MotionReason::cliff);
    EXPECT_EQ(danger(senses, Way::ahead), std::nullopt);
    senses.bump_behind = true;
    senses.cliff_behind = false;
    EXPECT_EQ(danger(senses, Way::back), MotionReason::bump);
    for (const Way aside : {Way::rest, Way::left, Way::right}) EXPECT_EQ(danger(senses, aside), std::nullopt);
}

TEST_F(ReflexesTest, GoAwayFromABumpAndDoNotReturn) {
    step(Way::ahead, Way::ahead);
    EXPECT_EQ(reflexes.away(), std::nullopt);
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead);
    EXPECT_EQ(reflexes.away(), Way::back);
    EXPECT_EQ(reflexes.reason(), MotionReason::bump);
    EXPECT_TRUE(reflexes.holds(Way::ahead));
    EXPECT_FALSE(reflexes.holds(Way::back));
}

TEST_F(ReflexesTest, GoAheadFromACliffBehind) {
    senses.cliff_behind = true;
    step(Way::back, Way::back);
    EXPECT_EQ(reflexes.away(), Way::ahead);
    EXPECT_EQ(reflexes.reason(), MotionReason::cliff);
    EXPECT_TRUE(reflexes.holds(Way::back));
}

TEST_F(ReflexesTest, CountTheirTimeFromWhenTheRobotGoesThere) {
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead);
    senses.bump_ahead = false;
    step(Way::ahead, Way::ahead);  // still braking
    now += 1s;
    step(Way::back, Way::ahead);  // now it backs off for half a second
    EXPECT_EQ(reflexes.away(), Way::back);
    now += back_off - 1ms;
    step(Way::back, Way::ahead);
    EXPECT_EQ(reflexes.away(), Way::back);
    now += 1ms;
    step(Way::back, Way::ahead);
    EXPECT_EQ(reflexes.away(), std::nullopt);
    EXPECT_TRUE(reflexes.holds(Way::ahead)) << "until something else is ordered";
}

TEST_F(ReflexesTest, GiveUpAfterThreeSecondsIfTheRobotDoesNotMove) {
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead);
    senses.bump_ahead = false;
    now += 3s - 1ms;
    step(Way::rest, Way::ahead);
    EXPECT_EQ(reflexes.away(), Way::back);
    now += 1ms;
    step(Way::rest, Way::ahead);
    EXPECT_EQ(reflexes.away(), std::nullopt);
}

TEST_F(ReflexesTest, EndWhereTheWayAwayIsDangerousToo) {
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead);
    senses.cliff_behind = true;
    step(Way::rest, Way::ahead);
    EXPECT_EQ(reflexes.away(), std::nullopt);
}

TEST_F(ReflexesTest, EndWithTheOrder) {
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead);
    step(Way::ahead, std::nullopt);
    EXPECT_EQ(reflexes.away(), std::nullopt) << "nothing moves without an order";
    step(Way::ahead, std::nullopt);
    EXPECT_EQ(reflexes.away(), std::nullopt) << "and nothing begins without one";
}

TEST_F(ReflexesTest, EndWhenAsked) {
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead);
    reflexes.end();
    EXPECT_EQ(reflexes.away(), std::nullopt);
    EXPECT_EQ(reflexes.reason(), std::nullopt);
}

TEST_F(ReflexesTest, ReleaseWhatTheyHoldOnceSomethingElseIsOrdered) {
    reflexes.hold(Way::ahead);
    step(Way::rest, Way::ahead);
    EXPECT_TRUE(reflexes.holds(Way::ahead));
    step(Way::rest, Way::left);
    EXPECT_FALSE(reflexes.holds(Way::ahead));
    step(Way::rest, Way::ahead);
    EXPECT_FALSE(reflexes.holds(Way::ahead));
}

TEST_F(ReflexesTest, LetAnOrderForTouchingTouchButNotFall) {
    senses.bump_ahead = true;
    step(Way::ahead, Way::ahead, true);
    EXPECT_EQ(reflexes.away(), std::nullopt);
    EXPECT_TRUE(reflexes.holds(Way::ahead)) << "the bump ends it";
    senses.bump_ahead = false;
    senses.cliff_ahead = true;
    step(Way::ahead, Way::ahead, true);
    EXPECT_EQ(reflexes.away(), Way::back);
}

}  // namespace
}  // namespace caribou::motion
