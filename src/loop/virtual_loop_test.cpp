#include "loop/virtual_loop.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

using namespace std::chrono_literals;

TEST(VirtualLoop, StartsOnNewYearsDay2026) {
    VirtualLoop loop;
    EXPECT_EQ(loop.clock().wall(), WallTime(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}));
    EXPECT_EQ(loop.clock().unix_seconds(), 1767225600.0);
}

TEST(VirtualLoop, MovesBothClocksOnlyWhenToldTo) {
    VirtualLoop loop;
    const Instant start = loop.clock().now();
    const WallTime wall = loop.clock().wall();
    loop.run_ready();
    EXPECT_EQ(loop.clock().now(), start);
    loop.advance(90min);
    EXPECT_EQ(loop.clock().now(), start + 90min);
    EXPECT_EQ(loop.clock().wall(), wall + 90min);
}

TEST(VirtualLoop, LetsATaskTakeTime) {
    VirtualLoop loop;
    const Instant start = loop.clock().now();
    std::vector<Duration> fired;
    const auto note = [&] { fired.push_back(loop.clock().now() - start); };
    const auto busy = loop.make_timer([&] {
        note();
        loop.take_time(5s);
    });
    const auto late = loop.make_timer(note);
    const auto later = loop.make_timer(note);
    busy->arm(start + 1s);
    late->arm(start + 3s);
    later->arm(start + 7s);
    loop.advance(10s);
    EXPECT_EQ(fired, (std::vector<Duration>{1s, 6s, 7s}));
    EXPECT_EQ(loop.clock().now(), start + 10s);
}

TEST(VirtualLoop, StepsTheTimeOfDayAlone) {
    VirtualLoop loop;
    const Instant start = loop.clock().now();
    const WallTime wall = loop.clock().wall();
    loop.step_wall(-1h);
    EXPECT_EQ(loop.clock().wall(), wall - 1h);
    EXPECT_EQ(loop.clock().now(), start);
}

TEST(VirtualLoop, RunsPostedTasksInOrderAndNeverInsideThePost) {
    VirtualLoop loop;
    std::string trace;
    loop.post([&] {
        loop.post([&] { trace += 'c'; });
        trace += 'a';
    });
    loop.post([&] { trace += 'b'; });
    EXPECT_EQ(trace, "");
    loop.run_ready();
    EXPECT_EQ(trace, "abc");
}

TEST(VirtualLoop, RunsAPostedTaskAfterTheTimersThatAreDue) {
    VirtualLoop loop;
    std::string trace;
    const auto second = loop.make_timer([&] { trace += '2'; });
    const auto first = loop.make_timer([&] {
        trace += '1';
        loop.post([&] { trace += 'p'; });
    });
    first->arm(loop.clock().now() + 1ms);
    second->arm(loop.clock().now() + 1ms);
    loop.advance(1ms);
    EXPECT_EQ(trace, "12p");
}

TEST(VirtualLoop, FiresATimerAtItsInstantAndOnce) {
    VirtualLoop loop;
    std::vector<Instant> fired;
    const auto timer = loop.make_timer([&] { fired.push_back(loop.clock().now()); });
    const Instant due = loop.clock().now() + 5ms;
    timer->arm(due);
    loop.advance(4999us);
    EXPECT_TRUE(fired.empty());
    loop.advance(1h);
    EXPECT_EQ(fired, std::vector{due});
}

TEST(VirtualLoop, FiresATimerWhoseInstantHasPassedAtOnceButNotInsideTheCall) {
    VirtualLoop loop;
    loop.advance(1s);
    int fired = 0;
    const auto timer = loop.make_timer([&] { ++fired; });
    timer->arm(loop.clock().now() - 1s);
    EXPECT_EQ(fired, 0);
    loop.run_ready();
    EXPECT_EQ(fired, 1);
}

TEST(VirtualLoop, ForgetsTheOldInstantWhenATimerIsArmedAgain) {
    VirtualLoop loop;
    const Instant start = loop.clock().now();
    std::vector<Instant> fired;
    const auto timer = loop.make_timer([&] { fired.push_back(loop.clock().now()); });
    timer->arm(start + 1ms);
    timer->arm(start + 3ms);
    loop.advance(10ms);
    EXPECT_EQ(fired, std::vector{start + 3ms});
}

TEST(VirtualLoop, DoesNotFireATimerThatWasCancelledOrDestroyed) {
    VirtualLoop loop;
    int fired = 0;
    const auto cancelled = loop.make_timer([&] { ++fired; });
    auto destroyed = loop.make_timer([&] { ++fired; });
    cancelled->arm(loop.clock().now() + 1ms);
    destroyed->arm(loop.clock().now() + 1ms);
    cancelled->cancel();
    destroyed.reset();
    EXPECT_TRUE(loop.idle());
    loop.advance(1s);
    EXPECT_EQ(fired, 0);
}

TEST(VirtualLoop, LetsATimersTaskDestroyItsTimer) {
    VirtualLoop loop;
    std::string said;
    std::unique_ptr<Timer> timer;
    timer = loop.make_timer([&, word = std::string("long enough to live on the heap")] {
        timer.reset();
        said = word;  // the captured string is still valid
    });
    timer->arm(loop.clock().now());
    loop.run_ready();
    EXPECT_EQ(said, "long enough to live on the heap");
    EXPECT_TRUE(loop.idle());
}

