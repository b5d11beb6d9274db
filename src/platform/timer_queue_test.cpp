#include "platform/timer_queue.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace caribou {

using testing::ElementsAre;

class TimerQueueTest : public ::testing::Test {
protected:
    static Instant at(int n) { return Instant(Duration(n)); }
    std::unique_ptr<TimerQueue::Entry> note(std::string name) {
        return std::make_unique<TimerQueue::Entry>([this, name] { fired.push_back(name); });
    }

    TimerQueue queue;
    std::vector<std::string> fired;
};

TEST_F(TimerQueueTest, FiresInOrderOfInstantsAndThenOfArming) {
    const auto a = note("a"), b = note("b"), c = note("c");
    queue.arm(*c, at(2));
    queue.arm(*b, at(1));
    queue.arm(*a, at(2));
    queue.run_due(at(2));
    EXPECT_THAT(fired, ElementsAre("b", "c", "a"));
}

TEST_F(TimerQueueTest, FiresOnceAndNotBeforeItsInstant) {
    const auto a = note("a");
    queue.arm(*a, at(5));
    queue.run_due(at(4));
    EXPECT_TRUE(fired.empty());
    queue.run_due(at(5));
    queue.run_due(at(6));
    EXPECT_THAT(fired, ElementsAre("a"));
    EXPECT_EQ(queue.next(), std::nullopt);
}

TEST_F(TimerQueueTest, ArmingAgainReplacesTheInstantBothWays) {
    const auto a = note("a"), b = note("b");
    queue.arm(*a, at(5));
    queue.arm(*a, at(9));
    queue.arm(*b, at(9));
    queue.arm(*b, at(5));
    queue.run_due(at(5));
    EXPECT_THAT(fired, ElementsAre("b"));
    EXPECT_EQ(queue.next(), at(9));
    queue.run_due(at(9));
    EXPECT_THAT(fired, ElementsAre("b", "a"));
}

TEST_F(TimerQueueTest, KeepsTheOrderOfArmingWhenOneWasMovedBack) {
    const auto a = note("a"), b = note("b");
    queue.arm(*a, at(1));
    queue.arm(*b, at(9));
    queue.arm(*a, at(9));
    queue.run_due(at(9));
    EXPECT_THAT(fired, ElementsAre("b", "a"));
}

TEST_F(TimerQueueTest, DoesNotFireWhatWasCancelledOrDestroyed) {
    const auto a = note("a");
    auto b = note("b");
    queue.arm(*a, at(1));
    queue.arm(*b, at(1));
    queue.cancel(*a);
    b.reset();
    EXPECT_EQ(queue.next(), std::nullopt);
    queue.run_due(at(1));
    EXPECT_TRUE(fired.empty());
}

TEST_F(TimerQueueTest, ATaskMayCancelAndDestroyOthersThatAreDue) {
    const auto b = note("b");
    auto c = note("c");
    TimerQueue::Entry a([&] {
        queue.cancel(*b);
        c.reset();
    });
    queue.arm(a, at(1));
    queue.arm(*b, at(1));
    queue.arm(*c, at(1));
    queue.run_due(at(1));
    EXPECT_TRUE(fired.empty());
}

TEST_F(TimerQueueTest, ATaskMayDestroyItsOwnTimer) {
    std::unique_ptr<TimerQueue::Entry> own;
    const auto text = std::make_shared<std::string>("still here");
    own = std::make_unique<TimerQueue::Entry>([&own, this, text] {
        own.reset();
        fired.push_back(*text);
    });
    queue.arm(*own, at(1));
    queue.run_due(at(1));
    EXPECT_THAT(fired, ElementsAre("still here"));
}

TEST_F(TimerQueueTest, WhatATaskArmsWaitsForTheNextCallEvenIfItIsDue) {
    int times = 0;
    std::unique_ptr<TimerQueue::Entry> again;
    again = std::make_unique<TimerQueue::Entry>([&] {
        ++times;
        queue.arm(*again, at(0));
    });
    queue.arm(*again, at(1));
    queue.run_due(at(1));
    EXPECT_EQ(times, 1);
    EXPECT_EQ(queue.next(), at(0));
    queue.run_due(at(1));
    EXPECT_EQ(times, 2);
}

TEST_F(TimerQueueTest, ATaskThatMovesAnotherDueTimerMakesItWait) {
    const auto b = note("b");
    TimerQueue::Entry a([&] { queue.arm(*b, at(7)); });
    queue.arm(a, at(1));
    queue.arm(*b, at(1));
    queue.run_due(at(1));
    EXPECT_TRUE(fired.empty());
    queue.run_due(at(7));
    EXPECT_THAT(fired, ElementsAre("b"));
}

// Any sequence of calls fires the same timers as a plain table of (time, order of arming).
RC_GTEST_PROP(TimerQueueProperty, AgreesWithAPlainTable, ()) {
    TimerQueue queue;
    std::vector<int> fired, expected;
    std::vector<std::unique_ptr<TimerQueue::Entry>> timers;
    std::map<int, std::pair<int, int>> table;  // timer -> (time, order)
    for (int i = 0; i < 5; ++i)
        timers.push_back(std::make_unique<TimerQueue::Entry>([&fired, i] { fired.push_back(i); }));

    int now = 0;
    for (int step = 0; step < 60; ++step) {
        const int which = *rc::gen::inRange(0, 5);
        switch (*rc::gen::inRange(0, 4)) {
            case 0:
                queue.cancel(*timers[static_cast<std::size_t>(which)]);
                table.erase(which);
                break;
            case 1: {
                now += *rc::gen::inRange(0, 5);
                queue.run_due(Instant(Duration(now)));
                std::vector<std::pair<std::pair<int, int>, int>> due;
                for (const auto& [timer, place] : table)
                    if (place.first <= now) due.push_back({place, timer});
                std::ranges::sort(due);
                for (const auto& [place, timer] : due) {
                    expected.push_back(timer);
                    table.erase(timer);
                }
                break;
            }
            default:
                const int due = *rc::gen::inRange(0, 40);
                queue.arm(*timers[static_cast<std::size_t>(which)], Instant(Duration(due)));
                table[which] = {due, step};
        }
        RC_ASSERT(fired == expected);
        RC_ASSERT(queue.next().has_value() == !table.empty());
    }
}

}  // namespace caribou
