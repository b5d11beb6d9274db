#include "behavior/strict_priority.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"
#include "behavior/strict_priority_with_cooldown.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::Not;

class Priority : public testing::Test {
protected:
    void start(Interrupts interrupts) {
        auto& base = rig.add<StrictPriority>("base", interrupts);
        for (const char* id : {"x", "y", "z"}) base.add(rig[id]);
        rig.start("base");
    }
    void start(CooldownOptions cooldown_of_x) {
        auto& base = rig.add<StrictPriorityWithCooldown>("base");
        base.add(rig["x"], cooldown_of_x);
        base.add(rig["y"], {});
        rig.start("base");
    }
    DispatcherRig rig;
};

TEST_F(Priority, StartsTheFirstThatWants) {
    rig.set_willing("yz");
    start(Interrupts::yes);
    EXPECT_EQ(rig.top(), "y");
}

TEST_F(Priority, InterruptsForAHigherOne) {
    rig.set_willing("z");
    start(Interrupts::yes);
    rig.set_willing("xz");
    rig.tick();
    EXPECT_EQ(rig.top(), "x");
    EXPECT_THAT(rig.changes, Contains("z popped, cancelled"));
}

TEST_F(Priority, NeverInterruptsForALowerOne) {
    rig.set_willing("y");
    start(Interrupts::yes);
    rig.set_willing("yz");
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
    EXPECT_THAT(rig.trace, Not(Contains("ask z")));
}

TEST_F(Priority, WithoutInterruptingLetsTheRunningOneEnd) {
    rig.set_willing("z");
    start(Interrupts::no);
    rig.set_willing("xz");
    rig.tick();
    EXPECT_EQ(rig.top(), "z");
    EXPECT_THAT(rig.trace, Not(Contains("ask x")));
    rig.end("z");
    rig.tick();
    EXPECT_EQ(rig.top(), "x") << "in the same tick";
}

TEST_F(Priority, WaitsWhileNobodyWants) {
    rig.set_willing("");
    start(Interrupts::yes);
    EXPECT_EQ(rig.top(), "base");
    rig.set_willing("z");
    rig.tick();
    EXPECT_EQ(rig.top(), "z");
}

TEST_F(Priority, DoesNotStartAChildTwiceInATick) {
    rig.set_willing("x");
    rig.end_at_once("x");
    start(Interrupts::yes);
    EXPECT_EQ(std::ranges::count(rig.trace, "activate x"), 1);
    rig.tick();
    EXPECT_EQ(std::ranges::count(rig.trace, "activate x"), 1);
}

TEST_F(Priority, RestsAChildAfterItEnded) {
    start({.length = 100ms});
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
    rig.tick(99ms);
    EXPECT_EQ(rig.top(), "y");
    EXPECT_THAT(rig.trace, Not(Contains("ask x")));
    rig.tick(1ms);
    EXPECT_EQ(rig.top(), "x");
}

TEST_F(Priority, RestsAChildAlsoAfterItWasCancelledFromOutside) {
    start({.length = 100ms});
    EXPECT_EQ(rig.top(), "x");
    (void)rig.runner->request_reset("test");
    rig.tick();
    EXPECT_EQ(rig.top(), "y") << "the cooldown outlives the dispatcher's activation";
}

TEST_F(Priority, GivesAChildThatRestsForeverItsOneTime) {
    start({.forever = true});
    EXPECT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    rig.tick(24h);
    EXPECT_EQ(rig.top(), "y");
}

TEST(CooldownJitter, StaysInItsRangeAndFollowsTheSeed) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        Cooldown cooldown({.length = 100ms, .jitter = 0.2});
        cooldown.draw(random);
        cooldown.begin(Instant{});
        EXPECT_FALSE(cooldown.over(Instant(79ms)));
        EXPECT_TRUE(cooldown.over(Instant(120ms)));
    }
}

}  // namespace
}  // namespace caribou::behavior
