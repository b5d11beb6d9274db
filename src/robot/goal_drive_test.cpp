#include "robot/goal_drive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "robot/life_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

constexpr const char* resting_tree = R"({"base": "rest", "behaviors": [{"class": "idle", "id": "rest"}]})";

world::WorldPlan room() {
    world::WorldPlan plan;
    plan.size = {6, 6};
    plan.starts = {{1, 1, 0}};
    return plan;
}

/// Drives until the end, which it returns.
std::optional<Result<void>> outcome_of(LifeRig& rig, const GoalPose& goal) {
    rig.live(2s);
    GoalDrive drive(rig.navigator(), goal);
    std::optional<Result<void>> outcome;
    rig.in_place_of_tree = [&] {
        rig.navigator().look(rig.now());
        if (!outcome) outcome = drive.step(rig.now());
    };
    for (int second = 0; second < 120 && !outcome; ++second) rig.live(1s);
    rig.in_place_of_tree = {};
    return outcome;
}

TEST(GoalDrive, ArrivesAndTurns) {
    LifeRig rig(room(), resting_tree);
    const auto outcome = outcome_of(rig, {.pose = {2, 1.5, -1.5}});
    ASSERT_TRUE(outcome && *outcome) << (outcome ? outcome->error().message : "it goes on");
    const Pose end = rig.world().pose(0);
    EXPECT_LT(distance(position(end), {3, 2.5}), 0.4);
    EXPECT_NEAR(wrapped_angle(end.heading + 1.5), 0, 0.3);
    EXPECT_THAT(rig.audit().findings(), testing::IsEmpty());
}

TEST(GoalDrive, KeepsTheHeadingOfItsPathIfTheGoalHasNone) {
    LifeRig rig(room(), resting_tree);
    const auto outcome = outcome_of(rig, {.pose = {2, 0, -3}, .keeps_heading = false});
    ASSERT_TRUE(outcome && *outcome);
    EXPECT_LT(std::abs(rig.world().pose(0).heading), 1) << "it does not turn to -3";
}

TEST(GoalDrive, FailsWithTheReason) {
    LifeRig rig(room(), resting_tree);
    const auto outcome = outcome_of(rig, {.pose = {30, 0, 0}});
    ASSERT_TRUE(outcome && !*outcome);
    EXPECT_EQ(outcome->error().message, rig.navigator().why_not());
    EXPECT_NE(outcome->error().message, "");
}

TEST(GoalDrive, FollowsACorrectionOfThePose) {
    LifeRig rig(room(), resting_tree);
    EXPECT_FALSE(rig.navigator().set_pose({})) << "there is no odometry yet";
    rig.live(2s);
    rig.in_place_of_tree = [&] { rig.navigator().look(rig.now()); };
    rig.live(1s);
    for (const double far : {500.0, -1e300})
        EXPECT_EQ(rig.navigator().set_pose({far, 0, 0}).error().message, "the pose lies outside of the map");
    ASSERT_TRUE(rig.navigator().set_pose({0.1, 0.05, 0.02}));
    EXPECT_EQ(rig.navigator().pose(), (Pose{0.1, 0.05, 0.02}));
    rig.live(10s);
    EXPECT_LT(distance(position(rig.navigator().pose()), {0, 0}), 0.1) << "the scans correct it";
    rig.navigator().use_frame(Pose{});
    EXPECT_EQ(rig.navigator().set_pose({}).error().code, Code::wrong_state);
}

}  // namespace
}  // namespace caribou::robot
