// `caribou robot` on a Linux body whose device calls hang.

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/onlooker.hpp"
#include "pins/robot_on_pins.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* unguarded = "unguarded = true\n";

TEST_F(RobotOnPins, HasItsMotorsCutWhileAWriteOfTheDutyHangs) {
    ChildProcess program(words({.body = unguarded}), settings());
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->pwm_hangs, 1);
    ASSERT_TRUE(comes([&] { return hangs(); }));
    EXPECT_TRUE(comes([&] { return !is_enabled(); })) << "the call still hangs";
    const auto end = end_of(program);
    EXPECT_EQ(end.code, 10) << "RM0, although a thread hangs";
    EXPECT_FALSE(is_enabled());
    EXPECT_THAT(log(), AllOf(HasSubstr("the motors are cut"), HasSubstr("missed_deadlines")));
}

TEST_F(RobotOnPins, HasItsMotorsCutWhileAReadOfAnInputHangs) {
    ChildProcess program(words({.body = unguarded}), settings());
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->inputs_hang, 1);
    ASSERT_TRUE(comes([&] { return hangs(); }));
    EXPECT_TRUE(comes([&] { return !is_enabled(); })) << "the call still hangs";
    EXPECT_EQ(end_of(program).code, 10);
    EXPECT_FALSE(is_enabled());
}

TEST_F(RobotOnPins, ReportsThatACutIsNotConfirmed) {
    ChildProcess program(words({.body = unguarded}), settings());
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->stuck_line, enable_line);
    SharedPins::store(pins->pwm_hangs, 1);
    EXPECT_EQ(end_of(program).code, 10);
    EXPECT_THAT(log(), AllOf(HasSubstr("NOT confirmed"), HasSubstr("it reads back as high"),
                             HasSubstr("motors_not_cut"), Not(HasSubstr("the motors are cut"))));
}

TEST_F(RobotOnPins, ShowsItsMotionAsUnknownWhilePropulsionHangs) {
    ChildProcess program(
        words({.body = unguarded, .more = "[safety]\nstall_after = 1\n[web]\nlisten = \"127.0.0.1:0\"\n"}),
        settings());
    const std::string line = program.read_line(limit).value_or("");
    ASSERT_THAT(line, HasSubstr(" shows itself at http://"));
    std::string at = line.substr(line.find("//") + 2);
    at.pop_back();
    const std::string name = line.substr(0, line.find(' '));
    Onlooker onlooker(at);
    EXPECT_TRUE(
        onlooker.sees(name, [](const auto& robot) { return robot.motion && robot.motion->winner == "ai"; }));
    ASSERT_TRUE(comes([&] { return drives(); })) << log();
    SharedPins::store(pins->pwm_hangs, 1);
    EXPECT_TRUE(onlooker.sees(name, [](const auto& robot) {
        return robot.motion && robot.motion->reason == "motion_unknown" && robot.motion->winner.empty() &&
               robot.motion->movement_class == data::MovementClass::unknown &&
               std::isnan(robot.motion->right.speed);
    }));
    SharedPins::store(pins->pwm_hangs, 0);
}

}  // namespace
}  // namespace caribou::tests
