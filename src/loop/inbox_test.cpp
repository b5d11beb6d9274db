#include "loop/inbox.hpp"

#include <deque>
#include <memory>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou {
namespace {

TEST(LocalInbox, GivesItemsBackInOrder) {
    LocalInbox<int> inbox(2, WhenFull::refuse);
    EXPECT_EQ(inbox.push(1), Pushed::accepted);
    EXPECT_EQ(inbox.push(2), Pushed::accepted);
    EXPECT_EQ(inbox.pop(), 1);
    EXPECT_EQ(inbox.pop(), 2);
    EXPECT_EQ(inbox.pop(), std::nullopt);
}

TEST(LocalInbox, TurnsTheNewcomerAwayWhenFullAndToldToRefuse) {
    LocalInbox<int> inbox(1, WhenFull::refuse);
    EXPECT_EQ(inbox.push(1), Pushed::accepted);
    EXPECT_EQ(inbox.push(2), Pushed::refused);
    EXPECT_EQ(inbox.pop(), 1);
}

TEST(LocalInbox, DropsTheOldestWhenFullAndToldSo) {
    LocalInbox<int> inbox(2, WhenFull::drop_oldest);
    EXPECT_EQ(inbox.push(1), Pushed::accepted);
    EXPECT_EQ(inbox.push(2), Pushed::accepted);
    EXPECT_EQ(inbox.push(3), Pushed::dropped_oldest);
    EXPECT_EQ(inbox.pop(), 2);
    EXPECT_EQ(inbox.pop(), 3);
}

TEST(LocalInbox, TakesNothingWhenItHasNoRoomAtAll) {
    LocalInbox<int> refusing(0, WhenFull::refuse);
    LocalInbox<int> dropping(0, WhenFull::drop_oldest);
    EXPECT_EQ(refusing.push(1), Pushed::refused);
    EXPECT_EQ(dropping.push(1), Pushed::refused);
    EXPECT_EQ(dropping.size(), 0u);
}

TEST(LocalInbox, CarriesWhatCanOnlyBeMoved) {
    LocalInbox<std::unique_ptr<int>> inbox(1, WhenFull::refuse);
    EXPECT_EQ(inbox.push(std::make_unique<int>(7)), Pushed::accepted);
    EXPECT_EQ(**inbox.pop(), 7);
}

/// Compares the inbox with a simple model for any sequence of pushes and pops.
RC_GTEST_PROP(LocalInbox, NeverHoldsMoreThanItsCapacity, (const std::vector<bool>& pushes, bool drop)) {
    const auto capacity = *rc::gen::inRange<std::size_t>(0, 5);
    LocalInbox<int> inbox(capacity, drop ? WhenFull::drop_oldest : WhenFull::refuse);
    std::deque<int> model;
    int next = 0;
    for (const bool push : pushes) {
        if (!push) {
            const auto item = inbox.pop();
            RC_ASSERT(item.has_value() == !model.empty());
            if (!item) continue;
            RC_ASSERT(*item == model.front());
            model.pop_front();
            continue;
        }
        const Pushed outcome = inbox.push(next);
        if (model.size() < capacity) {
            RC_ASSERT(outcome == Pushed::accepted);
            model.push_back(next);
        } else if (drop && capacity > 0) {
            RC_ASSERT(outcome == Pushed::dropped_oldest);
            model.pop_front();
            model.push_back(next);
        } else {
            RC_ASSERT(outcome == Pushed::refused);
        }
        ++next;
        RC_ASSERT(inbox.size() == model.size());
        RC_ASSERT(inbox.size() <= inbox.capacity());
    }
}

}  // namespace
}  // namespace caribou
