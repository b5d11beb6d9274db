#include "behavior/cycle_guard.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {
namespace {

using testing::Contains;
using testing::ElementsAre;

/// Returns whether this series of tops, `distance` ticks apart, ends in a cycle.
bool is_cycle(const std::string& row, std::uint64_t distance = 1) {
    CycleGuard guard;
    std::uint64_t tick = 1;
    bool found = false;
    for (const char top : row) {
        found = guard.pushed(static_cast<Who>(top), tick).has_value();
        guard.popped();
        tick += distance;
    }
    return found;
}

TEST(CycleGuard, SeesFiveOfTheSameAndFiveInTurns) {
    EXPECT_TRUE(is_cycle("AAAAA"));
    EXPECT_TRUE(is_cycle("ABABA"));
    EXPECT_TRUE(is_cycle("CBABABA"));
    EXPECT_FALSE(is_cycle("AAAA"));
    EXPECT_FALSE(is_cycle("ABAB"));
    EXPECT_FALSE(is_cycle("ABABC"));
    EXPECT_FALSE(is_cycle("ABCABC"));
    EXPECT_FALSE(is_cycle("AABAA"));
}

TEST(CycleGuard, OnlyLooksAtWhatIsAtMostTwoTicksApart) {
    EXPECT_TRUE(is_cycle("AAAAA", 0));
    EXPECT_TRUE(is_cycle("AAAAA", 2));
    EXPECT_FALSE(is_cycle("AAAAA", 3));
}

TEST(CycleGuard, LooksAtTheEndOfAChainOfDelegations) {
    CycleGuard guard;
    for (std::uint64_t tick = 1; tick < 5; ++tick) {
        for (const Who who : {1u, 2u, 3u}) EXPECT_FALSE(guard.pushed(who, tick));
        guard.popped();
    }
    EXPECT_FALSE(guard.pushed(1, 5));
    EXPECT_FALSE(guard.pushed(2, 5));
    EXPECT_EQ(guard.pushed(3, 5), (CycleFound{3, 3}));
}

/// base -> a, b, safe; base starts a and b alternately; they end in their first update.
class Cycling : public testing::Test {
protected:
    Cycling() {
        base.delegates = {&a, &b, &safe};
        base.in_update = [&](Control& control) {
            if (control.is_active() && control.can_delegate()) ask_and_delegate(control, turn++ % 2 ? b : a);
        };
        for (Scripted* one : {&a, &b})
            one->in_update = [](Control& control) {
                if (control.is_active()) (void)control.finish(Outcome::succeeded());
            };
    }
    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
    Scripted& safe = rig.make("safe");
    int turn = 0;
};

TEST_F(Cycling, IsResetToTheSafeBehaviorInTheNextTickWithItsCause) {
    rig.start("base", {.safe_behavior = "safe"});
    for (int i = 2; i <= 5; ++i) rig.tick();
    EXPECT_THAT(rig.changes, Contains("cycle of a and b"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    rig.tick();
    EXPECT_EQ(rig.changes.front(), "stack reset: a and b take turns without end");
    EXPECT_THAT(rig.stack(), ElementsAre("safe"));
}

TEST_F(Cycling, IsResetToTheBaseWithoutASafeBehavior) {
    rig.start("base");
    for (int i = 2; i <= 6; ++i) rig.tick();
    EXPECT_EQ(rig.changes.front(), "stack reset: a and b take turns without end");
    EXPECT_EQ(rig.stack().front(), "base");
}

TEST_F(Cycling, IsNoCycleIfTheRepeatIsDeclared) {
    (void)base.declare({.declares_repeat = true});
    rig.start("base");
    for (int i = 0; i < 20; ++i) {
        rig.tick();
        EXPECT_THAT(rig.changes, testing::Not(Contains("cycle of a and b")));
    }
}

TEST_F(Cycling, StatesWhyABehaviorHasFailedEachTime) {
    base.in_update = [&](Control& control) {
        if (control.is_active() && control.can_delegate()) ask_and_delegate(control, a);
    };
    a.in_update = [&](Control& control) {
        if (control.is_active() && turn++ < 4) (void)control.finish(Outcome::failed("no wheels"));
    };
    rig.start("base");
    for (int i = 0; i < 12; ++i) {
        rig.tick();
        if (std::ranges::find(rig.changes, "cycle of a and a") != rig.changes.end()) break;
    }
    rig.tick();
    EXPECT_EQ(rig.changes.front(),
              "stack reset: a was started five times in a row; a has ended, failed: no wheels");
    ASSERT_TRUE(rig.runner->last_end(a));
    EXPECT_EQ(to_string(rig.runner->last_end(a)->outcome),
              "cancelled: reset; before that it failed: no wheels");
}

TEST_F(Cycling, InsideOneTickIsEndedByTheGuard) {
    a.in_activated = [](Control& control) { (void)control.cancel_self(); };
    base.in_returned = [&](Control& control, const Outcome&) { ask_and_delegate(control, a); };
    rig.start("base");
    EXPECT_THAT(rig.changes, Contains("cycle of a and a"));
    EXPECT_THAT(rig.broken, ElementsAre(Rule::not_while_resetting));
}

}  // namespace
}  // namespace caribou::behavior
