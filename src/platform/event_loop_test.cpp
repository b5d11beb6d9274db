#include "platform/event_loop.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace caribou {

using namespace std::chrono_literals;
using testing::ElementsAre;

class EventLoopTest : public ::testing::Test {
protected:
    static constexpr Duration limit = 60s;
    bool comes(std::move_only_function<bool() const> condition) { return loop.run_until(condition, limit); }
    Task note(std::string name) {
        return [this, name] { order.push_back(name); };
    }

    std::vector<std::string> order;
    EventLoop loop;
};

TEST_F(EventLoopTest, RunsPostedTasksInOrder) {
    loop.post(note("a"));
    loop.post(note("b"));
    loop.post(note("c"));
    ASSERT_TRUE(comes([this] { return order.size() == 3; }));
    EXPECT_THAT(order, ElementsAre("a", "b", "c"));
}

TEST_F(EventLoopTest, RunsWhatATaskPostsAfterWhatIsReady) {
    loop.post([this] {
        loop.post(note("posted by first"));
        order.push_back("first");
    });
    loop.post(note("second"));
    ASSERT_TRUE(comes([this] { return order.size() == 3; }));
    EXPECT_THAT(order, ElementsAre("first", "second", "posted by first"));
}

TEST_F(EventLoopTest, ATaskThatPostsItselfDoesNotStarveTimers) {
    std::function<void()> again = [&] { loop.post([&] { again(); }); };
    again();
    bool due = false;
    const auto timer = loop.make_timer([&] { due = true; });
    timer->arm(loop.clock().now() + 1ms);
    EXPECT_TRUE(comes([&] { return due; }));
}

TEST_F(EventLoopTest, FiresTimersInOrderAndNotEarly) {
    const Instant start = loop.clock().now();
    Instant fired_at{};
    const auto late = loop.make_timer([&] {
        fired_at = loop.clock().now();
        order.push_back("late");
    });
    const auto early = loop.make_timer(note("early"));
    late->arm(start + 20ms);
    early->arm(start + 10ms);
    ASSERT_TRUE(comes([this] { return order.size() == 2; }));
    EXPECT_THAT(order, ElementsAre("early", "late"));
    EXPECT_GE(fired_at, start + 20ms);
}

TEST_F(EventLoopTest, ATimerInThePastIsDueAtOnceButNotInsideTheCall) {
    const auto timer = loop.make_timer(note("due"));
    timer->arm(Instant::min());
    EXPECT_TRUE(order.empty());
    EXPECT_TRUE(comes([this] { return order.size() == 1; }));
}

TEST_F(EventLoopTest, ATimerCanBeArmedEarlierLaterAndForEver) {
    const Instant start = loop.clock().now();
    const auto sooner = loop.make_timer(note("sooner"));
    const auto later = loop.make_timer(note("later"));
    const auto never = loop.make_timer(note("never"));
    sooner->arm(start + 1h);
    sooner->arm(start + 1ms);
    later->arm(start + 1ms);
    later->arm(start + 5ms);
    never->arm(start + 1ms);
    never->arm(Instant::max());
    ASSERT_TRUE(comes([this] { return order.size() == 2; }));
    EXPECT_THAT(order, ElementsAre("sooner", "later"));
}

TEST_F(EventLoopTest, ATimerMayBeArmedAgainInItsTask) {
    int times = 0;
    std::unique_ptr<Timer> timer = loop.make_timer([&] {
        if (++times < 3) timer->arm(loop.clock().now() + 1ms);
    });
    timer->arm(loop.clock().now());
    EXPECT_TRUE(comes([&] { return times == 3; }));
}

TEST_F(EventLoopTest, CancelledAndDestroyedTimersStaySilent) {
    const Instant soon = loop.clock().now() + 1ms;
    const auto cancelled = loop.make_timer(note("cancelled"));
    auto destroyed = loop.make_timer(note("destroyed"));
    const auto last = loop.make_timer(note("last"));
    cancelled->arm(soon);
    destroyed->arm(soon);
    last->arm(soon + 1ms);
    cancelled->cancel();
    destroyed.reset();
    ASSERT_TRUE(comes([this] { return !order.empty(); }));
    EXPECT_THAT(order, ElementsAre("last"));
}

TEST_F(EventLoopTest, ATimerMayBeDestroyedInItsTask) {
    std::unique_ptr<Timer> timer;
    const auto text = std::make_shared<std::string>("still here");
    timer = loop.make_timer([&timer, this, text] {
        timer.reset();
        order.push_back(*text);
    });
    timer->arm(loop.clock().now());
    ASSERT_TRUE(comes([this] { return !order.empty(); }));
    EXPECT_THAT(order, ElementsAre("still here"));
}

TEST_F(EventLoopTest, RunUntilGivesUpAtItsLimit) {
    EXPECT_FALSE(loop.run_until([] { return false; }, 1ms));
    EXPECT_TRUE(loop.run_until([] { return true; }, 0ms));
}

TEST_F(EventLoopTest, StopEndsRunFromInside) {
    loop.post([this] {
        loop.stop();
        order.push_back("stopped");
    });
    loop.run();
    EXPECT_THAT(order, ElementsAre("stopped"));
}

TEST_F(EventLoopTest, StopBeforeRunCountsOnce) {
    loop.post(note("later"));
    loop.stop();
    loop.run();
    EXPECT_TRUE(order.empty());
    EXPECT_TRUE(comes([this] { return order.size() == 1; }));
}

TEST_F(EventLoopTest, StopFromAnotherThreadEndsRun) {
    std::jthread other([this] { loop.stop(); });
    loop.run();
}

TEST_F(EventLoopTest, TakesTasksFromSeveralThreadsInTheOrderOfEach) {
    constexpr int each = 1000;
    std::vector<std::vector<int>> seen(4);
    std::size_t total = 0;
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < seen.size(); ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < each; ++i)
                loop.post_from_any_thread([&, t, i] {
                    seen[t].push_back(i);
                    ++total;
                });
        });
    ASSERT_TRUE(comes([&] { return total == seen.size() * each; }));
    for (const auto& one : seen) EXPECT_TRUE(std::ranges::is_sorted(one));
}

TEST_F(EventLoopTest, DestroysTasksThatNeverRan) {
    const auto held = std::make_shared<int>();
    {
        EventLoop other;
        other.post([held] {});
        other.post_from_any_thread([held] {});
        other.post([timer = std::shared_ptr<Timer>(other.make_timer([held] {}))] {});
    }
    EXPECT_EQ(held.use_count(), 1);
}

TEST_F(EventLoopTest, ASignalStopsItAndThoseRightBehindItDoNothing) {
    for (const int signal : {SIGINT, SIGTERM}) {
        loop.stop_on_signals({SIGINT, SIGTERM});
        ASSERT_EQ(std::raise(signal), 0);
        loop.run();
        for (const int further : {SIGINT, SIGTERM}) ASSERT_EQ(std::raise(further), 0);
    }
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);
}

TEST(EventLoopDeathTest, ASignalHasItsUsualEffectASecondAfterTheFirst) {
    const auto signal_again = [] {
        EventLoop loop;
        loop.stop_on_signals({SIGTERM});
        std::raise(SIGTERM);
        loop.run();
        loop.run_until([] { return false; }, std::chrono::milliseconds(1100));
        std::raise(SIGTERM);
    };
    EXPECT_EXIT(signal_again(), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace caribou
