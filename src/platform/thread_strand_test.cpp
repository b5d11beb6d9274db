#include "platform/thread_strand.hpp"

#include <chrono>

#include <gtest/gtest.h>

#include "base/log.hpp"
#include "loop/shared_buffer.hpp"
#include "loop/strand_inbox.hpp"
#include "platform/named_thread.hpp"

namespace caribou {
namespace {

using namespace std::chrono_literals;

TEST(ThreadStrand, CarriesItemsAndEventsBetweenThreads) {
    constexpr int count = 10'000;
    NullLog log;
    EventLoop here;
    ThreadStrand own(here);
    NamedThread thread({.name = "elsewhere"}, log);
    ThreadStrand elsewhere(thread.loop());

    int received = 0;
    int sum = 0;
    StrandInbox<int>* inbox_place = nullptr;
    StrandInbox<int> inbox(own, count, WhenFull::refuse, [&] {
        while (const auto item = inbox_place->pop()) {
            ++received;
            sum += *item;
        }
    });
    inbox_place = &inbox;
    SharedBuffer<int> buffer(own);
    std::uint64_t events = 0;
    StrandEvent* event_place = nullptr;
    StrandEvent event(own, [&] { events += event_place->take(); });
    event_place = &event;

    ASSERT_TRUE(thread.start());
    elsewhere.post_here([&] {
        for (int i = 0; i < count; ++i) {
            EXPECT_EQ(inbox.push(1), Pushed::accepted);
            buffer.change([](int& value) { ++value; });
            event.trigger();
        }
    });
    EXPECT_TRUE(here.run_until([&] { return received == count && events == count; }, 60s));
    EXPECT_EQ(sum, count);
    EXPECT_EQ(buffer.copy(), count);
    thread.stop();
}

}  // namespace
}  // namespace caribou
