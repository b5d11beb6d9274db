#include "driver/body_check.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/body_driver.hpp"
#include "driver/driver_rig.hpp"
#include "motion/body_rig.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class BodyCheckTest : public testing::Test, public DriverRig {
protected:
    BodyCheckTest() {
        device.say("imu", motion::ImuReading{});
        device.say("lidar", std::make_shared<const motion::LidarScan>(motion::LidarScan{.ranges = {1}}));
        end = inlet.take();
    }
    /// Runs a whole check against a driver around `device`; `meanwhile` is called every millisecond.
    void run(const BodyDriverSettings& settings, const std::function<void()>& meanwhile = [] {}) {
        BodyDriver driver{device, settings, [this](ByteView bytes) {
                              if (!mute) append(line->to_robot, bytes);
                          }};
        check.emplace(*end, has_device, clock().now());
        driver.greet(clock().now());
        for (int i = 0; i < 20'000 && !check->step(clock().now()); ++i) {
            loop.advance(1ms);
            meanwhile();
            const Bytes bytes = std::exchange(line->from_robot, {});
            if (!bytes.empty()) {
                fed = clock().now();
                EXPECT_TRUE(driver.on_bytes(bytes, clock().now()));
            }
            driver.tick(clock().now());
        }
    }
    std::string text_of(std::string_view what) const {
        for (const auto& finding : check->findings())
            if (finding.what == what) return std::string(to_string(finding.outcome)) + ": " + finding.text;
        return "not checked";
    }

    motion::BodyRig device{loop.clock()};
    std::unique_ptr<DriverLine> end;
    std::optional<BodyCheck> check;
    bool mute = false;
    bool has_device = true;
    Instant fed{};
};

TEST_F(BodyCheckTest, FailsOnAStopFrameWithoutADevice) {
    has_device = false;
    run({.stops_without_feed_ms = 0, .stop_frame = Bytes(3)});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stop_frame"),
                HasSubstr("failed: the driver declares one, but the configuration has no body.device"));
}

TEST_F(BodyCheckTest, FindsThatAGoodDriverWorks) {
    run({.name = "rig", .stops_without_feed_ms = 0});
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("hello"), HasSubstr("passed: `rig`, protocol 1, 13 sensors, a state every 20 ms"));
    EXPECT_THAT(text_of("rate"), HasSubstr("passed: 50 states per second"));
    EXPECT_THAT(text_of("order to state"), HasSubstr("passed: median 1.00 ms"));
    EXPECT_EQ(text_of("contract"), "passed: takes orders, lights and power at once");
    EXPECT_THAT(text_of("wheels"),
                HasSubstr("passed: left 0.098 m, right 0.098 m ahead; expected about 0.100 m"));
    EXPECT_THAT(text_of("sensors"), HasSubstr("passed: all give readings"));
    EXPECT_THAT(text_of("stop by closing"), HasSubstr("passed: closed after"));
}

TEST_F(BodyCheckTest, FindsWheelsThatDoNotTurn) {
    device.wheels_blocked = true;
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("failed: left 0.000 m, right 0.000 m"));
}

TEST_F(BodyCheckTest, FindsMotorsAndEncodersThatAreConnectedCrosswise) {
    device.encoders_swapped = true;
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("passed: ")) << "both wheels together do not show it";
    EXPECT_THAT(text_of("left wheel"), HasSubstr("failed: left 0.00"));
    EXPECT_THAT(text_of("left wheel"), HasSubstr("connected crosswise"));
}

TEST_F(BodyCheckTest, FindsSwappedWheelsByTheGyroscope) {
    for (const double sign : {-1.0, 1.0}) {
        run({.stops_without_feed_ms = 0}, [&] {
            const double yaw_rate = (device.driven.right - device.driven.left) / device.plan().wheel_base;
            device.say("imu", motion::ImuReading{.yaw_rate = sign * yaw_rate});
        });
        EXPECT_EQ(check->good(), sign > 0);
        EXPECT_THAT(text_of("left wheel"), HasSubstr(sign > 0 ? "passed: left 0.1" : "failed: left 0.1"))
            << text_of("left wheel");
        EXPECT_THAT(text_of("left wheel"), HasSubstr(sign > 0 ? "rad to the right" : "are swapped"));
        connect();
        end = inlet.take();
    }
}

TEST_F(BodyCheckTest, DoesNotClaimToKnowWhichWheelIsTheLeftOneWithoutAGyroscope) {
    device.say("imu", motion::ImuReading{});
    run({.stops_without_feed_ms = 0});
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("left wheel"), HasSubstr("unverified: left 0.1"));
}

TEST_F(BodyCheckTest, FindsADeviceThatNothingStops) {
    run({.stops_without_feed_ms = -1});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stops_without_feed_ms"), HasSubstr("failed: -1, and no stop_frame"));
}

TEST_F(BodyCheckTest, AcceptsAStopFrame) {
    run({.stops_without_feed_ms = -1, .stop_frame = Bytes(3)});
    EXPECT_THAT(text_of("stops_without_feed_ms"),
                HasSubstr("passed: -1: the guard writes the stop frame of 3 bytes"));
}

TEST_F(BodyCheckTest, MeasuresADeadMansSwitchOfTheDevice) {
    run({.stops_without_feed_ms = 300}, [&] {
        if (clock().now() - fed > 250ms) device.driven = {};
    });
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("stops_without_feed_ms"), HasSubstr("passed: ran on for 2"));
}

TEST_F(BodyCheckTest, FindsADeadMansSwitchThatDoesNotWork) {
    run({.stops_without_feed_ms = 300});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stops_without_feed_ms"),
                HasSubstr("failed: ran on for 799 ms; expected at most 340 ms"));
}

TEST_F(BodyCheckTest, FindsADriverThatDoesNotCloseItsEnd) {
    line->closes_when_ended = false;
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stop by closing"), HasSubstr("failed: the driver does not close its end"));
}

TEST_F(BodyCheckTest, FindsASensorWithoutAReading) {
    device.say("bumper_front", motion::NoReading{});
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("sensors"), HasSubstr("failed: no reading: bumper_front"));
}

TEST_F(BodyCheckTest, FindsASensorThatIsLostWhenItIsPoweredDown) {
    run({.stops_without_feed_ms = 0}, [&] {
        if (check->findings().size() == 3) device.say("lidar", motion::NoReading{});
    });
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("contract"), HasSubstr("failed: powered down and up, no reading within 3 s: lidar"));
}

TEST_F(BodyCheckTest, EndsWhenTheDriverHangs) {
    run({.stops_without_feed_ms = 0}, [&] { mute = mute || check->findings().size() == 2; });
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("driver"), HasSubstr("silent for more than 200ms"));
}

}  // namespace
}  // namespace caribou::driver
