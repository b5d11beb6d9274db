#include "robot/ros_frames.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "base/geometry.hpp"
#include "robot/ros_messages.hpp"

namespace caribou::robot {
namespace {

using Taken = RosFrames::Taken;

msg::tf2_msgs::TFMessage transform(std::string_view parent, std::string_view child, const Pose& pose,
                                   double stamp = 1) {
    return {{ros_transform(stamp, parent, child, pose)}};
}

bool is_near(const Pose& a, const Pose& b) {
    return std::hypot(a.x - b.x, a.y - b.y) < 1e-9 && std::abs(wrapped_angle(a.heading - b.heading)) < 1e-9;
}

Pose any_pose() {
    const auto meters = [] { return *rc::gen::inRange(-5000, 5000) / 100.0; };
    return {meters(), meters(), *rc::gen::inRange(-314, 314) / 100.0};
}

TEST(RosFrames, AreItsOwnUnlessAnotherNodePublishesThem) {
    RosFrames frames({});
    EXPECT_FALSE(frames.needs_others());
    EXPECT_EQ(frames.take(transform("map", "odom", {1, 2, 3})), Taken::none);
    EXPECT_FALSE(frames.odom_in_map());
    EXPECT_EQ(frames.map_to_odom({4, 5, 1}), (Pose{4, 5, 1}));
    EXPECT_EQ(frames.missing(), "");
}

TEST(RosFrames, FollowTheMapOfAnotherNode) {
    RosFrames frames({.map = "world", .map_to_odom = false});
    EXPECT_EQ(frames.missing(), "world -> odom");
    EXPECT_EQ(frames.take(transform("map", "odom", {9, 9, 0})), Taken::none) << "another name";
    EXPECT_FALSE(frames.odom_in_map());
    EXPECT_EQ(frames.take(transform("world", "odom", {1, 2, 0.5})), Taken::changed);
    EXPECT_TRUE(is_near(*frames.odom_in_map(), {1, 2, 0.5}));
    EXPECT_FALSE(frames.map_to_odom({})) << "that node publishes it";
    EXPECT_EQ(frames.missing(), "");
}

TEST(RosFrames, IgnoreWhatIsNotFinite) {
    RosFrames frames({.map_to_odom = false});
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(frames.take(transform("map", "odom", {nan, 0, 0})), Taken::invalid);
    EXPECT_EQ(frames.take(transform("map", "odom", {0, 0, nan})), Taken::invalid);
    EXPECT_FALSE(frames.odom_in_map());
}

TEST(RosFrames, CompareTheOdometryOfAnotherNodeWithTheirOwnAtTheSameTime) {
    RosFrames frames({.odom_to_base = false});
    EXPECT_FALSE(frames.map_to_odom({})) << "its odometry is not known yet";
    frames.note_odometry(10, {1, 0, 0});
    frames.note_odometry(11, {2, 0, 0});
    frames.note_odometry(12, {3, 0, 0});
    EXPECT_EQ(frames.take(transform("odom", "base_link", {2, 0.5, 0}, 11.1)), Taken::changed);
    EXPECT_TRUE(is_near(*frames.map_to_odom({}), {0, -0.5, 0}));
    EXPECT_FALSE(frames.odom_in_map()) << "it locates itself";
}

RC_GTEST_PROP(RosFrames, PutTheRobotWhereOtherNodesPutIt, ()) {
    RosFrames frames({.map_to_odom = false, .odom_to_base = false});
    const Pose own = any_pose();
    const Pose odom = any_pose();
    const Pose base = any_pose();
    frames.note_odometry(1, own);
    frames.take(transform("odom", "base_link", base));
    frames.take(transform("map", "odom", odom));
    RC_ASSERT(is_near(composed(*frames.odom_in_map(), own), composed(odom, base)));
}

RC_GTEST_PROP(RosFrames, PublishAMapInWhichOtherOdometryAgreesWithTheRobot, ()) {
    RosFrames frames({.odom_to_base = false});
    const Pose own = any_pose();
    const Pose base = any_pose();
    const Pose odom_in_map = any_pose();
    frames.note_odometry(1, own);
    frames.take(transform("odom", "base_link", base));
    RC_ASSERT(is_near(composed(*frames.map_to_odom(odom_in_map), base), composed(odom_in_map, own)));
}

}  // namespace
}  // namespace caribou::robot
