#include "platform/shared_inbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace caribou {

using namespace std::chrono_literals;

class SharedInboxTest : public ::testing::Test {
protected:
    static constexpr Duration limit = 60s;
    bool comes(std::move_only_function<bool() const> condition) { return loop.run_until(condition, limit); }

    EventLoop loop;
    int wakes = 0;
};

TEST_F(SharedInboxTest, FollowsTheRuleForAFullInbox) {
    SharedInbox<int> refusing(loop, 1, WhenFull::refuse, [] {});
    EXPECT_EQ(refusing.push(1), Pushed::accepted);
    EXPECT_EQ(refusing.push(2), Pushed::refused);
    EXPECT_EQ(refusing.pop(), 1);
    EXPECT_EQ(refusing.pop(), std::nullopt);

    SharedInbox<int> dropping(loop, 1, WhenFull::drop_oldest, [] {});
    EXPECT_EQ(dropping.push(1), Pushed::accepted);
    EXPECT_EQ(dropping.push(2), Pushed::dropped_oldest);
    EXPECT_EQ(dropping.size(), 1U);
    EXPECT_EQ(dropping.pop(), 2);
}

TEST_F(SharedInboxTest, WakesTheLoopOnceForManyPushes) {
    SharedInbox<int> inbox(loop, 10, WhenFull::refuse, [&] {
        ++wakes;
        while (inbox.pop()) {}
    });
    for (int i = 0; i < 10; ++i) EXPECT_EQ(inbox.push(i), Pushed::accepted);
    ASSERT_TRUE(comes([&] { return inbox.size() == 0; }));
    EXPECT_EQ(wakes, 1);
    EXPECT_EQ(inbox.push(1), Pushed::accepted);
    ASSERT_TRUE(comes([&] { return inbox.size() == 0; }));
    EXPECT_EQ(wakes, 2);
}

TEST_F(SharedInboxTest, WakesAgainWhileAnythingIsLeft) {
    std::vector<int> got;
    SharedInbox<int> inbox(loop, 10, WhenFull::refuse, [&] {
        ++wakes;
        got.push_back(inbox.pop().value());
    });
    for (int i = 0; i < 3; ++i) EXPECT_EQ(inbox.push(i), Pushed::accepted);
    ASSERT_TRUE(comes([&] { return got.size() == 3; }));
    EXPECT_EQ(wakes, 3);
    EXPECT_EQ(got, (std::vector{0, 1, 2}));
}

TEST_F(SharedInboxTest, CarriesEverythingFromFourThreads) {
    constexpr int each = 5000;
    std::vector<std::vector<int>> got(4);
    std::size_t total = 0;
    SharedInbox<std::pair<std::size_t, int>> inbox(loop, 16, WhenFull::refuse, [&] {
        while (const auto item = inbox.pop()) {
            got[item->first].push_back(item->second);
            ++total;
        }
    });
    std::vector<std::jthread> threads;
    const Instant deadline = loop.clock().now() + limit;
    for (std::size_t t = 0; t < got.size(); ++t)
        threads.emplace_back([&inbox, deadline, t] {
            for (int i = 0; i < each; ++i)
                if (inbox.push_waiting({t, i}, deadline) != Pushed::accepted) return;
        });
    ASSERT_TRUE(comes([&] { return total == got.size() * each; }));
    for (const auto& one : got) EXPECT_TRUE(std::ranges::is_sorted(one));
}

TEST_F(SharedInboxTest, PushWaitingGivesUpAtTheDeadlineAndDropsNothing) {
    SharedInbox<int> inbox(loop, 1, WhenFull::drop_oldest, [] {});
    EXPECT_EQ(inbox.push_waiting(1, Instant::max()), Pushed::accepted);
    EXPECT_EQ(inbox.push_waiting(2, loop.clock().now() + 1ms), Pushed::refused);
    EXPECT_EQ(inbox.pop(), 1);
}

TEST_F(SharedInboxTest, PushWaitingGivesUpWhenToldToStop) {
    SharedInbox<int> inbox(loop, 0, WhenFull::refuse, [] {});
    Pushed outcome = Pushed::accepted;
    {
        std::jthread pusher(
            [&](std::stop_token stop) { outcome = inbox.push_waiting(1, Instant::max(), std::move(stop)); });
    }
    EXPECT_EQ(outcome, Pushed::refused);
}

TEST_F(SharedInboxTest, PushWaitingGoesOnWhenThereIsRoom) {
    SharedInbox<int> inbox(loop, 1, WhenFull::refuse, [] {});
    EXPECT_EQ(inbox.push(1), Pushed::accepted);
    Pushed outcome = Pushed::refused;
    {
        std::jthread pusher([&] { outcome = inbox.push_waiting(2, Instant::max()); });
        EXPECT_EQ(inbox.pop(), 1);
    }
    EXPECT_EQ(outcome, Pushed::accepted);
    EXPECT_EQ(inbox.pop(), 2);
}

TEST_F(SharedInboxTest, MayBeDestroyedWithAWakeUnderWayAndInItsOwnWake) {
    auto gone = std::make_unique<SharedInbox<int>>(loop, 1, WhenFull::refuse, [&] { ++wakes; });
    EXPECT_EQ(gone->push(1), Pushed::accepted);
    gone.reset();

    const auto held = std::make_shared<int>(7);
    int seen = 0;
    std::unique_ptr<SharedInbox<int>> own;
    own = std::make_unique<SharedInbox<int>>(loop, 1, WhenFull::refuse, [&own, &seen, held] {
        own.reset();
        seen = *held;
    });
    EXPECT_EQ(own->push(1), Pushed::accepted);
    ASSERT_TRUE(comes([&] { return seen == 7; }));
    EXPECT_EQ(wakes, 0);
}

}  // namespace caribou