TEST(VirtualLoop, LetsATimersTaskDestroyAnotherThatIsDueWithIt) {
    VirtualLoop loop;
    int fired = 0;
    std::unique_ptr<Timer> second;
    const auto first = loop.make_timer([&] { second.reset(); });
    second = loop.make_timer([&] { ++fired; });
    first->arm(loop.clock().now() + 1ms);
    second->arm(loop.clock().now() + 1ms);
    loop.advance(1ms);
    EXPECT_EQ(fired, 0);
}

TEST(VirtualLoop, LetsATimersTaskArmItAgain) {
    VirtualLoop loop;
    int fired = 0;
    std::unique_ptr<Timer> timer;
    timer = loop.make_timer([&] {
        ++fired;
        timer->arm(loop.clock().now() + 10ms);
    });
    timer->arm(loop.clock().now() + 10ms);
    loop.advance(1s);
    EXPECT_EQ(fired, 100);
}

TEST(VirtualLoop, GivesPostedTasksTheirTurnBesideATimerThatIsAlwaysDue) {
    VirtualLoop loop;
    bool ran = false;
    std::unique_ptr<Timer> timer;
    timer = loop.make_timer([&] {
        if (!ran) timer->arm(loop.clock().now());
    });
    timer->arm(loop.clock().now());
    loop.post([&] { ran = true; });
    loop.run_ready();
    EXPECT_TRUE(ran);
}

TEST(VirtualLoop, StopsAsSoonAsTheConditionHolds) {
    VirtualLoop loop;
    const Instant start = loop.clock().now();
    bool done = false;
    const auto timer = loop.make_timer([&] { done = true; });
    const auto later = loop.make_timer([] {});
    timer->arm(start + 2s);
    later->arm(start + 3s);
    EXPECT_TRUE(loop.run_until([&] { return done; }, 1min));
    EXPECT_EQ(loop.clock().now(), start + 2s);
}

TEST(VirtualLoop, GivesUpAtTheLimitWhenTheConditionDoesNotHold) {
    VirtualLoop loop;
    const Instant start = loop.clock().now();
    bool done = false;
    const auto timer = loop.make_timer([&] { done = true; });
    timer->arm(start + 2s);
    EXPECT_FALSE(loop.run_until([&] { return done; }, 1s));
    EXPECT_EQ(loop.clock().now(), start + 1s);
    EXPECT_TRUE(loop.run_until([&] { return done; }, 1s));
}

TEST(VirtualLoop, DoesNotMoveWhenTheConditionHoldsAlready) {
    VirtualLoop loop;
    bool ran = false;
    loop.post([&] { ran = true; });
    EXPECT_TRUE(loop.run_until([] { return true; }, 1s));
    EXPECT_FALSE(ran);
}

TEST(VirtualLoop, TakesTheLargestLimit) {
    VirtualLoop loop;
    loop.advance(1s);
    EXPECT_FALSE(loop.run_until([] { return false; }, Duration::max()));
}

TEST(VirtualLoop, IsIdleWhenNothingWaits) {
    VirtualLoop loop;
    EXPECT_TRUE(loop.idle());
    loop.post([] {});
    EXPECT_FALSE(loop.idle());
    loop.run_ready();
    EXPECT_TRUE(loop.idle());
    const auto timer = loop.make_timer([] {});
    EXPECT_TRUE(loop.idle());
    timer->arm(loop.clock().now() + 1h);
    EXPECT_FALSE(loop.idle());
}

TEST(VirtualLoop, LetsGoOfWhatItsTasksHoldWhenItEnds) {
    const auto held = std::make_shared<int>(1);
    std::unique_ptr<Timer> survivor;
    {
        VirtualLoop loop;
        loop.post([held, timer = loop.make_timer([] {})] {});
        survivor = loop.make_timer([] {});
        survivor->arm(loop.clock().now() + 1s);
    }
    EXPECT_EQ(held.use_count(), 1);
    survivor->arm(Instant{});  // no effect, but safe
}

TEST(VirtualLoopDeathTest, RefusesToBeRunByItsOwnTask) {
    VirtualLoop loop;
    loop.post([&] { loop.advance(1s); });
    EXPECT_DEATH(loop.run_ready(), "run from outside");
}

struct Firing {
    Instant at;
    std::size_t timer;
    friend auto operator<=>(const Firing&, const Firing&) = default;
};

/// Armed in order of their numbers, timers fire sorted by instant and then by number, each exactly
/// when the clock shows its instant, whatever the steps in which the clock is moved.
RC_GTEST_PROP(VirtualLoop, FiresTimersInOrder, (const std::vector<std::uint8_t>& dues)) {
    const auto steps = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 100));
    VirtualLoop loop;
    std::vector<std::unique_ptr<Timer>> timers;
    std::vector<Firing> fired;
    std::vector<Firing> wanted;
    for (const std::uint8_t due : dues) {
        const std::size_t number = timers.size();
        timers.push_back(loop.make_timer([&, number] { fired.push_back({loop.clock().now(), number}); }));
        timers.back()->arm(Instant{} + Duration(due));
        wanted.push_back({Instant{} + Duration(due), number});
    }
    std::ranges::sort(wanted);
    for (const int step : steps) loop.advance(Duration(step));
    loop.advance(256ns);
    RC_ASSERT(fired == wanted);
    RC_ASSERT(loop.idle());
}

}  // namespace
}  // namespace caribou
