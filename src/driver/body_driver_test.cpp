// The driver's side for any body, connected to the robot's side.

#include "driver/body_driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/driver_rig.hpp"
#include "motion/body_rig.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using motion::SensorReading;
using motion::WheelSpeeds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class BodyDriverTest : public testing::Test, public DriverRig {
protected:
    BodyDriverTest() {
        device.say("imu", motion::ImuReading{.yaw_rate = 0.5});
        device.say("lidar", std::make_shared<const motion::LidarScan>(
                                motion::LidarScan{.first_angle = 0, .angle_step = 0.1, .ranges = {1, 2, 3}}));
        driver.greet(clock().now());
        auto greeting = this->greeting();
        EXPECT_TRUE(greeting.poll().value());
        driven = std::make_unique<DriverBody>(std::move(greeting), log);
    }
    /// Passes the bytes on, 20 ms later.
    void turn() {
        loop.advance(20ms);
        const Bytes bytes = std::exchange(line->from_robot, {});
        EXPECT_TRUE(driver.on_bytes(bytes, clock().now()));
        driver.tick(clock().now());
        loop.advance(1ms);
    }

    motion::BodyRig device{loop.clock()};
    std::vector<std::pair<WheelSpeeds, std::string>> orders;
    BodyDriver driver{device,
                      {.name = "rig"},
                      [this](ByteView bytes) { append(line->to_robot, bytes); },
                      [this](WheelSpeeds speeds, std::string_view why) { orders.emplace_back(speeds, why); }};
    std::unique_ptr<DriverBody> driven;
};

TEST_F(BodyDriverTest, GivesTheRobotTheBodyAsItIs) {
    EXPECT_EQ(driven->plan().sensors, device.plan().sensors);
    for (std::size_t i = 0; i < device.plan().sensors.size(); ++i) {
        const auto kind = device.plan().sensors[i].kind;
        if (kind == motion::SensorKind::lidar)
            EXPECT_EQ(std::get<std::shared_ptr<const motion::LidarScan>>(driven->read(i))->ranges.size(), 3U);
        else if (kind == motion::SensorKind::eyes)
            EXPECT_EQ(*std::get<std::shared_ptr<const motion::Sights>>(driven->read(i)), motion::Sights{});
        else
            EXPECT_EQ(driven->read(i), device.read(i)) << device.plan().sensors[i].name;
    }
}

TEST_F(BodyDriverTest, BeginsWithAllSensorsPowered) {
    const std::size_t front = device.index("front");
    ASSERT_TRUE(driven->set_power(front, false));
    turn();
    EXPECT_THAT(device.unpowered, ElementsAre(front));
    connect();
    driver.greet(clock().now());
    EXPECT_THAT(device.unpowered, IsEmpty())
        << "what the robot before has powered down is of no concern to the next one";
}

TEST_F(BodyDriverTest, CarriesOutOrdersAndAcknowledgesThem) {
    ASSERT_TRUE(driven->enable_motors(true));
    driven->drive({0.2, 0.1});
    turn();
    EXPECT_EQ(device.driven, (WheelSpeeds{0.2, 0.1}));
    for (int i = 0; i < 50; ++i) {
        driven->drive({0.2, 0.1});
        turn();
    }
    EXPECT_THAT(driven->absence(), IsEmpty()) << "all orders are acknowledged";
    EXPECT_GT(std::get<std::int64_t>(driven->read(device.index("encoder_right"))), 0);
    ASSERT_TRUE(driven->enable_motors(false));
    turn();
    EXPECT_FALSE(device.motors_on);
    EXPECT_EQ(device.driven, WheelSpeeds{});
}

TEST_F(BodyDriverTest, SendsANewScanAtOnceAndEachOnlyOnce) {
    const auto lidar = device.index("lidar");
    const auto scan = [&](std::size_t rays) {
        device.say("lidar", std::make_shared<const motion::LidarScan>(motion::LidarScan{
                                .first_angle = 0, .angle_step = 0.1, .ranges = std::vector<float>(rays, 1)}));
    };
    const auto read = [&] { return std::get<std::shared_ptr<const motion::LidarScan>>(driven->read(lidar)); };
    scan(4);
    turn();
    const auto first = read();
    EXPECT_EQ(first->ranges.size(), 4U) << "20 ms later";
    turn();
    EXPECT_EQ(read(), first) << "it is not sent again";
    scan(5);
    turn();
    EXPECT_EQ(read()->ranges.size(), 5U);
    device.say("lidar", motion::NoReading{});
    turn();
    EXPECT_EQ(driven->read(lidar), SensorReading(motion::NoReading{}));
}

TEST_F(BodyDriverTest, ClipsOrdersAtTheMaximumSpeed) {
    ASSERT_TRUE(driven->enable_motors(true));
    driven->drive({5, -5});
    turn();
    EXPECT_EQ(device.driven, (WheelSpeeds{0.6, -0.6}));
    EXPECT_THAT(driven->absence(), IsEmpty());
}

TEST_F(BodyDriverTest, StopsTheBodyAtTheEnd) {
    ASSERT_TRUE(driven->enable_motors(true));
    driven->drive({0.2, 0.2});
    turn();
    orders.clear();
    driver.stop("closed");
    EXPECT_EQ(device.driven, WheelSpeeds{});
    EXPECT_FALSE(device.motors_on);
    EXPECT_THAT(orders, ElementsAre(Pair(WheelSpeeds{}, "closed")));
}

TEST_F(BodyDriverTest, ReportsMotorsThatCannotBeEnabledAsZeroOrdered) {
    device.refuses_motors = true;
    ASSERT_TRUE(driven->enable_motors(true));
    driven->drive({0.2, 0.2});
    turn();
    EXPECT_EQ(device.driven, WheelSpeeds{});
    EXPECT_THAT(driven->absence(), IsEmpty());
}

TEST_F(BodyDriverTest, RefusesWhatIsNoOrder) {
    const auto refusal = [&](const DriverMessage& message) {
        const auto taken = driver.on_bytes(frame_of(message), clock().now());
        return taken ? "none" : taken.error().message;
    };
    EXPECT_THAT(refusal(Order{.seq = 1, .enabled = true, .left = std::numeric_limits<double>::quiet_NaN()}),
                HasSubstr("not a number"));
    EXPECT_THAT(refusal(Hello{}), HasSubstr("only a driver sends"));
    EXPECT_THAT(refusal(Power{.sensor = 200}), HasSubstr("no sensor 200"));
    EXPECT_THAT(refusal(Lights{9}), HasSubstr("unknown lights"));
    EXPECT_EQ(refusal(Lights{Lights::ALARM}), "none");
    EXPECT_EQ(device.lights, motion::BodyLights::alarm);
}

TEST_F(BodyDriverTest, EndsAfterAGoodbye) {
    driven.reset();
    turn();
    EXPECT_TRUE(driver.finished());
}

}  // namespace
}  // namespace caribou::driver
