#include "robot/robot_ros.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "link/command_movement.hpp"
#include "msg/geometry_msgs/twist_stamped.hpp"
#include "msg/rosgraph_msgs/clock.hpp"
#include "msg/std_msgs/empty.hpp"
#include "msg/std_msgs/int32.hpp"
#include "msg/tf2_msgs/tf_message.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/typed_sample.hpp"
#include "robot/robot_rig.hpp"
#include "robot/ros_controls.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using msg::geometry_msgs::Twist;
using Supply = msg::sensor_msgs::BatteryState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr double pi = std::numbers::pi;

Twist twist(double ahead, double left) {
    Twist made;
    made.linear.x = ahead;
    made.angular.z = left;
    return made;
}

TEST(RosMessages, PutAScanIntoTheFrameOfTheLaser) {
    const float far = std::numeric_limits<float>::infinity();
    const auto message = ros_scan(12.5, {}, {-1, 0.5, {1, far, 3}}, {.nearest = 0.25, .reach = 8}, 100ms);
    EXPECT_EQ(message.header.frame_id, "laser");
    EXPECT_EQ(message.header.stamp, (msg::builtin_interfaces::Time{12, 500'000'000}));
    EXPECT_FLOAT_EQ(message.angle_min, -1);
    EXPECT_FLOAT_EQ(message.angle_max, 0);
    EXPECT_FLOAT_EQ(message.angle_increment, 0.5);
    EXPECT_FLOAT_EQ(message.scan_time, 0.1F);
    EXPECT_FLOAT_EQ(message.range_min, 0.25F);
    EXPECT_FLOAT_EQ(message.range_max, 8);
    EXPECT_THAT(message.ranges, ElementsAre(1, far, 3));
}

TEST(RosMessages, SayWhereTheRobotIsAndHowItMoves) {
    const auto message = ros_odometry(
        1, {}, {{1, -2, pi / 2}, 0.25, -0.5, 7, {.xx = 1, .xy = 2, .xh = 3, .yy = 4, .yh = 5, .hh = 6}});
    EXPECT_EQ(message.header.frame_id, "odom");
    EXPECT_EQ(message.child_frame_id, "base_link");
    EXPECT_EQ(message.pose.pose.position.x, 1);
    EXPECT_EQ(message.pose.pose.position.y, -2);
    EXPECT_DOUBLE_EQ(message.pose.pose.orientation.z, std::sin(pi / 4));
    EXPECT_DOUBLE_EQ(message.pose.pose.orientation.w, std::cos(pi / 4));
    EXPECT_EQ(message.twist.twist.linear.x, 0.25);
    EXPECT_EQ(message.twist.twist.angular.z, -0.5);
    const auto& sure = message.pose.covariance;
    EXPECT_THAT((std::array{sure[1], sure[5], sure[11]}), ElementsAre(2, 3, 5));
    EXPECT_NEAR(sure[0], 1, 1e-5);
    EXPECT_NEAR(sure[7], 4, 1e-5);
    EXPECT_NEAR(sure[35], 6, 1e-5);
    EXPECT_THAT((std::array{sure[6], sure[30], sure[31]}), ElementsAre(2, 3, 5))
        << "the same across the diagonal";
    EXPECT_GT(sure[14], 1000) << "nobody measures how high it is";
    EXPECT_GT(message.twist.covariance[0], 0);
}

TEST(RosMessages, TellOfTheBattery) {
    const auto charging = ros_battery(1, {}, {.level = 0.5, .volts = 12, .amperes = 1.5, .on_charger = true});
    EXPECT_EQ(charging.power_supply_status, Supply::POWER_SUPPLY_STATUS_CHARGING);
    EXPECT_FLOAT_EQ(charging.percentage, 0.5);
    EXPECT_FLOAT_EQ(charging.current, 1.5);
    EXPECT_TRUE(charging.present);
    EXPECT_TRUE(std::isnan(charging.temperature)) << "what is not measured is not a number";
    const auto driving = ros_battery(1, {}, {.level = 0.5, .volts = 12, .amperes = -1});
    EXPECT_EQ(driving.power_supply_status, Supply::POWER_SUPPLY_STATUS_DISCHARGING);
}

