// Orders of a station as the robot drives and reports them: on separate processes of the program.

#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "field/field.hpp"
#include "field/operator.hpp"
#include "field/order_trace.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class DriveOrder : public testing::Test {
protected:
    void start(const std::string& config = "") {
        field.start_station();
        field.start_robot(config + "[body]\ntrace = \"" + trace.path() + "\"\n");
        person.emplace(field.station_at, field.token());
        ASSERT_TRUE(person->sees(is_driven, limit));
        ASSERT_EQ(person->answer("release_stop", limit), "DONE");
    }

    Field field;
    OrderTrace trace{(field.scratch / "orders").string()};
    std::optional<Operator> person;
};

TEST_F(DriveOrder, IsRefusedIfTheInnerWheelWouldBeTheFasterOne) {
    start();
    EXPECT_THAT(person->answer("turn_left level=0 inner_level=2", limit),
                HasSubstr("BAD_ARGUMENT: inner_level is 2, level is 0; expected an inner_level below level"));
    const auto sent = field.send({"turn_left", "level=0", "inner_level=2"});
    EXPECT_NE(sent.code, 0);
    EXPECT_THAT(sent.err, HasSubstr("expected an inner_level below level")) << sent.out;
    trace.take();
    EXPECT_EQ(trace.latest().at, Instant{}) << "it has moved";
}

TEST_F(DriveOrder, BackwardToTheLeftIsReportedAsState8AndIncreasesTheHeading) {
    start();
    const double heading = person->rover().motion->pose.heading;
    const auto state = [](const station::RobotPicture& rover) {
        return static_cast<int>(rover.motion->movement_state);
    };
    bool seen = false;
    for (int i = 0; i < 20 && !seen; ++i) {  // a key that is held
        EXPECT_EQ(person->answer("turn_left level=2 direction=backward ttl=2s", limit), "DONE");
        seen = person->sees([&](const auto& rover) { return state(rover) == 8; }, 1s);
    }
    EXPECT_TRUE(seen) << state(person->rover());
    EXPECT_TRUE(
        person->sees([&](const auto& rover) { return rover.motion->pose.heading > heading + 0.02; }, limit));
}

TEST_F(DriveOrder, DrivesAtAVelocityUntilItIsNotRenewed) {
    start();
    const double heading = person->rover().motion->pose.heading;
    bool seen = false;
    for (int i = 0; i < 20 && !seen; ++i) {
        EXPECT_EQ(person->answer("drive forward=0.15 turn=0.6 ttl=2s", limit), "DONE");
        seen = person->sees(
            [](const auto& rover) {
                return rover.motion->movement_class == data::MovementClass::turn_fw &&
                       rover.motion->right.speed > rover.motion->left.speed + 0.1;
            },
            1s);
    }
    EXPECT_TRUE(seen) << "0.22 and 0.08 m/s";
    EXPECT_TRUE(
        person->sees([&](const auto& rover) { return rover.motion->pose.heading > heading + 0.02; }, limit));
    EXPECT_TRUE(person->sees(
        [](const auto& rover) { return rover.motion->movement_class == data::MovementClass::halt; }, limit));
    EXPECT_THAT(person->answer("drive forward=fast", limit), HasSubstr("BAD_ARGUMENT: forward is `fast`"));
}

/// A station sends a heartbeat every second.
TEST_F(DriveOrder, IsPossibleWithAShorterLinkLostThanTheIntervalOfHeartbeats) {
    start("[safety]\nlink_lost = 0.5\n");
    EXPECT_FALSE(person->sees([](const auto& rover) { return !is_driven(rover); }, 10s))
        << person->rover().status.why << " " << run_mode_text(person->rover());
    EXPECT_EQ(person->answer("105 level=1", limit), "DONE");
    EXPECT_EQ(person->rover().status.life, 1U);
}

}  // namespace
}  // namespace caribou::tests
