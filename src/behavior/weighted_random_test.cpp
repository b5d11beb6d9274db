#include "behavior/weighted_random.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/dispatcher_rig.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;

/// Returns how often each child is drawn in 600 ticks, 10 ms apart.
std::map<std::string, int> draws(std::uint64_t seed, double x, double y, double z) {
    DispatcherRig rig;
    auto& base = rig.add<WeightedRandom>("base");
    base.add(rig["x"], x);
    base.add(rig["y"], y);
    base.add(rig["z"], z);
    OperationModifiers modifiers = base.modifiers();
    modifiers.declares_repeat = true;  // otherwise the guard would detect a cycle, correctly
    (void)base.declare(modifiers);
    std::map<std::string, int> drawn;
    for (auto& [id, child] : rig.children)
        child.behavior->in_activated = [&drawn, name = id](Control& control) {
            ++drawn[name];
            (void)control.finish(Outcome::succeeded());
        };
    rig.set_willing("xyz");
    rig.start("base", {.seed = seed});
    for (int i = 1; i < 600; ++i) rig.tick();
    return drawn;
}

TEST(WeightedRandom, IsNoCycleWhenChanceDrawsShortChildrenInTurn) {
    Rig rig;
    auto& base = rig.add<WeightedRandom>("base");
    for (const char* id : {"a", "b"}) {
        Scripted& child = rig.make(id);
        child.in_update = [](Control& control) {
            if (control.is_active()) (void)control.finish(Outcome::succeeded());
        };
        base.add(child, 1);
    }
    rig.start("base");
    for (int i = 0; i < 200; ++i) {
        rig.tick();
        ASSERT_THAT(rig.changes, testing::Not(testing::Contains(testing::HasSubstr("cycle of"))));
    }
}

TEST(WeightedRandom, DrawsByWeight) {
    auto drawn = draws(1, 1, 1, 0);
    // In each tick one is drawn, then another one of those not yet started in this tick.
    EXPECT_GT(drawn["x"], 200);
    EXPECT_GT(drawn["y"], 200);
    EXPECT_EQ(drawn["z"], 0) << "a weight of 0 is never drawn";
}

TEST(WeightedRandom, DrawsTheSameFromTheSameSeed) { EXPECT_EQ(draws(7, 1, 2, 3), draws(7, 1, 2, 3)); }

TEST(WeightedRandom, PrefersTheHeavier) {
    DispatcherRig rig;
    auto& base = rig.add<WeightedRandom>("base");
    base.add(rig["x"], 9);
    base.add(rig["y"], 1);
    base.add(rig["z"], std::numeric_limits<double>::quiet_NaN());
    rig.make_runner();
    std::map<std::string, int> drawn;
    for (int i = 0; i < 300; ++i) {
        (void)rig.runner->request_reset("again", "base");
        rig.tick();
        ++drawn[rig.top()];
    }
    EXPECT_GT(drawn["x"], 5 * drawn["y"]);
    EXPECT_EQ(drawn["x"] + drawn["y"], 300);
}

TEST(WeightedRandom, LeavesOutWhoRestsOrDoesNotWant) {
    DispatcherRig rig;
    auto& base = rig.add<WeightedRandom>("base");
    base.add(rig["x"], 1000, {.length = 1s});
    base.add(rig["y"], 1);
    base.add(rig["z"], 1000);
    rig.set_willing("xy");
    rig.start("base");
    if (rig.top() == "y") rig.end("y"), rig.tick();
    ASSERT_EQ(rig.top(), "x");
    rig.end("x");
    rig.tick();
    EXPECT_EQ(rig.top(), "y");
    rig.set_willing("");
    rig.end("y");
    rig.tick();
    EXPECT_EQ(rig.top(), "base") << "nobody is left";
}

}  // namespace
}  // namespace caribou::behavior