TEST(RosMessages, MeasureWithAnImuWhatItHas) {
    const auto message = ros_imu(1, {.base = "hull"}, {.yaw_rate = 0.5, .acceleration = -0.1, .tilt = 0.2});
    EXPECT_EQ(message.header.frame_id, "hull");
    EXPECT_EQ(message.orientation_covariance[0], -1) << "not measured";
    EXPECT_EQ(message.angular_velocity.z, 0.5);
    EXPECT_LT(message.angular_velocity_covariance[8], 1);
    EXPECT_GT(message.angular_velocity_covariance[0], 1000) << "not about this axis";
    EXPECT_EQ(message.linear_acceleration.x, -0.1);
}

TEST(RosMessages, PutBumpersAndCliffsIntoRanges) {
    const RosFrames::Options frames{.base = "rover/hull"};
    const auto range = ros_range(1, frames, {.name = "front", .reach = 2}, 0.5);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->header.frame_id, "rover/front");
    EXPECT_FLOAT_EQ(range->max_range, 2);
    EXPECT_FLOAT_EQ(range->range, 0.5);
    const motion::SensorPlan bumper{.name = "bumper", .kind = motion::SensorKind::bumper};
    const auto pressed = ros_range(1, frames, bumper, true);
    ASSERT_TRUE(pressed);
    EXPECT_EQ(pressed->min_range, pressed->max_range);
    EXPECT_EQ(pressed->range, -std::numeric_limits<float>::infinity());
    EXPECT_EQ(ros_range(1, frames, bumper, false)->range, std::numeric_limits<float>::infinity());
    EXPECT_FALSE(ros_range(1, frames, bumper, motion::NoReading{}));
}

TEST(RosMessages, DiagnoseFaultsBeforeWarnings) {
    using msg::diagnostic_msgs::DiagnosticStatus;
    TelemetryRound round;
    EXPECT_EQ(ros_diagnostics(1, "rover", round).status[0].level, DiagnosticStatus::OK);
    EXPECT_EQ(ros_diagnostics(1, "rover", round).status[0].name, "rover: robot");
    round.summary.stopped = true;
    EXPECT_EQ(ros_diagnostics(1, "rover", round).status[0].message, "stopped until released");
    round.summary.faults = {"dead_sensor.lidar", "stuck"};
    const auto faulty = ros_diagnostics(1, "rover", round);
    EXPECT_EQ(faulty.status[0].level, DiagnosticStatus::ERROR);
    EXPECT_EQ(faulty.status[0].message, "dead_sensor.lidar, stuck");
}

TEST(RosMessages, DrawTheMap) {
    map::OccupancyGrid grid({.low = {-1, -2}, .cell = 0.5, .columns = 3, .rows = 1});
    grid.set({1, 0}, map::Occupancy::free);
    grid.set({2, 0}, map::Occupancy::occupied);
    const auto message = ros_map(1, {}, grid);
    EXPECT_EQ(message.header.frame_id, "map");
    EXPECT_EQ(message.info.width, 3);
    EXPECT_EQ(message.info.height, 1);
    EXPECT_FLOAT_EQ(message.info.resolution, 0.5);
    EXPECT_EQ(message.info.origin.position.y, -2);
    ASSERT_EQ(message.data.size(), 3);
    EXPECT_EQ(message.data[0], -1);
    EXPECT_EQ(message.data[1], 0) << "as map_server publishes it";
    EXPECT_EQ(message.data[2], 100);
}

