#include "robot/activity.hpp"

#include <gtest/gtest.h>

namespace caribou::robot {
namespace {

TEST(Activity, StatesWhatTheRobotDoesAndWhy) {
    EXPECT_EQ(sentence_of({.behavior = "explore", .action = "explore", .distance = 2.4}),
              "Exploring: 3 m to a place that it has not seen.");
    EXPECT_EQ(sentence_of({.behavior = "go_to_dock",
                           .action = "dock",
                           .distance = 0.4,
                           .battery = "29 %",
                           .battery_low = true}),
              "Going to its dock, less than 1 m away: its battery is at 29 %.");
    EXPECT_EQ(sentence_of({.behavior = "come_home", .action = "dock", .distance = 5.5}),
              "Going to its dock, 6 m away: it was asked to.");
    EXPECT_EQ(sentence_of({.behavior = "approach", .action = "approach_cube", .distance = 1.5}),
              "Going to a cube, 2 m away: it wants to play.");
    EXPECT_EQ(sentence_of({.behavior = "spin", .behavior_class = "cube_spinner"}),
              "Playing with a cube: tap it when its first light glows.");
}

TEST(Activity, OfADockThatIsNotKnownIsASearch) {
    EXPECT_EQ(sentence_of({.behavior = "go_to_dock",
                           .action = "dock",
                           .distance = 2,
                           .battery = "20 %",
                           .battery_low = true,
                           .knows_dock = false}),
              "Searching for its dock: its battery is at 20 %.");
}

TEST(Activity, OfARestOnTheChargerIsCharging) {
    EXPECT_EQ(
        sentence_of({.behavior = "rest", .behavior_class = "idle", .battery = "64 %", .on_charger = true}),
        "Charging: the battery is at 64 %.");
}

TEST(Activity, NamesTheKeepOutZoneThatTheRobotIsIn) {
    EXPECT_EQ(sentence_of({.behavior = "explore", .action = "explore", .zone = "st", .leaves_zone = true}),
              "Driving out of the keep-out zone st.");
    EXPECT_EQ(sentence_of({.behavior = "explore", .action = "explore", .zone = "st"}),
              "Waiting: it is in the keep-out zone st. Drive it out, or forget the zone.");
}

TEST(Activity, OfALiftedRobotIsThePersonWhoHoldsIt) {
    EXPECT_EQ(sentence_of({.behavior = "explore", .action = "explore", .lifted = true}),
              "Waiting: a person holds it.");
}

TEST(Activity, OfAWaitIsAPause) {
    EXPECT_EQ(sentence_of({.behavior = "linger", .behavior_class = "act", .action = "wait"}),
              "Pausing before it goes on.");
}

TEST(Activity, OfABehaviorThatIsNotKnownIsItsName) {
    EXPECT_EQ(sentence_of({.behavior = "water_the_plants"}), "Water the plants.");
    EXPECT_EQ(sentence_of({.behavior = "water_the_plants", .because = "moisture < 20"}),
              "Water the plants: moisture < 20.");
    EXPECT_EQ(sentence_of({}), "");
}

TEST(Activity, OfAWayHasTheConditionOfItsBehavior) {
    EXPECT_EQ(sentence_of({.behavior = "first", .action = "go_to", .distance = 1.2}),
              "Going to a place, 2 m away: its tree names it.");
    EXPECT_EQ(sentence_of({.behavior = "first", .action = "go_to", .because = "rounds < 3", .distance = 1.2}),
              "Going to a place, 2 m away: rounds < 3.");
}

}  // namespace
}  // namespace caribou::robot
