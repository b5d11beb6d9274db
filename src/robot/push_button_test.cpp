#include "robot/push_button.hpp"

#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

class PushButtonTest : public testing::Test {
protected:
    /// Samples a level every 10 ms, and returns the presses.
    int sample(std::optional<bool> is_down, Duration time) {
        int presses = 0;
        for (const Instant end = now + time; now < end; now += 10ms)
            if (const auto at = button.sample(is_down, now)) {
                ++presses;
                pressed_at = *at;
            }
        return presses;
    }

    Instant now{100s};
    Instant pressed_at{};
    PushButton button{{}};
};

TEST_F(PushButtonTest, IsPressedWhenItIsLetGo) {
    EXPECT_EQ(sample(false, 100ms), 0);
    const Instant down = now;
    EXPECT_EQ(sample(true, 200ms), 0) << "it is still held";
    EXPECT_EQ(sample(false, 100ms), 1);
    EXPECT_EQ(pressed_at, down) << "a stop after that is not released";
    EXPECT_EQ(sample(true, 200ms) + sample(false, 100ms), 1) << "a second press";
}

TEST_F(PushButtonTest, IsNotPressedByALineThatIsDownAtTheStart) {
    EXPECT_EQ(sample(true, 300ms), 0);
    EXPECT_EQ(sample(false, 300ms), 0);
    EXPECT_EQ(sample(true, 300ms), 0);
    EXPECT_EQ(sample(false, 100ms), 1) << "after an edge";
}

TEST_F(PushButtonTest, IsNotPressedByAShortPulseOrAnExtremelyLongOne) {
    sample(false, 100ms);
    EXPECT_EQ(sample(true, 90ms) + sample(false, 100ms), 0);
    EXPECT_EQ(sample(true, 100ms) + sample(false, 100ms), 1) << "0.1 s";
    EXPECT_EQ(sample(true, 5100ms) + sample(false, 100ms), 0) << "it was stuck";
}

TEST_F(PushButtonTest, DoesNotCountBouncesAsEdges) {
    sample(false, 100ms);
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(sample(true, 10ms) + sample(false, 10ms), 0);
    }
    EXPECT_EQ(sample(true, 100ms) + sample(false, 20ms) + sample(true, 100ms), 0) << "it is still held";
    EXPECT_EQ(sample(false, 100ms), 1) << "one press";
}

TEST_F(PushButtonTest, IsNotPressedAfterItsLineCouldNotBeRead) {
    sample(false, 100ms);
    sample(true, 200ms);
    EXPECT_EQ(sample(std::nullopt, 10ms), 0);
    EXPECT_EQ(sample(false, 100ms), 0);
    EXPECT_EQ(sample(std::nullopt, 10ms) + sample(true, 200ms) + sample(false, 100ms), 0)
        << "the edge was not seen";
}

TEST_F(PushButtonTest, ActsOnceWhileItIsHeld) {
    button = PushButton({.hold = 2s, .acts_while_held = true});
    EXPECT_EQ(sample(true, 10s), 0) << "it is down at the start";
    sample(false, 100ms);
    EXPECT_EQ(sample(true, 2s), 0);
    EXPECT_EQ(sample(true, 10s), 1);
    EXPECT_EQ(sample(false, 100ms), 0);
    EXPECT_EQ(sample(true, 1s) + sample(false, 100ms), 0) << "too short";
}

}  // namespace
}  // namespace caribou::robot
