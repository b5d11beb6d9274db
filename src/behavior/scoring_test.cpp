#include "behavior/scoring.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;

class ScoringTest : public testing::Test {
protected:
    void start(ScoreOptions x, ScoreOptions y) {
        auto& base = rig.add<Scoring>("base");
        base.add(rig["x"], std::move(x));
        base.add(rig["y"], std::move(y));
        rig.start("base");
    }
    DispatcherRig rig;
};

TEST_F(ScoringTest, StartsTheHighestAmongThoseThatWant) {
    start({.base = 1}, {.base = 2});
    EXPECT_EQ(rig.top(), "y");
    rig.set_willing("x");
    rig.end("y");
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(ScoringTest, StartsTheFirstDeclaredOfEqualOnes) {
    start({.base = 1}, {.base = 1});
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(ScoringTest, WaitsIfNoScoreIsAboveZero) {
    start({.base = 0}, {.base = std::numeric_limits<double>::quiet_NaN()});
    EXPECT_EQ(rig.top(), "base");
}

TEST_F(ScoringTest, AddsFactsAndFunctions) {
    rig.facts.set("boredom", 5.0);
    start({.base = 1, .fact = "boredom"}, {.base = 1, .function = [](const View&) { return 4.5; }});
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(ScoringTest, PunishesRepetitionForAWhile) {
    start({.base = 3, .penalty = 2, .recovery = 1s}, {.base = 2});
    EXPECT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "y") << "3 - 2 is less than 2";
    rig.end("y");
    rig.tick(600ms);
    EXPECT_EQ(rig.top(), "x") << "3 - 0.8 is more than 2";
}

TEST_F(ScoringTest, DoesNotInterrupt) {
    start({.fact = "late"}, {.base = 2});
    rig.facts.set("late", 100.0);
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
}

}  // namespace
}  // namespace caribou::behavior