RC_GTEST_PROP(RosMessages, FramesAddUp, ()) {
    const auto pose = [] {
        const auto metres = [] { return *rc::gen::inRange(-5000, 5000) / 100.0; };
        return Pose{metres(), metres(), *rc::gen::inRange(-314, 314) / 100.0};
    };
    const Pose in_map = pose();
    const Pose in_odom = pose();
    const Pose between = frame_between(in_map, in_odom);
    const double x =
        between.x + in_odom.x * std::cos(between.heading) - in_odom.y * std::sin(between.heading);
    const double y =
        between.y + in_odom.x * std::sin(between.heading) + in_odom.y * std::cos(between.heading);
    RC_ASSERT(std::hypot(x - in_map.x, y - in_map.y) < 1e-9);
    RC_ASSERT(std::abs(wrapped_angle(between.heading + in_odom.heading - in_map.heading)) < 1e-9);
}

TEST(RosMessages, TakeATwistAsAVelocity) {
    EXPECT_EQ(velocity_of(twist(0.18, -0.5)), (Velocity{0.18, -0.5}));
    EXPECT_EQ(velocity_of(twist(-9, 99)), (Velocity{-link::max_forward, link::max_turn}));
    EXPECT_EQ(velocity_of(twist(std::nan(""), 0)), std::nullopt);
    EXPECT_EQ(velocity_of(twist(0, std::numeric_limits<double>::infinity())), std::nullopt);
}

template <class Message>
struct Ear final : negotiation::ReaderEvents {
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        heard.push_back(**negotiation::object_of<Message>(sample));
    }
    std::vector<Message> heard;
};
struct Mouth final : negotiation::WriterEvents {};

class RobotRosTest : public testing::Test {
protected:
    void join(bool cmd_vel) { join(RobotRos::Options{.cmd_vel = cmd_vel}); }
    void join(RobotRos::Options options) {
        options.name_space = "/cbot";
        ros = std::make_unique<RobotRos>(
            strand, transport, *rig.buffers, rig.body.plan(), sender, rig.log,
            RobotRos::Hooks{.submit = [this](Request request) { rig.robot->command(std::move(request)); },
                            .ask_map =
                                [this](bool with_grid, const RobotRos::Told& told) {
                                    ++asked;
                                    MapView view{.pose = {1, 0, 0}};
                                    if (with_grid)
                                        view.grid = std::make_shared<const map::OccupancyGrid>(
                                            map::GridFrame{.columns = 2, .rows = 2});
                                    told(view);
                                },
                            .use_frame = [this](const Pose& frame) { used.push_back(frame); },
                            .report = report},
            std::move(options));
        ASSERT_TRUE(ros->start());
        rig.start_connected();
        writer = transport.advertise({"/cbot/cmd_vel", "geometry_msgs/msg/Twist"}, {}, mouth).value();
        rig.loop.advance(2s);
    }
    template <class Message>
    std::unique_ptr<negotiation::Reader> listen(const std::string& topic, Ear<Message>& ear) {
        return transport.subscribe({topic, std::string(wire::MessageCodec<Message>::type_name)}, {}, ear)
            .value();
    }
    void say(const Twist& twist) {
        ASSERT_TRUE(writer->write(
            negotiation::make_sample(std::make_shared<const Twist>(twist), rig.loop.clock().wall())));
        rig.loop.advance(100ms);
    }

    RobotRig rig;
    StallingStrand strand{rig.loop};
    negotiation::InProcessTransport transport{rig.loop};
    RosSender sender;
    RobotRos::Report report;
    int asked = 0;
    std::vector<Pose> used;
    Mouth mouth;
    std::unique_ptr<RobotRos> ros;
    std::unique_ptr<negotiation::Writer> writer;
};

