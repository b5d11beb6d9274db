#include "loop/bell.hpp"

#include <optional>

#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou {
namespace {

TEST(Bell, CallsBackOnceATurnHoweverOftenItIsRung) {
    VirtualLoop loop;
    int calls = 0;
    Bell bell(loop, [&] { ++calls; });
    bell.ring();
    bell.ring();
    EXPECT_EQ(calls, 0);
    loop.run_ready();
    EXPECT_EQ(calls, 1);
    bell.ring();
    loop.run_ready();
    EXPECT_EQ(calls, 2);
}

TEST(Bell, CallsBackAfterThePauseWhenThatIsSoonEnough) {
    VirtualLoop loop;
    int calls = 0;
    Bell bell(loop, [&] { ++calls; });
    bell.ring_later();
    loop.run_ready();
    EXPECT_EQ(calls, 0);
    loop.advance(Bell::pause);
    EXPECT_EQ(calls, 1);
}

TEST(Bell, DropsThePauseWhenItIsRung) {
    VirtualLoop loop;
    int calls = 0;
    Bell bell(loop, [&] { ++calls; });
    bell.ring_later();
    bell.ring();
    loop.advance(Bell::pause);
    EXPECT_EQ(calls, 1);
}

TEST(Bell, CallsNobodyAfterItIsDestroyed) {
    VirtualLoop loop;
    int calls = 0;
    std::optional<Bell> bell;
    bell.emplace(loop, [&] { ++calls; });
    const auto alive = bell->alive();
    EXPECT_TRUE(*alive);
    bell->ring();
    bell->ring_later();
    bell.reset();
    EXPECT_FALSE(*alive);
    loop.advance(Bell::pause);
    EXPECT_EQ(calls, 0);
}

TEST(Bell, MayBeDestroyedByItsOwnCall) {
    VirtualLoop loop;
    std::string said;
    std::optional<Bell> bell;
    bell.emplace(loop, [&, word = std::string("long enough to live on the heap")] {
        bell.reset();
        said = word;  // the captured string is still valid
    });
    bell->ring();
    loop.run_ready();
    EXPECT_EQ(said, "long enough to live on the heap");
}

}  // namespace
}  // namespace caribou
