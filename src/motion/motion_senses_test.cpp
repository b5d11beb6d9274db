#include "motion/motion_senses.hpp"

#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"
#include "motion/body_rig.hpp"

namespace caribou::motion {
namespace {

using namespace std::chrono_literals;

class MotionSensesTest : public testing::Test {
protected:
    const Senses& read() { return senses.read(odometry, loop.clock().now()); }
    /// Returns a scan with one beam straight ahead.
    static std::shared_ptr<const LidarScan> scan(double range) {
        return std::make_shared<LidarScan>(LidarScan{0.0, 0.1, {static_cast<float>(range)}});
    }

    VirtualLoop loop;
    BodyRig body{loop.clock()};
    MotionSettings settings{};
    MotionSenses senses{body, settings};
    Odometry odometry{};
};

TEST_F(MotionSensesTest, ReportEncodersGyroscopeAndBattery) {
    EXPECT_EQ(read().right_ticks, 0);
    EXPECT_EQ(read().left_ticks, 0);
    EXPECT_EQ(read().yaw_rate, std::nullopt);
    EXPECT_EQ(read().battery, 1.0);
    body.say("imu", ImuReading{.yaw_rate = 0.25});
    body.say("battery", BatteryReading{.level = 0.5});
    body.encoders_alive = false;
    EXPECT_EQ(read().yaw_rate, 0.25);
    EXPECT_EQ(read().battery, 0.5);
    EXPECT_EQ(read().right_ticks, std::nullopt);
    EXPECT_EQ(read().left_ticks, std::nullopt);
}

TEST_F(MotionSensesTest, NameARequiredSensorWithoutAReading) {
    body.say("rear", NoReading{});
    EXPECT_EQ(read().missing, "") << "it is not required";
    body.say("front", NoReading{});
    EXPECT_EQ(read().missing, "front");
    body.say("front", BodyRig::far);
    EXPECT_EQ(read().missing, "");
}

TEST_F(MotionSensesTest, TakeASilentEmergencyStopForAPressedOne) {
    EXPECT_FALSE(read().emergency);
    body.say("emergency", true);
    EXPECT_TRUE(read().emergency);
    body.say("emergency", NoReading{});
    EXPECT_TRUE(read().emergency);
    body.say("emergency", 1.0);
    EXPECT_FALSE(read().emergency) << "a reading of another kind is ignored";
}

TEST_F(MotionSensesTest, KnowTheSideOfBumpersAndCliffs) {
    body.say("bumper_front", true);
    body.say("cliff_rear", true);
    EXPECT_TRUE(read().bump_ahead);
    EXPECT_FALSE(read().bump_behind);
    EXPECT_FALSE(read().cliff_ahead);
    EXPECT_TRUE(read().cliff_behind);
    body.say("bumper_front", false);
    body.say("bumper_rear", true);
    body.say("cliff_front", true);
    EXPECT_FALSE(read().bump_ahead);
    EXPECT_TRUE(read().bump_behind);
    EXPECT_TRUE(read().cliff_ahead);
}

TEST_F(MotionSensesTest, MeasureClearanceByRanges) {
    body.say("front", 0.4);
    body.say("rear", 0.3);
    EXPECT_NEAR(read().clearance.ahead(), 0.4, 1e-9);
    EXPECT_NEAR(read().clearance.behind(), 0.3, 1e-9);
}

TEST_F(MotionSensesTest, ReduceTheClearanceOfAScanByTheDistanceDrivenSince) {
    const auto seen = scan(1.0);
    odometry.distance = 5.0;
    body.say("lidar", seen);
    EXPECT_NEAR(read().clearance.ahead(), 1.0 - 0.15, 1e-6);
    odometry.distance = 5.2;
    EXPECT_NEAR(read().clearance.ahead(), 0.8 - 0.15, 1e-6);
    body.say("lidar", scan(1.0));
    EXPECT_NEAR(read().clearance.ahead(), 1.0 - 0.15, 1e-6) << "a new scan";
    body.say("lidar", std::shared_ptr<const LidarScan>());
    EXPECT_EQ(read().clearance.ahead(), BodyRig::far);
}

TEST_F(MotionSensesTest, TakeALidarForSilentThatIsOffOrHasNoNewScan) {
    EXPECT_FALSE(read().lidar_is_silent);
    body.say("lidar", scan(1.0));
    EXPECT_FALSE(read().lidar_is_silent);
    loop.advance(MotionSenses::scan_lasts + 1ms);
    EXPECT_TRUE(read().lidar_is_silent);
    EXPECT_EQ(read().clearance.ahead(), BodyRig::far) << "what the last scan has shown may be elsewhere";
    body.say("lidar", scan(1.0));
    EXPECT_FALSE(read().lidar_is_silent);
    body.say("lidar", NoReading{});
    EXPECT_TRUE(read().lidar_is_silent);
}

TEST_F(MotionSensesTest, RememberWhatAScanHasShownInTheSlowZone) {
    body.say("lidar", scan(0.6));
    read();
    body.say("lidar", scan(BodyRig::far));
    EXPECT_EQ(read().clearance.ahead(), BodyRig::far);
    EXPECT_NEAR(read().lately.ahead(), 0.6 - 0.15, 1e-6);
    odometry.pose.x = 0.1;
    EXPECT_NEAR(read().lately.ahead(), 0.5 - 0.15, 1e-6);
    odometry.pose.x = 0.0;
    body.say("lidar", scan(0.7));  // beyond radius and slow zone
    loop.advance(ObstacleMemory::lasts + 1ms);
    EXPECT_EQ(read().lately.ahead(), BodyRig::far);
}

}  // namespace
}  // namespace caribou::motion