TEST_F(RobotRosTest, TellsWhatSomebodyReads) {
    join(RobotRos::Options{.clock = true});
    EXPECT_EQ(asked, 0) << "nobody reads the map, nor the frames";
    Ear<msg::nav_msgs::Odometry> odom;
    Ear<msg::tf2_msgs::TFMessage> tf;
    Ear<msg::nav_msgs::OccupancyGrid> map;
    Ear<Supply> battery;
    Ear<msg::rosgraph_msgs::Clock> clock;
    const auto a = listen("/cbot/odom", odom);
    const auto b = listen("/cbot/tf", tf);
    const auto c = listen("/cbot/map", map);
    const auto d = listen("/cbot/battery_state", battery);
    const auto e = listen("/clock", clock);
    rig.loop.advance(2050ms);
    EXPECT_EQ(odom.heard.size(), 20);
    EXPECT_EQ(battery.heard.size(), 20);
    EXPECT_GE(clock.heard.size(), 20);
    EXPECT_EQ(map.heard.size(), 2) << "once a second";
    ASSERT_EQ(tf.heard.back().transforms.size(), 2);
    EXPECT_EQ(tf.heard.back().transforms[0].header.frame_id, "map");
    EXPECT_EQ(tf.heard.back().transforms[0].child_frame_id, "odom");
    EXPECT_EQ(tf.heard.back().transforms[0].transform.translation.x, 1);
    EXPECT_EQ(tf.heard.back().transforms[1].child_frame_id, "base_link");
}

TEST_F(RobotRosTest, TellsOdometryMoreOftenThanTelemetry) {
    report = [this] { return rig.propulsion->report(); };
    join(RobotRos::Options{.cmd_vel = true, .odometry_period = 20ms, .wheel_radius = 0.03});
    Ear<msg::nav_msgs::Odometry> odom;
    Ear<msg::tf2_msgs::TFMessage> tf;
    Ear<msg::sensor_msgs::LaserScan> scan;
    Ear<msg::sensor_msgs::JointState> joints;
    const auto a = listen("/cbot/odom", odom);
    const auto b = listen("/cbot/tf", tf);
    const auto c = listen("/cbot/scan", scan);
    const auto d = listen("/cbot/joint_states", joints);
    for (int i = 0; i < 20; ++i) say(twist(0.25, 0));
    EXPECT_GE(odom.heard.size(), 98);
    const auto stamp_of = [](const auto& message) {
        return message.header.stamp.sec + message.header.stamp.nanosec * 1e-9;
    };
    for (std::size_t i = 1; i < odom.heard.size(); ++i)
        ASSERT_GT(stamp_of(odom.heard[i]), stamp_of(odom.heard[i - 1]));
    for (const auto& each : scan.heard)
        EXPECT_TRUE(std::ranges::any_of(
            tf.heard, [&](const auto& one) { return one.transforms[0].header.stamp == each.header.stamp; }));
    ASSERT_GE(joints.heard.size(), 98);
    const auto& joint = joints.heard.back();
    EXPECT_THAT(joint.name, ElementsAre("left_wheel_joint", "right_wheel_joint"));
    EXPECT_NEAR(joint.position[0] * 0.03, odom.heard.back().pose.pose.position.x, 0.02);
    EXPECT_NEAR(joint.velocity[1] * 0.03, odom.heard.back().twist.twist.linear.x, 0.01);
}

TEST_F(RobotRosTest, TellsOdometryAtItsOwnRateOnly) {
    report = [this] { return rig.propulsion->report(); };
    join(RobotRos::Options{.odometry_period = 33ms});
    Ear<msg::nav_msgs::Odometry> odom;
    const auto reader = listen("/cbot/odom", odom);
    rig.loop.advance(3300ms);
    EXPECT_NEAR(static_cast<double>(odom.heard.size()), 100, 2) << "not also with telemetry";
}

TEST_F(RobotRosTest, DrivesByStampedTwistsIfConfigured) {
    using msg::geometry_msgs::TwistStamped;
    join(RobotRos::Options{.cmd_vel = true, .stamped_cmd_vel = true});
    const auto stamped = transport.advertise({"/cbot/cmd_vel", "geometry_msgs/msg/TwistStamped"}, {}, mouth);
    rig.loop.advance(100ms);
    for (int i = 0; i < 10; ++i) {
        TwistStamped message;
        message.twist = twist(0.25, 0);
        ASSERT_TRUE((*stamped)->write(negotiation::make_sample(std::make_shared<const TwistStamped>(message),
                                                               rig.loop.clock().wall())));
        rig.loop.advance(100ms);
    }
    EXPECT_GT(rig.body.driven.right, 0.2);
}

