#include "devices/create2_base.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "devices/simulated_create2.hpp"

namespace caribou::devices {
namespace {

using namespace std::chrono_literals;
using create2::Mode;

/// Connects the base with a simulated robot, in steps of 5 ms.
class Create2Rig : public DevicePort {
public:
    void write(ByteView bytes) override {
        append(written, bytes);
        robot.on_bytes(bytes);
    }
    void set_lines(bool, bool rts) override {
        if (rts) robot.pulse();
    }
    void set_baud(int) override {}
    void discard_input() override {}

    void run(Duration time) {
        for (const Instant end = now + time; now < end;) {
            now += 5ms;
            if (const Bytes sent = robot.advance(5ms); !sent.empty() && is_connected)
                base.on_bytes(sent, now);
            base.tick(now);
            if (drives) base.drive(*drives);
        }
    }
    bool reads(const std::string& sensor) const {
        const auto reading = base.read(index_of(sensor));
        return std::get<bool>(reading);
    }
    std::size_t index_of(const std::string& sensor) const {
        const auto& sensors = base.plan().sensors;
        return static_cast<std::size_t>(std::ranges::find(sensors, sensor, &motion::SensorPlan::name) -
                                        sensors.begin());
    }
    template <class T>
    T reading(const std::string& sensor) const {
        return std::get<T>(base.read(index_of(sensor)));
    }
    void start() {
        base.begin(now);
        run(300ms);
        ASSERT_TRUE(base.is_ready());
    }

