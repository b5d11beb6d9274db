// What ends the connection to a driver, and with which reason.

#include "driver/session.hpp"

#include <cmath>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driver/driver_rig.hpp"

namespace caribou::driver {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

class DriverSessionTest : public testing::Test, public DriverRig {
protected:
    void greet_and_poll() {
        greet();
        session.poll(clock().now());
        ASSERT_THAT(session.fault(), IsEmpty());
    }
    void poll() { session.poll(clock().now()); }
    void send_and_poll(const DriverMessage& message) {
        send(message);
        poll();
    }
    /// Returns the fault after a good greeting and the given state.
    std::string fault_after(const std::function<void(State&)>& change) {
        greet_and_poll();
        loop.advance(20ms);
        State bad = state();
        change(bad);
        send_and_poll(bad);
        EXPECT_TRUE(line->robot_ended) << "which orders the driver to stop";
        return session.fault();
    }
    std::string fault_of(const std::function<void(Hello&)>& change) {
        Hello bad = hello();
        change(bad);
        send_and_poll(bad);
        return session.fault();
    }

    std::unique_ptr<DriverLine> end = inlet.take();
    DriverSession session{*end, loop.clock().now()};
};

TEST_F(DriverSessionTest, TakesHelloStateScanAndSights) {
    greet_and_poll();
    EXPECT_EQ(session.hello(), hello());
    EXPECT_EQ(session.state(), state());
    send(Scan{.first_angle = 0, .angle_step = 0.1, .ranges = {1, 2}});
    send_and_poll(
        Sights{.valid = true, .cubes = {{{1, 0, 0}, "blue"}}, .sees_dock = true, .dock = {2, 0, 0}});
    ASSERT_TRUE(session.scan());
    EXPECT_EQ(session.scan()->ranges.size(), 2U);
    ASSERT_TRUE(session.sights());
    EXPECT_EQ(session.sights()->dock->x, 2);
    EXPECT_EQ(session.sights()->cubes.at(0), (motion::SeenCube{{1, 0, 0}, "blue"}));
    send(Scan{});
    send_and_poll(Sights{});
    EXPECT_FALSE(session.scan()) << "the lidar is off";
    EXPECT_FALSE(session.sights());
    EXPECT_THAT(session.fault(), IsEmpty());
}

TEST_F(DriverSessionTest, SendsOrdersWithIncreasingNumbers) {
    greet_and_poll();
    session.order({.right = 0.2, .left = 0.1}, true, clock().now());
    session.order({.right = 0.2, .left = 0.1}, false, clock().now());
    const auto sent = received();
    ASSERT_EQ(sent.size(), 2U);
    EXPECT_EQ(std::get<Order>(sent[0]), (Order{.seq = 1, .enabled = true, .left = 0.1, .right = 0.2}));
    EXPECT_EQ(std::get<Order>(sent[1]), (Order{.seq = 2, .enabled = false, .left = 0, .right = 0}));
}

TEST_F(DriverSessionTest, EndsWhenTheDriverIsSilent) {
    greet_and_poll();
    loop.advance(60ms);
    poll();
    EXPECT_FALSE(session.is_silent(clock().now()));
    loop.advance(1ms);
    poll();
    EXPECT_TRUE(session.is_silent(clock().now())) << "three periods";
    EXPECT_THAT(session.fault(), IsEmpty()) << "it may only be late";
    send_and_poll(state());
    EXPECT_FALSE(session.is_silent(clock().now()));
    loop.advance(201ms);
    poll();
    EXPECT_THAT(session.fault(), HasSubstr("silent for more than 200ms"));
    EXPECT_TRUE(line->robot_ended);
}

TEST_F(DriverSessionTest, EndsWhenTheDriverDies) {
    greet_and_poll();
    line->driver_closed = true;
    poll();
    EXPECT_THAT(session.fault(), HasSubstr("closed the connection"));
}

TEST_F(DriverSessionTest, ReportsTheErrorThatTheDriverLoggedBeforeItClosed) {
    send(LogLine{.level = LogLine::ERROR, .text = "no robot of that name"});
    line->driver_closed = true;
    poll();
    EXPECT_EQ(session.fault(), "the driver closed the connection: no robot of that name");
}

TEST_F(DriverSessionTest, EndsWithoutAHelloInTime) {
    loop.advance(5s);
    poll();
    EXPECT_THAT(session.fault(), IsEmpty());
    loop.advance(1ns);
    poll();
    EXPECT_THAT(session.fault(), HasSubstr("no hello within 5s"));
}

TEST_F(DriverSessionTest, EndsOnHalfAFrameThatIsNotCompleted) {
    greet_and_poll();
    const Bytes frame = frame_of(state());
    append(line->to_robot, ByteView(frame).first(20));
    poll();
    EXPECT_THAT(session.fault(), IsEmpty()) << "the rest may follow";
    loop.advance(201ms);
    poll();
    EXPECT_THAT(session.fault(), HasSubstr("silent"));
}

TEST_F(DriverSessionTest, EndsOnABadFrame) {
    greet_and_poll();
    append(line->to_robot, Bytes(64, std::byte{0xff}));
    poll();
    EXPECT_THAT(session.fault(), HasSubstr("a bad frame: limit frame reached"));
}

TEST_F(DriverSessionTest, EndsOnAFloodOfFrames) {
    greet_and_poll();
    for (std::size_t i = 0; i <= DriverLimits::frames_per_second; ++i) send(LogLine{});
    poll();
    poll();
    EXPECT_THAT(session.fault(), HasSubstr("a flood"));
}

TEST_F(DriverSessionTest, ReadsALimitedNumberOfBytesAtOnce) {
    greet_and_poll();
    line->to_robot.resize(1_MiB);
    poll();
    EXPECT_GT(line->to_robot.size(), 900_KiB) << "the caller is not held up";
}

TEST_F(DriverSessionTest, EndsOnAFloodOfBytes) {
    greet_and_poll();
    for (int i = 0; i < 1000; ++i) {
        send(Scan{.angle_step = 0.001, .ranges = std::vector<float>(4096, 1.0F)});
        poll();
    }
    EXPECT_THAT(session.fault(), HasSubstr("a flood"));
}

TEST_F(DriverSessionTest, EndsWhenTheDriverDoesNotRead) {
    greet_and_poll();
    line->room = 10;
    session.order({}, true, clock().now());
    EXPECT_THAT(session.fault(), HasSubstr("its socket is full"));
}

TEST_F(DriverSessionTest, EndsWhenOrdersAreNotCarriedOut) {
    greet_and_poll();
    session.order({.right = 0.1, .left = 0.1}, true, clock().now());
    for (int i = 0; i < 11; ++i) {
        loop.advance(20ms);
        send_and_poll(state());
    }
    EXPECT_THAT(session.fault(), HasSubstr("does not carry out orders: 1 waits"));
}

TEST_F(DriverSessionTest, ConfirmsRestOnceTheDriverHasAcknowledgedIt) {
    greet_and_poll();
    EXPECT_TRUE(session.confirms_rest()) << "it was never ordered to move";
    session.order({.right = 0.1, .left = 0.1}, true, clock().now());
    EXPECT_FALSE(session.confirms_rest());
    session.order({}, true, clock().now());
    EXPECT_FALSE(session.confirms_rest()) << "the order to move may still be carried out";
    seq = 1;
    send_and_poll(state());
    EXPECT_FALSE(session.confirms_rest());
    seq = 2;
    send_and_poll(state());
    EXPECT_TRUE(session.confirms_rest());
    session.order({}, true, clock().now());
    EXPECT_TRUE(session.confirms_rest()) << "it rests, whether it carries out this one or not";
    session.order({.right = 0.1, .left = 0.1}, true, clock().now());
    session.close("the motors were cut");
    EXPECT_FALSE(session.confirms_rest());
}

TEST_F(DriverSessionTest, EndsOnAnAcknowledgmentOfAnOrderThatWasNotSent) {
    EXPECT_THAT(fault_after([](State& state) { state.seq = 1; }), HasSubstr("acknowledges order 1"));
}

TEST_F(DriverSessionTest, EndsOnAnAcknowledgmentThatGoesBack) {
    greet_and_poll();
    session.order({}, true, clock().now());
    session.order({}, true, clock().now());
    seq = 2;
    send_and_poll(state());
    EXPECT_THAT(session.fault(), IsEmpty());
    seq = 1;
    send_and_poll(state());
    EXPECT_THAT(session.fault(), HasSubstr("expected one from 2 to 2"));
}

TEST_F(DriverSessionTest, EndsWhenTheDriverDrivesFasterThanOrdered) {
    greet_and_poll();
    session.order({.right = 0.2, .left = 0.2}, true, clock().now());
    seq = 1;
    State good = state();
    good.ordered_left = 0.1;
    good.ordered_right = 0.2;
    send_and_poll(good);
    EXPECT_THAT(session.fault(), IsEmpty()) << "less is allowed";
    session.order({}, false, clock().now());
    seq = 2;
    send_and_poll([&] {
        State bad = state();
        bad.ordered_right = 0.2;
        return bad;
    }());
    EXPECT_THAT(session.fault(), HasSubstr("although order 2 is 0.000"));
}

TEST_F(DriverSessionTest, EndsWhenTheDriverDrivesTheOtherWay) {
    greet_and_poll();
    session.order({.right = 0.2, .left = 0.2}, true, clock().now());
    seq = 1;
    State bad = state();
    bad.ordered_left = -0.1;
    send_and_poll(bad);
    EXPECT_THAT(session.fault(), HasSubstr("although order 1 is 0.200"));
}

TEST_F(DriverSessionTest, EndsOnNumbersThatAreNone) {
    EXPECT_THAT(fault_after([](State& state) { state.level = not_a_number; }), HasSubstr("level is nan"));
}
TEST_F(DriverSessionTest, EndsOnAnOrderedSpeedThatIsNotANumber) {
    EXPECT_THAT(fault_after([](State& state) { state.ordered_left = not_a_number; }),
                HasSubstr("ordered_left is nan"));
}
TEST_F(DriverSessionTest, EndsOnAbsurdValues) {
    EXPECT_THAT(fault_after([](State& state) { state.volts = 1e9; }), HasSubstr("volts is 1000000000"));
}
TEST_F(DriverSessionTest, EndsOnNegativeRanges) {
    EXPECT_THAT(fault_after([](State& state) { state.ranges = {-1}; }), HasSubstr("a range is below zero"));
}
TEST_F(DriverSessionTest, EndsOnEncodersThatJump) {
    EXPECT_THAT(fault_after([](State& state) { state.left_ticks = 10'000; }),
                HasSubstr("left encoder jumped by 5.00 m"));
}
TEST_F(DriverSessionTest, EndsOnAClockThatGoesBack) {
    loop.advance(1s);
    greet_and_poll();
    State early = state();
    --early.time_us;
    send_and_poll(early);
    EXPECT_THAT(session.fault(), HasSubstr("clock went back"));
}
TEST_F(DriverSessionTest, EndsOnTooFewSwitches) {
    EXPECT_THAT(fault_after([](State& state) { state.switches.clear(); }),
                HasSubstr("0 switches; expected 3"));
}
TEST_F(DriverSessionTest, EndsOnAnotherNumberOfRanges) {
    EXPECT_THAT(fault_after([](State& state) { state.ranges.push_back(1); }),
                HasSubstr("2 ranges; expected 1"));
}
TEST_F(DriverSessionTest, EndsOnAnUnknownValueOfASwitch) {
    EXPECT_THAT(fault_after([](State& state) { state.switches[0] = 3; }), HasSubstr("a switch is neither"));
}

TEST_F(DriverSessionTest, EndsOnAStateBeforeTheHello) {
    send_and_poll(state());
    EXPECT_THAT(session.fault(), HasSubstr("first frame is not a hello"));
}
TEST_F(DriverSessionTest, EndsOnASecondHello) {
    greet_and_poll();
    send_and_poll(hello());
    EXPECT_THAT(session.fault(), HasSubstr("a second hello"));
}
TEST_F(DriverSessionTest, EndsOnAFrameOfARobot) {
    greet_and_poll();
    send_and_poll(Order{});
    EXPECT_THAT(session.fault(), HasSubstr("only a robot sends"));
}

TEST_F(DriverSessionTest, RefusesAnotherVersion) {
    EXPECT_THAT(fault_of([](Hello& hello) { hello.version = 2; }),
                HasSubstr("version 2 of the driver protocol; expected version 1"));
}
TEST_F(DriverSessionTest, RefusesMeasuresThatCannotBe) {
    EXPECT_THAT(fault_of([](Hello& hello) { hello.wheel_base = 0; }), HasSubstr("wheel_base is 0"));
}
TEST_F(DriverSessionTest, RefusesAPeriodThatIsTooLong) {
    EXPECT_THAT(fault_of([](Hello& hello) { hello.period_ms = 101; }), HasSubstr("period_ms is 101"));
}
TEST_F(DriverSessionTest, RefusesSensorsOfTheSameName) {
    EXPECT_THAT(fault_of([](Hello& hello) { hello.sensors[1].name = hello.sensors[0].name; }),
                HasSubstr("two sensors are called `encoder_right`"));
}
TEST_F(DriverSessionTest, RefusesAnUnknownKindOfSensor) {
    EXPECT_THAT(fault_of([](Hello& hello) { hello.sensors[1].kind = 11; }), HasSubstr("unknown kind 11"));
}
TEST_F(DriverSessionTest, RefusesTwoLidars) {
    EXPECT_THAT(fault_of([](Hello& hello) { hello.sensors[8].kind = Sensor::LIDAR; }),
                HasSubstr("more than one sensor of kind lidar"));
}

}  // namespace
}  // namespace caribou::driver
