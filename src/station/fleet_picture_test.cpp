#include "station/fleet_picture.hpp"

#include <gtest/gtest.h>

namespace caribou::station {
namespace {

data::Status status_in(data::StationMode mode, std::string why) {
    return {.mode = mode, .why = std::move(why), .since = 1000};
}

TEST(FleetPicture, ShowsWhyTheAutopilotHasEndedAsOfThePast) {
    using enum data::StationMode;
    EXPECT_EQ(reason_of_mode(status_in(run1, "autopilot: the battery is low"), 1090.4),
              "autopilot ended 90 s ago: the battery is low");
    EXPECT_EQ(reason_of_mode(status_in(run1, "ann has stopped the robot"), 1001),
              "autopilot ended 1 s ago: ann has stopped the robot");
    EXPECT_EQ(reason_of_mode(status_in(run1, ""), 1090), "");
    EXPECT_EQ(reason_of_mode(status_in(wait, "no heartbeat for 3 s"), 1090), "no heartbeat for 3 s");
}

}  // namespace
}  // namespace caribou::station
