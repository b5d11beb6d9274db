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
        check.emplace(*end, clock().now());
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
            if (finding.what == what) return (finding.good ? "good: " : "bad: ") + finding.text;
        return "not checked";
    }

    motion::BodyRig device{loop.clock()};
    std::unique_ptr<DriverLine> end;
    std::optional<BodyCheck> check;
    bool mute = false;
    Instant fed{};
};

TEST_F(BodyCheckTest, FindsThatAGoodDriverWorks) {
    run({.name = "rig", .stops_without_feed_ms = 0});
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("hello"), HasSubstr("good: `rig`, protocol 1, 12 sensors, a state every 20 ms"));
    EXPECT_THAT(text_of("rate"), HasSubstr("good: 50 states per second"));
    EXPECT_THAT(text_of("order to state"), HasSubstr("good: median 1.00 ms"));
    EXPECT_THAT(text_of("wheels"),
                HasSubstr("good: left 0.098 m, right 0.098 m ahead; expected about 0.100 m"));
    EXPECT_THAT(text_of("sensors"), HasSubstr("good: all give readings"));
    EXPECT_THAT(text_of("stop by closing"), HasSubstr("good: closed after"));
}

TEST_F(BodyCheckTest, FindsWheelsThatDoNotTurn) {
    device.wheels_blocked = true;
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("wheels"), HasSubstr("bad: left 0.000 m, right 0.000 m"));
}

TEST_F(BodyCheckTest, FindsADeviceThatNothingStops) {
    run({.stops_without_feed_ms = -1});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stops_without_feed_ms"), HasSubstr("bad: -1, and no stop_frame"));
}

TEST_F(BodyCheckTest, AcceptsAStopFrame) {
    run({.stops_without_feed_ms = -1, .stop_frame = Bytes(3)});
    EXPECT_THAT(text_of("stops_without_feed_ms"),
                HasSubstr("good: -1: the guard writes the stop frame of 3 bytes"));
}

TEST_F(BodyCheckTest, MeasuresADeadMansSwitchOfTheDevice) {
    run({.stops_without_feed_ms = 300}, [&] {
        if (clock().now() - fed > 250ms) device.driven = {};
    });
    EXPECT_TRUE(check->good());
    EXPECT_THAT(text_of("stops_without_feed_ms"), HasSubstr("good: ran on for 2"));
}

TEST_F(BodyCheckTest, FindsADeadMansSwitchThatDoesNotWork) {
    run({.stops_without_feed_ms = 300});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stops_without_feed_ms"),
                HasSubstr("bad: ran on for 800 ms; expected at most 340 ms"));
}

TEST_F(BodyCheckTest, FindsADriverThatDoesNotCloseItsEnd) {
    line->closes_when_ended = false;
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("stop by closing"), HasSubstr("bad: the driver does not close its end"));
}

TEST_F(BodyCheckTest, FindsASensorWithoutAReading) {
    device.say("bumper_front", motion::NoReading{});
    run({.stops_without_feed_ms = 0});
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("sensors"), HasSubstr("bad: no reading: bumper_front"));
}

TEST_F(BodyCheckTest, EndsWhenTheDriverHangs) {
    run({.stops_without_feed_ms = 0}, [&] { mute = mute || check->findings().size() == 2; });
    EXPECT_FALSE(check->good());
    EXPECT_THAT(text_of("driver"), HasSubstr("silent for more than 200ms"));
}

}  // namespace
}  // namespace caribou::driver
