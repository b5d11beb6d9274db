#include "driver/driver_body.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/driver_rig.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using motion::NoReading;
using motion::SensorReading;
using motion::WheelSpeeds;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class DriverBodyTest : public testing::Test, public DriverRig {
protected:
    /// One step of propulsion, and one period of the driver.
    void step(WheelSpeeds speeds) {
        driven->drive(speeds);
        turn();
    }
    SensorReading read(std::string_view name) {
        const auto& sensors = driven->plan().sensors;
        const auto found = std::ranges::find(sensors, name, &motion::SensorPlan::name);
        return driven->read(static_cast<std::size_t>(found - sensors.begin()));
    }
    void start_driving() {
        ASSERT_TRUE(driven->enable_motors(true));
        step({0.2, 0.2});
        ASSERT_TRUE(driven->motors_enabled());
        ASSERT_THAT(driven->absence(), IsEmpty());
    }
    /// The body is absent with this reason, has its motors off, and no reading.
    void expect_absent(std::string_view why) {
        EXPECT_THAT(driven->absence(), HasSubstr(why));
        EXPECT_FALSE(driven->motors_enabled());
        EXPECT_EQ(read("bumper_front"), SensorReading(NoReading{}));
        EXPECT_FALSE(driven->enable_motors(true));
    }

    std::unique_ptr<DriverBody> driven = body();
};

TEST_F(DriverBodyTest, HasThePlanOfTheHello) {
    EXPECT_EQ(driven->plan().sensors.size(), hello().sensors.size());
    EXPECT_EQ(driven->plan().sensors[2].name, "bumper_front");
    EXPECT_TRUE(driven->plan().sensors[2].required);
    EXPECT_EQ(driven->plan().wheel_base, 0.24);
    EXPECT_EQ(driven->hello().stop_frame, hello().stop_frame);
}

TEST_F(DriverBodyTest, DrivesOnlyWithItsMotorsEnabled) {
    step({0.2, 0.1});
    driven->drive({0.2, 0.1});
    EXPECT_EQ(carry_out().right, 0.0);
    start_driving();
    driven->drive({0.2, 0.1});
    const Order order = carry_out();
    EXPECT_EQ(order.right, 0.2);
    EXPECT_EQ(order.left, 0.1);
    ASSERT_TRUE(driven->enable_motors(false));
    EXPECT_FALSE(carry_out().enabled);
    EXPECT_FALSE(driven->motors_enabled());
}

TEST_F(DriverBodyTest, KnowsTheEmergencyStopOfADriverThatIsLateWithItsSecondState) {
    loop.advance(100ms);
    ASSERT_THAT(driven->absence(), HasSubstr("silent"));
    EXPECT_EQ(read("stop"), SensorReading(false)) << "no reading would latch a stop";
}

TEST_F(DriverBodyTest, ReadsTheSensorsOfTheLastState) {
    State state = this->state();
    state.switches = {State::SET, State::NO_READING, State::CLEAR};
    state.ranges = {std::numeric_limits<float>::infinity()};
    state.has_charger = true;
    state.contact = true;
    send(state);
    send(Scan{.first_angle = 0, .angle_step = 0.1, .ranges = {1, 2}});
    loop.advance(1ms);
    EXPECT_EQ(read("bumper_front"), SensorReading(true));
    EXPECT_EQ(read("cliff_front"), SensorReading(NoReading{}));
    EXPECT_EQ(read("stop"), SensorReading(false));
    EXPECT_EQ(read("range_front"), SensorReading(std::numeric_limits<double>::infinity()));
    EXPECT_EQ(std::get<motion::BatteryReading>(read("battery")).level, 0.8);
    EXPECT_TRUE(std::get<motion::ChargerReading>(read("charger")).contact);
    EXPECT_EQ(read("imu"), SensorReading(NoReading{}));
    EXPECT_EQ(std::get<std::shared_ptr<const motion::LidarScan>>(read("lidar"))->ranges.size(), 2U);
    EXPECT_EQ(read("eyes"), SensorReading(NoReading{}));
}

TEST_F(DriverBodyTest, IsAbsentWhileTheDriverIsSilentAndBackWhenItReports) {
    start_driving();
    loop.advance(61ms);
    EXPECT_THAT(driven->absence(), HasSubstr("silent for more than 60ms"));
    EXPECT_EQ(read("bumper_front"), SensorReading(NoReading{}));
    turn();
    EXPECT_THAT(driven->absence(), IsEmpty());
    loop.advance(201ms);
    expect_absent("silent for more than 200ms");
    turn();
    expect_absent("silent for more than 200ms");
    EXPECT_TRUE(line->robot_ended) << "only a restarted driver ends it";
}

