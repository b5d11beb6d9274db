#include "robot/fault_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

TEST(FaultNames, ComeWithSilentSensorsLast) {
    motion::BodyPlan plan;
    plan.sensors = {{.name = "battery"}, {.name = "bumper_left"}};
    EXPECT_THAT(faults::by_importance({"battery is silent", "bumper_left is silent", "propulsion is silent",
                                       "watchdog is silent"},
                                      plan),
                testing::ElementsAre("propulsion is silent", "watchdog is silent", "battery is silent",
                                     "bumper_left is silent"));
}

}  // namespace
}  // namespace caribou::robot
