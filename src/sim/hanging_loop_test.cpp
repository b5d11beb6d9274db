#include "sim/hanging_loop.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(HangingLoop, RunsWhatWasPostedAndDueOnceItGoesOn) {
    VirtualLoop below;
    HangingLoop loop(below);
    std::vector<int> ran;
    auto timer = loop.make_timer([&] { ran.push_back(3); });
    auto canceled = loop.make_timer([&] { ran.push_back(4); });
    loop.set_hanging(true);
    for (const int i : {1, 2}) loop.post([&ran, i] { ran.push_back(i); });
    timer->arm(below.clock().now() + 1s);
    canceled->arm(below.clock().now() + 1s);
    below.advance(5s);
    EXPECT_THAT(ran, IsEmpty());
    canceled.reset();
    loop.set_hanging(false);
    below.advance(100ms);
    EXPECT_THAT(ran, ElementsAre(3, 1, 2)) << "what was posted in order, and the timer once";
    timer->arm(below.clock().now() + 1s);
    below.advance(1s);
    EXPECT_THAT(ran, ElementsAre(3, 1, 2, 3));
}

}  // namespace
}  // namespace caribou::sim
