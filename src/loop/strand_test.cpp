#include "loop/strand.hpp"

#include <gtest/gtest.h>

#include "loop/shared_buffer.hpp"
#include "loop/strand_inbox.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

struct StrandTest : testing::Test {
    VirtualLoop loop;
    LocalStrand strand{loop};
};

TEST_F(StrandTest, RunsWhatIsPostedInOrder) {
    std::string order;
    strand.post_here([&] { order += 'a'; });
    strand.post_here([&] { order += 'b'; });
    EXPECT_EQ(order, "");
    loop.run_ready();
    EXPECT_EQ(order, "ab");
}

TEST_F(StrandTest, WakesAnInboxUntilItIsEmpty) {
    std::vector<int> seen;
    StrandInbox<int>* self = nullptr;
    StrandInbox<int> inbox(strand, 2, WhenFull::refuse, [&] {
        if (const auto item = self->pop()) seen.push_back(*item);  // one per turn
    });
    self = &inbox;
    EXPECT_EQ(inbox.push(1), Pushed::accepted);
    EXPECT_EQ(inbox.push(2), Pushed::accepted);
    EXPECT_EQ(inbox.push(3), Pushed::refused);
    EXPECT_EQ(inbox.lost(), 1U);
    loop.run_ready();
    EXPECT_EQ(seen, (std::vector{1, 2}));
    EXPECT_TRUE(loop.idle());
}

TEST_F(StrandTest, CallsNothingThatIsGone) {
    bool called = false;
    {
        StrandInbox<int> inbox(strand, 2, WhenFull::refuse, [&] { called = true; });
        std::ignore = inbox.push(1);
        StrandEvent event(strand, [&] { called = true; });
        event.trigger();
    }
    loop.run_ready();
    EXPECT_FALSE(called);
}

TEST_F(StrandTest, DropsRatherThanWaitForABufferInUse) {
    SharedBuffer<std::string> buffer(strand);
    EXPECT_TRUE(buffer.try_write("one"));
    {
        const Locked reader(buffer.lock());
        EXPECT_FALSE(buffer.try_write("two"));
    }
    EXPECT_EQ(buffer.copy(), "one");
    EXPECT_EQ(buffer.take(), "one");
    EXPECT_EQ(buffer.copy(), "");
}

TEST_F(StrandTest, CountsEventsThatComeWhileNobodyLooks) {
    std::vector<std::uint64_t> counts;
    StrandEvent* self = nullptr;
    StrandEvent event(strand, [&] { counts.push_back(self->take()); });
    self = &event;
    for (int i = 0; i < 3; ++i) event.trigger();
    loop.run_ready();
    event.trigger();
    loop.run_ready();
    EXPECT_EQ(counts, (std::vector<std::uint64_t>{3, 1}));
}

}  // namespace
}  // namespace caribou