TEST_F(DriverBodyTest, SendsFewOrdersHoweverOftenPropulsionStepsAndNeverDelaysRest) {
    start_driving();
    carry_out();
    std::size_t orders = 0;
    const auto count = [&] {
        for (const DriverMessage& message : received())
            if (std::holds_alternative<Order>(message)) ++orders;
    };
    for (int i = 0; i < 1000; ++i) driven->drive({0.2 + 1e-4 * i, 0.2});
    count();
    EXPECT_EQ(orders, DriverLimits::orders_per_window);
    driven->drive({});
    const Order rest = carry_out();
    EXPECT_NE(rest.seq, 0U);
    EXPECT_EQ(rest.right, 0.0);
    for (int i = 0; i < 1000; ++i) driven->drive({});
    count();
    EXPECT_EQ(orders, DriverLimits::orders_per_window);
    loop.advance(DriverLimits::order_window);
    for (int i = 0; i < 1000; ++i) driven->drive({});
    count();
    EXPECT_EQ(orders, DriverLimits::orders_per_window + 1) << "equal ones once per window";
    for (int i = 0; i < 10; ++i) driven->drive({0.1 + 0.01 * i, 0.2});
    carry_out();
    ASSERT_TRUE(driven->enable_motors(false));
    EXPECT_NE(carry_out().seq, 0U) << "switching off does not wait either";
    EXPECT_FALSE(driven->motors_enabled());
}

TEST_F(DriverBodyTest, IsAbsentWhenTheDriverDies) {
    start_driving();
    line->driver_closed = true;
    loop.advance(20ms);
    expect_absent("closed the connection");
    EXPECT_THAT(log.lines, Contains(HasSubstr("driver base: the driver closed the connection")));
}

TEST_F(DriverBodyTest, IsAbsentWhenTheDriverLies) {
    start_driving();
    State bad = state();
    bad.ordered_right = 0.5;
    send(bad);
    loop.advance(20ms);
    expect_absent("it drives 0.000 and 0.500 m/s");
    EXPECT_TRUE(line->robot_ended);
}

TEST_F(DriverBodyTest, IsAbsentWhenTheDriverDoesNotRead) {
    start_driving();
    line->room = 0;
    step({0.2, 0.2});
    expect_absent("its socket is full");
}

TEST_F(DriverBodyTest, KeepsTheEmergencyStopAsItWasWhileItIsAbsent) {
    EXPECT_EQ(read("stop"), SensorReading(false));
    line->driver_closed = true;
    loop.advance(20ms);
    EXPECT_THAT(driven->absence(), HasSubstr("closed"));
    EXPECT_EQ(read("stop"), SensorReading(false)) << "a restart is no emergency";
}

TEST_F(DriverBodyTest, DrivesAgainThroughARestartedDriver) {
    left_ticks = 40;
    start_driving();
    ASSERT_EQ(read("encoder_left"), SensorReading(std::int64_t{40}));
    step({0.2, 0.2});
    left_ticks = 60;
    turn();
    EXPECT_EQ(read("encoder_left"), SensorReading(std::int64_t{60}));
    driven->set_lights(motion::BodyLights::driven);
    ASSERT_TRUE(driven->set_power(9, false));
    line->driver_closed = true;
    loop.advance(20ms);
    expect_absent("closed the connection");
    connect();
    loop.advance(20ms);
    expect_absent("is being started");
    left_ticks = 5;
    greet();
    loop.advance(20ms);
    EXPECT_THAT(driven->absence(), IsEmpty());
    EXPECT_EQ(read("encoder_left"), SensorReading(std::int64_t{60})) << "goes on where it was";
    EXPECT_FALSE(driven->motors_enabled()) << "until propulsion enables them";
    const auto sent = received();
    EXPECT_THAT(sent, Contains(DriverMessage(Lights{Lights::DRIVEN})));
    EXPECT_THAT(sent, Contains(DriverMessage(Power{9, false})));
    start_driving();
}

TEST_F(DriverBodyTest, RefusesARestartedDriverWithAnotherBody) {
    line->driver_closed = true;
    loop.advance(20ms);
    connect();
    Hello other = hello();
    other.wheel_base = 0.3;
    send(other);
    send(state());
    loop.advance(20ms);
    expect_absent("its hello differs from the first one");
}

TEST_F(DriverBodyTest, CutsTheMotorsByEndingTheConnection) {
    start_driving();
    EXPECT_TRUE(driven->cut_motors());
    EXPECT_TRUE(line->robot_ended);
    expect_absent("the motors were cut");
    connect();
    greet();
    loop.advance(20ms);
    EXPECT_THAT(driven->absence(), IsEmpty());
    start_driving();
}

