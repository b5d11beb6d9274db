#include "motion/battery_watch.hpp"

#include <gtest/gtest.h>

namespace caribou::motion {
namespace {

class BatteryWatchTest : public testing::Test {
protected:
    MotionSettings settings{};  // warn 0.30, dock 0.20, critical 0.05, hysteresis 0.03
    BatteryWatch battery{settings};
};

TEST_F(BatteryWatchTest, IsUnknownUntilTheFirstReading) {
    EXPECT_EQ(battery.update(std::nullopt), BatteryState::unknown);
    EXPECT_EQ(battery.update(0.9), BatteryState::good);
    EXPECT_EQ(battery.update(std::nullopt), BatteryState::good) << "a missing reading changes nothing";
}

TEST_F(BatteryWatchTest, CountsALevelOnceItIsReached) {
    EXPECT_EQ(battery.update(0.301), BatteryState::good);
    EXPECT_EQ(battery.update(settings.battery_warn), BatteryState::warn);
    EXPECT_EQ(battery.update(0.201), BatteryState::warn);
    EXPECT_EQ(battery.update(settings.battery_dock), BatteryState::dock);
    EXPECT_EQ(battery.update(0.051), BatteryState::dock);
    EXPECT_EQ(battery.update(settings.battery_critical), BatteryState::critical);
}

TEST_F(BatteryWatchTest, LeavesALevelOnlyAboveItsHysteresis) {
    EXPECT_EQ(battery.update(0.04), BatteryState::critical);
    EXPECT_EQ(battery.update(0.0799), BatteryState::critical);
    EXPECT_EQ(battery.update(0.0801), BatteryState::dock);
    EXPECT_EQ(battery.update(0.2299), BatteryState::dock);
    EXPECT_EQ(battery.update(0.2301), BatteryState::warn);
    EXPECT_EQ(battery.update(0.3299), BatteryState::warn);
    EXPECT_EQ(battery.update(0.3301), BatteryState::good);
}

}  // namespace
}  // namespace caribou::motion
