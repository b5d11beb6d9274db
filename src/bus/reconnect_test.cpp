#include "bus/reconnect.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;

TEST(Reconnect, ComesAtOnceThenWithDoublingPauses) {
    Reconnect reconnect(1, "a");
    EXPECT_EQ(reconnect.next(), 0s);
    for (Duration span : {50ms, 100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
        const Duration pause = reconnect.next();
        EXPECT_GE(pause, span / 2);
        EXPECT_LE(pause, span);
    }
}

TEST(Reconnect, ComesAtOnceAfterASteadyConnectionOnly) {
    Reconnect reconnect(1, "a");
    reconnect.next();
    reconnect.next();
    reconnect.stood(999ms);
    EXPECT_GT(reconnect.next(), 0s);
    reconnect.stood(1s);
    EXPECT_EQ(reconnect.next(), 0s);
}

TEST(Reconnect, DiffersFromClientToClient) {
    Reconnect a(1, "a");
    Reconnect b(1, "b");
    a.next();
    b.next();
    EXPECT_NE(a.next(), b.next());
}

RC_GTEST_PROP(Reconnect, NeverWaitsMoreThanASecond, (std::uint64_t seed, std::vector<std::uint16_t> stood)) {
    Reconnect reconnect(seed, "x");
    for (const auto milliseconds : stood) {
        const Duration pause = reconnect.next();
        RC_ASSERT(pause >= Duration::zero());
        RC_ASSERT(pause <= Reconnect::max_pause);
        if (milliseconds % 3 == 0) reconnect.stood(std::chrono::milliseconds(milliseconds));
    }
}

}  // namespace
}  // namespace caribou::bus
