// Full stops of a robot that starts anew (RM5): on separate processes of the program.

#include <gtest/gtest.h>

#include "field/rebooting_robot.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;

using StopDuringRm5 = RebootingRobot;

TEST_F(StopDuringRm5, OrdersZeroInTimeWheneverItIsRequested) {
    const auto person = start_driving();
    for (const Duration delay : {0ms, 50ms, 100ms, 150ms, 200ms, 250ms, 300ms, 400ms, 500ms}) {
        std::string why;
        const auto moved = stop_after(*person, delay, why);
        ASSERT_TRUE(moved) << delay / 1ms << ": " << why;
        EXPECT_LE(*moved, reboot_stop_limit) << delay / 1ms << " ms after RM5";
    }
}

}  // namespace
}  // namespace caribou::tests
