#include "behavior/overrun_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// A clock that advances only while a behavior works, and counts how often it is read.
class WorkClock final : public Clock {
public:
    Instant now() const override { return ++reads, time; }
    WallTime wall() const override { return {}; }
    Instant time{};
    mutable int reads = 0;
};

/// base -> a, b, each of which works for a while in every update.
class Overrun : public testing::Test {
protected:
    Overrun() {
        base.delegates = {&a, &b};
        a.in_update = [this](Control&) { clock.time += work_of_a; };
        b.in_update = [this](Control&) { clock.time += 1ms; };
    }
    void start() { rig.start("base", {.overrun = {.clock = &clock, .budget = 10ms, .timed_ticks = 3}}); }
    WorkClock clock;
    Duration work_of_a = 2ms;
    Rig rig;
    Scripted& base = rig.make("base");
    Scripted& a = rig.make("a");
    Scripted& b = rig.make("b");
};

TEST_F(Overrun, CostsTwoLooksAtTheClockWhileAllIsWell) {
    start();
    clock.reads = 0;
    rig.tick();
    EXPECT_EQ(clock.reads, 2);
    EXPECT_EQ(rig.runner->overruns(), 0u);
}

TEST_F(Overrun, IsCountedAndTheSlowOneIsNamedWhenItHappensAgain) {
    start();
    work_of_a = 20ms;
    rig.tick();
    EXPECT_EQ(rig.runner->overruns(), 1u);
    EXPECT_THAT(rig.changes, ElementsAre("tick overran: 21 ms of 10 ms"));
    rig.tick();
    EXPECT_THAT(rig.changes, ElementsAre("tick overran: 21 ms of 10 ms", "a is slow: 20 ms"));
    EXPECT_EQ(rig.runner->overruns(), 2u);
}

TEST_F(Overrun, IsFollowedByTimingForAWhileThatNamesTheSlowest) {
    start();
    work_of_a = 20ms;
    rig.tick();
    work_of_a = 2ms;
    clock.reads = 0;
    rig.tick();
    EXPECT_EQ(clock.reads, 2 + 2 * 3) << "base, a and b are timed";
    rig.tick();
    EXPECT_THAT(rig.changes, IsEmpty());
    rig.tick();
    EXPECT_THAT(rig.changes, ElementsAre("a is slow: 2 ms"));
    clock.reads = 0;
    rig.tick();
    EXPECT_EQ(clock.reads, 2) << "the timing is over";
}

}  // namespace
}  // namespace caribou::behavior
