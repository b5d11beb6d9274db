// Routes: how they are interrupted, resumed and ended, on separate processes of the program.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "field/robot_in_room.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using data::RouteState;
using testing::HasSubstr;
using testing::IsEmpty;

class RouteOfARobot : public RobotInRoom {
protected:
    std::string answer_to_route(const std::string& action, const std::string& points = "[]") {
        return answer_to(person->send_route(action, points));
    }
    /// Lets the robot go back and forth.
    void drive_route() {
        ASSERT_EQ(answer_to_route("load", "[[0.8, 0.0], [0.0, 0.0]]"), "DONE");
        ASSERT_EQ(answer_to_route("start"), "DONE");
        ASSERT_TRUE(is_shown_as(RouteState::driving));
        ASSERT_TRUE(moves());
    }
    bool is_shown_as(RouteState state) {
        return person->sees([&](const auto& rover) { return rover.route && rover.route->state == state; },
                            limit);
    }
    std::string why() const { return person->rover().route ? person->rover().route->why : "no route"; }
};

TEST_F(RouteOfARobot, IsInterruptedByAKeyAndResumedByThePersonWhoDrove) {
    start(3);
    ASSERT_NO_FATAL_FAILURE(drive_route());
    for (int i = 0; i < 3; ++i) {
        // A key is held, and released.
        for (int press = 0; press < 5; ++press) EXPECT_EQ(person->answer("101 level=1", limit), "DONE") << i;
        ASSERT_TRUE(is_shown_as(RouteState::paused)) << i;
        EXPECT_THAT(why(), HasSubstr("operator")) << "it names the driver";
        EXPECT_EQ(person->answer("move movement=HALT", limit), "DONE");
        EXPECT_TRUE(person->sees([&](const auto&) { return trace.take(), !trace.latest().moves; }, limit));
        EXPECT_EQ(answer_to_route("resume"), "DONE") << i;
        EXPECT_TRUE(is_shown_as(RouteState::driving)) << i;
        EXPECT_TRUE(moves()) << i;
    }
    const std::size_t point = person->rover().route->next;
    EXPECT_TRUE(person->sees([&](const auto& rover) { return rover.route->next != point; }, limit))
        << "it goes on to its points: " << why();
    EXPECT_EQ(answer_to_route("abort"), "DONE");
}

TEST_F(RouteOfARobot, DoesNotSurviveTheRobotsRestart) {
    start(3);
    ASSERT_NO_FATAL_FAILURE(drive_route());
    field.robot->signal(SIGKILL);
    ASSERT_TRUE(field.robot->wait(limit));
    trace.take();
    const std::size_t before = trace.orders().size();
    start_robot();
    ASSERT_TRUE(
        person->sees([](const auto& rover) { return rover.status.life == 2 && is_driven(rover); }, limit));
    ASSERT_TRUE(is_shown_as(RouteState::failed));
    EXPECT_THAT(why(), HasSubstr("was started again"));
    EXPECT_THAT(person->rover().route->points, IsEmpty());
    EXPECT_THAT(answer_to_route("resume"), HasSubstr("WRONG_MODE"));
    EXPECT_THAT(answer_to_route("start"), HasSubstr("UNAVAILABLE"));
    person->wait(1s);
    trace.take();
    EXPECT_EQ(trace.orders().size(), before) << "it has moved by itself";
    ASSERT_NO_FATAL_FAILURE(drive_route());
}

TEST_F(RouteOfARobot, EndsAtTheDockWhenTheBatteryIsLow) {
    // The station may break something in a simulated body.
    std::string key = field.text_of("of_robot/station.key");
    ASSERT_TRUE(key.contains("drive"));
    field.scratch.write("of_robot/station.key", key.replace(key.find("drive"), 5, "admin"));
    start(3, charger);
    ASSERT_NO_FATAL_FAILURE(drive_route());
    EXPECT_THAT(person->answer("faults line=\\\"break low_battery\\\"", limit), HasSubstr("DONE"));
    ASSERT_TRUE(is_in(link::RunMode::rm2)) << why();
    EXPECT_TRUE(person->sees(
        [](const auto& rover) { return rover.status.robot->waits_for == link::WaitReason::charging; }, limit))
        << why() << log();
    EXPECT_TRUE(person->sees(
        [](const auto& rover) {
            return rover.route->why == "the battery is low; dock: DONE: it is charging";
        },
        limit))
        << why();
    EXPECT_NE(person->rover().route->state, RouteState::driving);
    EXPECT_EQ(person->rover().status.mode, data::StationMode::run1);
    EXPECT_TRUE(person->rover().status.robot->battery.on_charger);
}

}  // namespace
}  // namespace caribou::tests