TEST_F(DriverBodyTest, DoesNotConfirmACutWhileTheDriverKeepsItsEndOpen) {
    start_driving();
    line->closes_when_ended = false;
    const auto cut = driven->cut_motors();
    ASSERT_FALSE(cut);
    EXPECT_THAT(cut.error().message, HasSubstr("has not closed its connection within 100ms"));
    line->driver_closed = true;
    EXPECT_TRUE(driven->cut_motors()) << "the watchdog repeats it";
}

TEST_F(DriverBodyTest, ReportsTheMotorFaultOfTheDriver) {
    EXPECT_THAT(driven->motor_fault(), IsEmpty());
    State bad = state();
    bad.motor_fault = "over-current";
    send(bad);
    loop.advance(1ms);
    EXPECT_EQ(driven->motor_fault(), "over-current");
}

TEST_F(DriverBodyTest, ChecksItselfWithoutMoving) {
    turn();
    auto checks = driven->self_check();
    EXPECT_EQ(checks.front().part, "motors");
    EXPECT_TRUE(checks.front().outcome);
    line->driver_closed = true;
    loop.advance(20ms);
    EXPECT_FALSE(driven->self_check().front().outcome);
}

TEST_F(DriverBodyTest, PassesItsChecksWhileTheDriverIsSilentForAMoment) {
    turn();
    EXPECT_THAT(driven->absence(), IsEmpty());
    loop.advance(80ms);
    EXPECT_THAT(driven->absence(), HasSubstr("is silent for more than 60ms"));
    for (const motion::PartCheck& part : driven->self_check())
        EXPECT_TRUE(part.outcome || !part.required) << part.part;
    loop.advance(200ms);
    EXPECT_FALSE(driven->self_check().front().outcome) << "it was disconnected";
}

TEST_F(DriverBodyTest, PassesTheLogOfTheDriverOn) {
    send(LogLine{.level = LogLine::WARNING, .text = "low voltage"});
    loop.advance(1ms);
    EXPECT_THAT(driven->absence(), IsEmpty());
    EXPECT_THAT(log.lines, Contains("driver base: low voltage"));
}

TEST_F(DriverBodyTest, LogsAFloodOfLinesAsTheirNumber) {
    const auto lines = [&] {
        return std::ranges::count_if(log.lines, [](const auto& each) { return each.contains("again"); });
    };
    for (int i = 0; i < 100; ++i) {
        for (int j = 0; j < 10; ++j) send(LogLine{.level = LogLine::INFO, .text = "again"});
        turn();  // 20 ms
        EXPECT_THAT(driven->absence(), IsEmpty());
    }
    const auto limit = static_cast<std::ptrdiff_t>(DriverLimits::log_lines_per_second);
    EXPECT_GE(lines(), limit);
    EXPECT_LE(lines(), 3 * limit) << "of 1,000 in 2 s";
    loop.advance(1s);
    driven->absence();
    EXPECT_THAT(log.lines, Contains(HasSubstr(" lines were dropped; it logs more than 10 per second")));
}

TEST_F(DriverBodyTest, SaysGoodbye) {
    driven.reset();
    EXPECT_THAT(received(), Contains(DriverMessage(Bye{"the robot ends"})));
    EXPECT_TRUE(line->robot_ended);
}

TEST(DriverGreeting, WaitsForTheFirstScanButNotForever) {
    DriverRig rig;
    auto greeting = rig.greeting();
    rig.send(rig.hello());
    rig.send(rig.state());
    EXPECT_FALSE(greeting.poll().value());
    rig.send(Scan{.first_angle = 0, .angle_step = 0.1, .ranges = {1, 2}});
    EXPECT_FALSE(greeting.poll().value());
    rig.send(Sights{.valid = true, .cubes = {}, .sees_dock = false, .dock = {}});
    EXPECT_TRUE(greeting.poll().value());

    DriverRig without;
    auto other = without.greeting();
    without.send(without.hello());
    without.send(without.state());
    EXPECT_FALSE(other.poll().value());
    for (Duration waited{}; waited < DriverBody::Greeting::first_readings; waited += 20ms) {
        EXPECT_FALSE(other.poll().value());
        without.turn();
    }
    EXPECT_TRUE(other.poll().value());
}

TEST(DriverGreeting, ReportsADriverThatEndsBeforeItsHello) {
    DriverRig rig;
    auto greeting = rig.greeting();
    EXPECT_FALSE(greeting.poll().value());
    rig.line->driver_closed = true;
    const auto end = greeting.poll();
    ASSERT_FALSE(end);
    EXPECT_THAT(end.error().message, HasSubstr("closed the connection"));
}

}  // namespace
}  // namespace caribou::driver
