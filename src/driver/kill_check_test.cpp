#include "driver/kill_check.hpp"

#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/body_driver.hpp"
#include "driver/driver_rig.hpp"
#include "motion/body_rig.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

/// A device that keeps its last order when its driver is killed, unless a test stops it.
class KillCheckTest : public testing::Test, public DriverRig {
protected:
    /// Runs a whole check; `on_cut` is what the guard does to the device, `meanwhile` is called every
    /// millisecond after that. Returns the outcome and the text.
    std::string run(
        const BodyDriverSettings& settings, const std::function<void()>& on_cut,
        const std::function<void()>& meanwhile = [] {}) {
        KillCheck check(hello_of(device, settings));
        begin(check, settings);
        EXPECT_TRUE(advance(check, [] {}));
        if (check.wants_cut()) {
            driver.reset();
            on_cut();
            check.on_cut(is_confirmed, clock().now());
            connect();
            begin(check, settings);
            EXPECT_TRUE(advance(check, meanwhile));
        }
        if (!check.finding()) return "no finding";
        EXPECT_EQ(check.finding()->what, settings.stop_frame.empty() ? "stop by killing" : "stop_frame");
        return std::string(to_string(check.finding()->outcome)) + ": " + check.finding()->text;
    }

    motion::BodyRig device{loop.clock()};
    bool is_confirmed = true;
    const BodyDriverSettings with_frame{.stops_without_feed_ms = -1, .stop_frame = Bytes(3)};

private:
    void begin(KillCheck& check, const BodyDriverSettings& settings) {
        end = inlet.take();
        check.connect(*end, clock().now());
        driver = std::make_unique<BodyDriver>(device, settings,
                                              [this](ByteView bytes) { append(line->to_robot, bytes); });
        driver->greet(clock().now());
    }
    bool advance(KillCheck& check, const std::function<void()>& meanwhile) {
        for (int i = 0; i < 10'000; ++i) {
            if (check.step(clock().now())) return true;
            loop.advance(1ms);
            meanwhile();
            const Bytes bytes = std::exchange(line->from_robot, {});
            if (!bytes.empty()) {
                EXPECT_TRUE(driver->on_bytes(bytes, clock().now()));
            }
            driver->tick(clock().now());
        }
        return false;
    }

    std::unique_ptr<DriverLine> end;
    std::unique_ptr<BodyDriver> driver;
};

TEST_F(KillCheckTest, FindsThatAStopFrameWorks) {
    EXPECT_EQ(
        run(with_frame,
            [&] {
                EXPECT_NE(device.driven, motion::WheelSpeeds{}) << "it is killed in motion";
                device.driven = {};
            }),
        "passed: at rest by the encoders 500 ms after the driver was killed and its stop frame was written");
}

TEST_F(KillCheckTest, FindsAStopFrameThatDoesNotStopTheWheels) {
    EXPECT_THAT(run(with_frame, [] {}), StartsWith("failed: the wheels turn 5"));
}

TEST_F(KillCheckTest, FindsADeviceThatTurnsOnWithoutItsDriver) {
    EXPECT_THAT(run({.stops_without_feed_ms = 0}, [] {}),
                HasSubstr("ms after the driver was killed; expected rest after 500 ms"));
    connect();
    EXPECT_THAT(run({.stops_without_feed_ms = 0}, [&] { device.driven = {}; }), StartsWith("passed"));
}

TEST_F(KillCheckTest, GrantsTheTimeThatTheDriverDeclares) {
    Instant killed{};
    const auto stop_after = [&](Duration time) {
        return [&, time] {
            if (clock().now() - killed > time) device.driven = {};
        };
    };
    const auto kill = [&] { killed = clock().now(); };
    EXPECT_THAT(run({.stops_without_feed_ms = 300}, kill, stop_after(700ms)), StartsWith("passed"));
    connect();
    EXPECT_THAT(run({.stops_without_feed_ms = 300}, kill, stop_after(900ms)), StartsWith("failed"));
}

TEST_F(KillCheckTest, VerifiesNothingWithoutEncoders) {
    device.encoders_alive = false;
    EXPECT_EQ(run(with_frame, [] {}), "unverified: no encoders: watch the wheels");
}

TEST_F(KillCheckTest, FailsIfTheCutIsNotConfirmedOrTheWheelsDoNotTurn) {
    is_confirmed = false;
    EXPECT_EQ(run(with_frame, [&] { device.driven = {}; }),
              "failed: the driver was not killed, or the stop frame not written");
    connect();
    device.wheels_blocked = true;
    EXPECT_EQ(run(with_frame, [] {}), "failed: the wheels do not turn");
}

TEST(KillCheck, NeedsAWayToStop) {
    Hello hello = DriverRig::hello();
    hello.stops_without_feed_ms = 0;
    hello.stop_frame.clear();
    EXPECT_TRUE(KillCheck::applies_to(hello, false));
    hello.stops_without_feed_ms = -1;
    EXPECT_FALSE(KillCheck::applies_to(hello, true));
    hello.stop_frame = {1};
    EXPECT_TRUE(KillCheck::applies_to(hello, true));
    EXPECT_FALSE(KillCheck::applies_to(hello, false));
}

}  // namespace
}  // namespace caribou::driver
