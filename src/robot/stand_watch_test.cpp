#include "robot/stand_watch.hpp"

#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

/// A robot that is looked at once per second.
struct Watched {
    StandWatch stands;
    Instant now{};

    void look(Vec2 at, std::string_view behavior) {
        stands.look(at, behavior, now);
        now += 1s;
    }
};

TEST(StandWatch, SumsTimeWithoutAReasonAcrossChangesOfBehavior) {
    Watched robot;
    for (int i = 0; i < 30; ++i) robot.look({1, 2}, i % 2 == 0 ? "walk" : "linger");
    EXPECT_EQ(robot.stands.stuck(), 29s);
    EXPECT_EQ(robot.stands.stood(), 0s);
}

TEST(StandWatch, DoesNotForgetATimeBeforeAReason) {
    Watched robot;
    for (int i = 0; i < 30; ++i) robot.look({1, 2}, i % 3 == 0 ? "spin" : "approach");
    EXPECT_EQ(robot.stands.stuck(), 20s);
    EXPECT_EQ(robot.stands.stuck_in(), "approach 20 s, spin 9 s, until 29 s");
    EXPECT_EQ(robot.stands.stood(), 9s);
}

TEST(StandWatch, TakesLeavingTheDockForMovingOnlyIfTheRobotMoves) {
    Watched robot;
    for (int i = 0; i < 5; ++i) robot.look({0, 0}, "leave_dock");
    EXPECT_EQ(robot.stands.stuck(), 4s);
    for (int i = 0; i < 5; ++i) robot.look({0.2 * i + 0.2, 0}, "leave_dock");
    EXPECT_EQ(robot.stands.stuck(), 4s);
}

TEST(StandWatch, StartsAgainWhereTheRobotHasLeftThePlace) {
    Watched robot;
    for (int i = 0; i < 10; ++i) robot.look({0, 0}, "explore");
    for (int i = 0; i < 10; ++i) robot.look({0.11, 0}, "explore");
    EXPECT_EQ(robot.stands.stuck(), 9s);
}

}  // namespace
}  // namespace caribou::robot