TEST_F(RobotRosTest, LeavesToOthersWhatIsSwitchedOffAndNamesItsFrames) {
    join(RobotRos::Options{
        .frames = {.odom = "wheels", .base = "hull", .laser = "hull/laser", .map_to_odom = false},
        .map = false});
    Ear<msg::tf2_msgs::TFMessage> tf;
    Ear<msg::tf2_msgs::TFMessage> fixed;
    Ear<msg::nav_msgs::Odometry> odom;
    Ear<msg::nav_msgs::OccupancyGrid> map;
    Ear<msg::rosgraph_msgs::Clock> clock;
    const auto a = listen("/cbot/tf", tf);
    const auto b = listen("/cbot/odom", odom);
    const auto c = listen("/cbot/map", map);
    const auto d = listen("/clock", clock);
    const auto e = transport.subscribe({"/cbot/tf_static", "tf2_msgs/msg/TFMessage"},
                                       {.durability = negotiation::Durability::transient_local}, fixed);
    rig.loop.advance(1s);
    EXPECT_TRUE(map.heard.empty() && clock.heard.empty());
    ASSERT_EQ(tf.heard.back().transforms.size(), 1);
    EXPECT_EQ(tf.heard.back().transforms[0].header.frame_id, "wheels");
    EXPECT_EQ(tf.heard.back().transforms[0].child_frame_id, "hull");
    EXPECT_EQ(odom.heard.back().header.frame_id, "wheels");
    EXPECT_EQ(odom.heard.back().child_frame_id, "hull");
    for (const auto& message : fixed.heard) EXPECT_EQ(message.transforms[0].child_frame_id, "hull/laser");
}

TEST_F(RobotRosTest, IsLocatedByAnotherNode) {
    join(RobotRos::Options{.frames = {.map_to_odom = false}});
    rig.loop.advance(6s);
    EXPECT_TRUE(rig.log.mentions("no node publishes map -> odom on /cbot/tf"));
    EXPECT_TRUE(used.empty());
    const auto slam = transport.advertise({"/cbot/tf", "tf2_msgs/msg/TFMessage"}, {}, mouth).value();
    const auto publish = [&](const Pose& pose) {
        std::ignore = slam->write(
            negotiation::make_sample(std::make_shared<const msg::tf2_msgs::TFMessage>(
                                         msg::tf2_msgs::TFMessage{{ros_transform(1, "map", "odom", pose)}}),
                                     rig.loop.clock().wall()));
        rig.loop.advance(20ms);
    };
    publish({1, 2, 0.5});
    publish({1, 2, 0.5});
    publish({std::nan(""), 2, 0.5});
    ASSERT_EQ(used.size(), 1) << "only what is new, and what is finite";
    EXPECT_NEAR(used[0].x, 1, 1e-9);
    EXPECT_NEAR(used[0].heading, 0.5, 1e-9);
    EXPECT_TRUE(rig.log.mentions("is ignored: its numbers are not finite"));
}

TEST_F(RobotRosTest, DoesNotListenToTwistsUnlessConfigured) {
    join(false);
    say(twist(0.25, 0));
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
}

TEST_F(RobotRosTest, DrivesByTwistsUntilTheDeadMan) {
    join(true);
    for (int i = 0; i < 10; ++i) say(twist(0.25, 0));
    EXPECT_GT(rig.body.driven.right, 0.2);
    for (int i = 0; i < 10; ++i) say(twist(0.2, 0.5));
    EXPECT_NEAR(rig.body.driven.right, 0.26, 1e-9) << "as a curve";
    EXPECT_NEAR(rig.body.driven.left, 0.14, 1e-9);
    rig.loop.advance(1s);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.propulsion->report().reason, motion::MotionReason::dead_man);
    say(twist(0, std::nan("")));
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_TRUE(rig.log.mentions("its numbers are not finite"));
}

