#include "cubes/cube_sensing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cubes/simulated_cube.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// Feeds the messages of a simulated cube to CubeSensing, one by one.
class Sensing : public testing::Test {
protected:
    SimulatedCube cube{SimulatedCubeOptions{}};
    CubeSensing sensing;
    Instant now{};
    std::vector<std::string> heard;

    void listen(Duration time) {
        for (const Instant end = now + time; now < end; now += 30ms) take(cube.acceleration(now, noise_));
    }
    void take(const CubeMessage& message) {
        for (const CubeEvent& event : sensing.take(message, now)) heard.push_back(describe(event));
    }
    void settle() {
        listen(2s);
        heard.clear();
    }
    std::vector<std::string> after(Duration time) {
        listen(time);
        return std::exchange(heard, {});
    }

private:
    Random noise_{1};
};

TEST_F(Sensing, PrimesOnTheFirstTapCount) {
    cube.tap();
    cube.tap();
    EXPECT_THAT(after(60ms), IsEmpty());
    cube.tap();
    EXPECT_THAT(after(60ms), ElementsAre("tapped"));
}

TEST_F(Sensing, CountsTapsOverTheWrapAndOverLostMessages) {
    take(Acceleration{.tap_count = 254});
    now += 1s;
    take(Acceleration{.tap_count = 255});
    now += 1s;
    take(Acceleration{.tap_count = 0});
    EXPECT_THAT(heard, ElementsAre("tapped", "tapped"));
    heard.clear();
    now += 1s;
    take(Acceleration{.tap_count = 2});
    EXPECT_THAT(heard, ElementsAre("tapped", "tapped", "double_tapped"));
}

TEST_F(Sensing, KnowsADoubleTapByItsTime) {
    settle();
    cube.tap();
    EXPECT_THAT(after(510ms), ElementsAre("tapped"));
    cube.tap();
    EXPECT_THAT(after(480ms), ElementsAre("tapped"));
    cube.tap();
    EXPECT_THAT(after(30ms), ElementsAre("tapped", "double_tapped"));
    cube.tap();
    EXPECT_THAT(after(30ms), ElementsAre("tapped")) << "a third one begins anew";
}

TEST_F(Sensing, TellsWhenItMovesAndWhenItStops) {
    settle();
    EXPECT_THAT(after(10s), IsEmpty());
    cube.move_until(now + 2s);
    EXPECT_THAT(after(1s), ElementsAre("moved"));
    EXPECT_TRUE(sensing.moving());
    EXPECT_THAT(after(1100ms), IsEmpty());
    EXPECT_THAT(after(2s), ElementsAre("stopped_moving"));
    EXPECT_FALSE(sensing.moving());
}

TEST_F(Sensing, TellsWhichAxisIsUp) {
    EXPECT_THAT(after(1s), ElementsAre("up_axis_changed to z_up"));
    for (const UpAxis up : {UpAxis::x_up, UpAxis::x_down, UpAxis::y_up, UpAxis::y_down, UpAxis::z_down}) {
        cube.turn(up);
        EXPECT_THAT(after(3s), Contains("up_axis_changed to " + std::string(to_string(up))));
        EXPECT_EQ(sensing.up_axis(), up);
    }
}

TEST_F(Sensing, TellsWhenItIsShaken) {
    settle();
    cube.shake_until(now + 600ms);
    EXPECT_THAT(after(2s), Contains("shaken"));
    cube.move_until(now + 5s);
    listen(5s);
    EXPECT_THAT(heard, testing::Not(Contains("shaken"))) << "being carried is not shaking";
}

TEST_F(Sensing, TellsOnceWhenTheBatteryIsLow) {
    const auto volts = [&](double value) {
        cube.set_volts(value);
        take(cube.voltage());
    };
    for (int i = 0; i < 4; ++i) volts(1.0);
    volts(1.2);
    for (int i = 0; i < 4; ++i) volts(1.0);
    EXPECT_THAT(heard, IsEmpty()) << "five in a row";
    volts(0.2);
    volts(2.6);
    EXPECT_THAT(heard, IsEmpty()) << "what cannot be is passed over";
    volts(1.0);
    EXPECT_THAT(heard, ElementsAre("battery_low"));
    EXPECT_TRUE(sensing.battery_low());
    for (int i = 0; i < 9; ++i) volts(1.0);
    EXPECT_EQ(heard.size(), 1U);
    volts(1.5);
    EXPECT_FALSE(sensing.battery_low());
    EXPECT_NEAR(*sensing.volts(), 1.5, 0.01);
}

TEST_F(Sensing, ForgetsEverythingWithTheConnection) {
    settle();
    sensing.reset();
    cube.tap();
    EXPECT_THAT(after(1s), ElementsAre("up_axis_changed to z_up")) << "the tap count only primes";
}

TEST_F(Sensing, PassesOnThatTheAccelerometerFailed) {
    take(AccelerometerFailure{1});
    EXPECT_THAT(heard, ElementsAre("accelerometer_failed"));
}

}  // namespace
}  // namespace caribou::cubes
