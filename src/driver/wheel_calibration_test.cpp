#include "driver/wheel_calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/body_driver.hpp"
#include "driver/driver_rig.hpp"
#include "motion/body_rig.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class WheelCalibrationTest : public testing::Test, public DriverRig {
protected:
    WheelCalibrationTest() { end = inlet.take(); }
    void run() {
        BodyDriver driver{
            device, {.stops_without_feed_ms = 0}, [this](ByteView bytes) { append(line->to_robot, bytes); }};
        calibration.emplace(*end, clock().now());
        driver.greet(clock().now());
        for (int i = 0; i < 20'000 && !calibration->step(clock().now()); ++i) {
            loop.advance(1ms);
            const Bytes bytes = std::exchange(line->from_robot, {});
            EXPECT_TRUE(bytes.empty() || driver.on_bytes(bytes, clock().now()));
            driver.tick(clock().now());
        }
        // The last order, to rest.
        EXPECT_TRUE(driver.on_bytes(std::exchange(line->from_robot, {}), clock().now()));
        EXPECT_EQ(device.driven, motion::WheelSpeeds{});
    }

    motion::BodyRig device{loop.clock()};
    std::unique_ptr<DriverLine> end;
    std::optional<WheelCalibration> calibration;
};

TEST_F(WheelCalibrationTest, FindsHowFastTheMotorsTurn) {
    device.motor_gain = 0.8;
    device.motor_start = 0.03;
    device.motor_delay = 0.1;
    device.right_factor = 1.1;
    run();
    EXPECT_EQ(calibration->fault(), "");
    EXPECT_EQ(calibration->right().size(), 8U);
    const auto right = fit_wheel(calibration->right());
    const auto left = fit_wheel(calibration->left());
    ASSERT_TRUE(right && left);
    EXPECT_NEAR(left->gain, 1 / 0.8, 0.02);
    EXPECT_NEAR(right->gain, 1 / 0.88, 0.02);
    EXPECT_NEAR(left->start, 0.03, 0.003);
    EXPECT_LT(left->worst, 0.003);
    EXPECT_THAT(calibration_text({.gain = 1.25, .start = 0.03}, {.gain = 1.2}),
                HasSubstr("closed_loop = true\nwheel_gain_right = 1.250\nwheel_gain_left = 1.200\n"
                          "wheel_start_right = 0.030\nwheel_start_left = 0.000\n"));
}

TEST_F(WheelCalibrationTest, FindsGoodMotorsGood) {
    run();
    const auto fit = fit_wheel(calibration->left());
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->gain, 1, 0.01);
    EXPECT_NEAR(fit->start, 0, 0.002);
}

TEST_F(WheelCalibrationTest, NeedsEncodersAndWheelsThatTurn) {
    device.wheels_blocked = true;
    run();
    EXPECT_THAT(fit_wheel(calibration->left()).error().message,
                HasSubstr("the wheel turned at 0 of 8 orders; expected at least 3"));
    device.encoders_alive = false;
    connect();
    end = inlet.take();
    run();
    EXPECT_THAT(calibration->fault(), HasSubstr("no encoders"));
}

TEST(WheelFit, IsRefusedWhereItCannotBeRight) {
    const auto fault = [](const std::vector<WheelSample>& samples) {
        const auto fit = fit_wheel(samples);
        return fit ? "" : fit.error().message;
    };
    EXPECT_THAT(fault({{0.1, 0.3}, {0.2, 0.6}, {0.3, 0.9}}),
                HasSubstr("turns 3.00 times as fast as ordered; expected 0.50 to 2.00"));
    EXPECT_THAT(fault({{0.1, 0.2}, {0.2, 0.2}, {0.3, 0.2}}), HasSubstr("at the same speed whatever"));
    EXPECT_EQ(fault({{0.05, 0.0}, {0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}}), "") << "one order was too small";
}

}  // namespace
}  // namespace caribou::driver