TEST_F(RobotRosTest, DrivesNoTwistThatWaitedForAFrozenRobot) {
    join(true);
    strand.hang();
    rig.loop.advance(1s);
    ASSERT_TRUE(writer->write(
        negotiation::make_sample(std::make_shared<const Twist>(twist(0.25, 0)), rig.loop.clock().wall())));
    rig.loop.advance(10ms);
    strand.go_on();
    rig.loop.advance(200ms);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_TRUE(rig.log.mentions("cmd_vel is refused: EXPIRED"));
    rig.loop.advance(1s);
    for (int i = 0; i < 5; ++i) say(twist(0.25, 0));
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{}) << "a fresh one";
}

TEST_F(RobotRosTest, HoldsTheLeaseWhileItsWriterIsThere) {
    join(true);
    say(twist(0.25, 0));
    rig.station.dial(rig.robot->main().receive_port(), link::Role::drive);
    rig.loop.advance(200ms);
    EXPECT_THAT(rig.tell("move_forward"), ElementsAre(HasSubstr("NO_LEASE: ros drives")));
    writer.reset();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("move_forward"), ElementsAre("DONE"));
    writer = transport.advertise({"/cbot/cmd_vel", "geometry_msgs/msg/Twist"}, {}, mouth).value();
    for (int i = 0; i < 5; ++i) say(twist(-0.25, 0));
    EXPECT_GE(rig.body.driven.right, 0) << "somebody else drives";
    EXPECT_TRUE(rig.log.mentions("cmd_vel is refused: NO_LEASE"));
}

TEST_F(RobotRosTest, ObeysOtherTopicsAfterAndDuringTwists) {
    using msg::std_msgs::Empty;
    join(true);
    RosControls controls(
        strand, transport, *rig.buffers, sender,
        {.submit =
             [this](Request request) { rig.robot->command(std::move(request), motion::StopCause::ros); },
         .go_to = {},
         .set_pose = {}},
        {.name_space = "/cbot", .drive = true});
    ASSERT_TRUE(controls.start());
    const auto mode = transport.advertise({"/cbot/run_mode", "std_msgs/msg/Int32"}, {}, mouth).value();
    const auto stop = transport.advertise({"/cbot/stop", "std_msgs/msg/Empty"}, {}, mouth).value();
    const auto release = transport.advertise({"/cbot/release_stop", "std_msgs/msg/Empty"}, {}, mouth).value();
    const auto publish = [&](const auto& to, auto message) {
        ASSERT_TRUE(to->write(negotiation::make_sample(std::make_shared<const decltype(message)>(message),
                                                       rig.loop.clock().wall())));
        rig.loop.advance(500ms);
    };
    rig.loop.advance(100ms);
    for (int i = 0; i < 10; ++i) say(twist(0.25, 0));
    EXPECT_GT(rig.body.driven.right, 0.2);
    publish(stop, Empty{});
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::ros);
    publish(release, Empty{});
    EXPECT_FALSE(rig.propulsion->report().stop);
    for (int i = 0; i < 10; ++i) say(twist(0.25, 0));
    EXPECT_GT(rig.body.driven.right, 0.2);
    publish(mode, msg::std_msgs::Int32{1});
    EXPECT_EQ(rig.buffers->mode_board.copy().run_mode, link::RunMode::rm1) << "while a twist holds the lease";
    for (int i = 0; i < 10; ++i) say(twist(0.25, 0));
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    publish(mode, msg::std_msgs::Int32{0});
    EXPECT_EQ(rig.buffers->mode_board.copy().run_mode, link::RunMode::rm0);
}

TEST_F(RobotRosTest, TakesTheLatestOfManyTwists) {
    join(true);
    for (int i = 0; i < 1000; ++i)
        ASSERT_TRUE(writer->write(negotiation::make_sample(
            std::make_shared<const Twist>(twist(i == 999 ? -0.25 : 0.45, 0)), rig.loop.clock().wall())));
    rig.loop.advance(300ms);
    EXPECT_LT(rig.propulsion->report().right_level, 0);
}

}  // namespace
}  // namespace caribou::robot
