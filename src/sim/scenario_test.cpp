#include "sim/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

TEST(Scenario, SaysWhatHappensWhen) {
    const auto scenario = read_scenario({"s.toml", R"(
robots = 2
hours = 0.5
trouble = 0
[[event]]
at = 20
what = "cut_link"
robot = 1
[[event]]
at = 10
what = "kill_station"
[[fault]]
at = 5
kind = "dead_sensor"
what = "lidar"
)"});
    ASSERT_TRUE(scenario) << to_string(scenario.error());
    EXPECT_EQ(scenario->robots, 2u);
    EXPECT_EQ(scenario->time, 30min);
    EXPECT_EQ(scenario->trouble, 0s);
    ASSERT_EQ(scenario->script.size(), 2u);
    EXPECT_EQ(scenario->script[0].what, "kill_station") << "in order of time";
    EXPECT_EQ(scenario->script[1].robot, 1u);
    EXPECT_EQ(scenario->faults.size(), 1u);
}

TEST(Scenario, TellsEverythingThatIsWrong) {
    const auto scenario = read_scenario({"s.toml", R"(
robts = 2
hours = -1
[[event]]
at = 1
what = "cut_lnk"
)"});
    ASSERT_FALSE(scenario);
    EXPECT_THAT(scenario.error(),
                ElementsAre(Field(&TextFault::message, HasSubstr("robots")), Field(&TextFault::line, 3),
                            Field(&TextFault::message, HasSubstr("did you mean `cut_link`?"))));
}

}  // namespace
}  // namespace caribou::sim