    SimulatedCreate2 robot;
    MemoryLog log;
    Instant now{};
    bool is_connected = true;
    std::optional<motion::WheelSpeeds> drives;
    Bytes written;
    Create2Base base{*this, log};
};

class Create2BaseTest : public testing::Test, public Create2Rig {};

TEST_F(Create2BaseTest, StaysPassiveSoThatItChargesUntilTheMotorsAreEnabled) {
    start();
    EXPECT_EQ(robot.mode(), Mode::passive);
    base.enable(true);
    run(200ms);
    EXPECT_EQ(robot.mode(), Mode::safe);
    base.enable(false);
    EXPECT_EQ(robot.mode(), Mode::passive);
}

TEST_F(Create2BaseTest, DrivesAndCountsTheWay) {
    start();
    base.enable(true);
    run(200ms);
    drives = {.right = 0.2, .left = -0.1};
    run(1s);
    EXPECT_DOUBLE_EQ(robot.right_speed(), 0.2);
    EXPECT_DOUBLE_EQ(robot.left_speed(), -0.1);
    const double tick = base.plan().metres_per_tick;
    EXPECT_NEAR(static_cast<double>(reading<std::int64_t>("encoder_right")) * tick, 0.2, 0.01);
    EXPECT_NEAR(static_cast<double>(reading<std::int64_t>("encoder_left")) * tick, -0.1, 0.01);
    drives = motion::WheelSpeeds{};
    run(10ms);
    EXPECT_FALSE(robot.moves());
}

TEST_F(Create2BaseTest, OrdersNeverMoreThanItIsTold) {
    start();
    base.enable(true);
    run(200ms);
    base.drive({.right = 0.2999, .left = -7});
    EXPECT_DOUBLE_EQ(robot.right_speed(), 0.299);
    EXPECT_DOUBLE_EQ(robot.left_speed(), -0.5);
}

TEST_F(Create2BaseTest, ReportsWhatItsSensorsSee) {
    start();
    robot.bumps = 2;
    robot.cliffs = {0, 0, 1, 0};
    run(50ms);
    EXPECT_TRUE(reads("bumper_left"));
    EXPECT_FALSE(reads("bumper_right"));
    EXPECT_TRUE(reads("cliff_front_right"));
    EXPECT_FALSE(reads("cliff_left"));
    const auto battery = reading<motion::BatteryReading>("battery");
    EXPECT_NEAR(battery.level, 2000.0 / 2696.0, 1e-9);
    EXPECT_DOUBLE_EQ(battery.volts, 15.0);
    EXPECT_DOUBLE_EQ(battery.amperes, -0.4);
    EXPECT_FALSE(reading<motion::ChargerReading>("charger").contact);
}

TEST_F(Create2BaseTest, OrdersRestWhileAWheelHangsAndGoesOnAfterwards) {
    start();
    base.enable(true);
    run(200ms);
    drives = {.right = 0.2, .left = 0.2};
    run(100ms);
    robot.bumps = 8;
    run(100ms);
    EXPECT_FALSE(robot.moves());
    EXPECT_TRUE(reads("wheel_drop_front") && reads("wheel_drop_rear"));
    robot.bumps = 0;
    run(300ms);
    EXPECT_EQ(robot.mode(), Mode::safe);
    EXPECT_TRUE(robot.moves());
}

TEST_F(Create2BaseTest, BacksAwayFromACliffAtWhichTheRobotHasStoppedItself) {
    start();
    base.enable(true);
    run(200ms);
    drives = {.right = 0.2, .left = 0.2};
    run(100ms);
    robot.cliffs = {1, 0, 0, 0};
    run(10ms);
    EXPECT_EQ(robot.mode(), Mode::passive) << "by itself";
    drives = {.right = -0.1, .left = -0.1};
    run(300ms);
    EXPECT_LT(robot.right_speed(), 0);
}

TEST_F(Create2BaseTest, ChargesAtRestOnTheDockAndLeavesItInFullMode) {
    robot.charging_sources = 2;
    robot.charging_state = 2;
    robot.current = 900;
    start();
    base.enable(true);
    drives = motion::WheelSpeeds{};
    run(1s);
    EXPECT_EQ(robot.mode(), Mode::passive) << "it charges";
    const auto charger = reading<motion::ChargerReading>("charger");
    EXPECT_TRUE(charger.contact);
    EXPECT_DOUBLE_EQ(charger.amperes, 0.9);
    drives = {.right = -0.2, .left = -0.2};
    run(300ms);
    EXPECT_EQ(robot.mode(), Mode::full);
    EXPECT_LT(robot.right_speed(), 0);
    robot.charging_sources = 0;
    run(300ms);
    EXPECT_EQ(robot.mode(), Mode::full) << "it is not clear of the dock yet";
    run(1s);
    EXPECT_EQ(robot.mode(), Mode::safe);
    EXPECT_LT(robot.right_speed(), 0);
}

TEST_F(Create2BaseTest, WakesARobotThatSleeps) {
    robot.sleep();
    base.begin(now);
    run(3s);
    EXPECT_TRUE(base.is_ready());
    EXPECT_FALSE(robot.sleeps());
}

TEST_F(Create2BaseTest, IsLostWhenTheRobotFallsSilentAndReadyAgainAfterANewBeginning) {
    start();
    robot.reset();
    run(600ms);
    EXPECT_EQ(base.trouble(), "the Create 2 is silent for more than 500 ms");
    EXPECT_TRUE(std::holds_alternative<motion::NoReading>(base.read(0)));
}

TEST_F(Create2BaseTest, TakesNeitherTheBootTextNorAnotherStreamForReadings) {
    robot.on_bytes(create2::command(create2::Opcode::start));
    robot.on_bytes(create2::stream(std::array<std::uint8_t, 1>{7}));
    robot.reset();
    robot.on_bytes(create2::command(create2::Opcode::start));
    robot.on_bytes(create2::stream(std::array<std::uint8_t, 1>{7}));
    base.begin(now);
    run(90ms);
    EXPECT_FALSE(base.is_ready());
    run(100ms);
    EXPECT_TRUE(base.is_ready());
}

TEST_F(Create2BaseTest, UnderstandsRobotsThatReportEachModeOneTooHigh) {
    robot.mode_offset = 1;
    start();
    base.enable(true);
    run(200ms);
    EXPECT_EQ(robot.mode(), Mode::safe);
    drives = {.right = 0.1, .left = 0.1};
    run(100ms);
    EXPECT_TRUE(robot.moves());
}

TEST_F(Create2BaseTest, CountsNoStepThatTheWheelsCannotHaveMade) {
    start();
    const auto before = reading<std::int64_t>("encoder_left");
    robot.left_count += 9000;
    run(50ms);
    EXPECT_EQ(reading<std::int64_t>("encoder_left"), before);
    EXPECT_TRUE(log.mentions("has jumped"));
}

TEST_F(Create2BaseTest, LeavesTheRobotAtRestAndPassive) {
    start();
    base.enable(true);
    run(200ms);
    drives = {.right = 0.2, .left = 0.2};
    run(100ms);
    drives.reset();
    base.end();
    EXPECT_EQ(robot.mode(), Mode::passive);
    EXPECT_FALSE(robot.moves());
}

/// The guard writes the frame twice, wherever the driver was killed within what it wrote.
RC_GTEST_PROP(Create2StopFrame, StopsTheRobotWhereverTheDriverWasKilled, ()) {
    Create2Rig rig;
    rig.start();
    rig.base.enable(true);
    rig.run(200ms);
    rig.written.clear();
    rig.base.drive({.right = 0.4, .left = 0.1});
    rig.base.set_lights(motion::BodyLights::driven);
    rig.base.drive({.right = -0.3, .left = 0.5});
    append(rig.written, create2::stream(std::array<std::uint8_t, 17>{7, 9, 10, 11}));
    const Bytes written = rig.written;
    const auto cut = *rc::gen::inRange<std::size_t>(0, written.size() + 1);
    SimulatedCreate2& robot = rig.robot;
    robot.on_bytes(std::span(written).first(cut));
    for (int i = 0; i < 2; ++i) robot.on_bytes(rig.base.stop_frame());
    RC_ASSERT(!robot.moves());
    RC_ASSERT(robot.mode() == Mode::passive);
}

}  // namespace
}  // namespace caribou::devices
