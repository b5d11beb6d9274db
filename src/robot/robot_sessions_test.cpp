// Sessions that end while main is stalled: nothing of them may act, or stay, when main goes on.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::Gt;
using testing::SizeIs;

TEST(RobotSessions, CommandNothingOnceTheyAreGone) {
    RobotRig rig;
    rig.start_connected();
    rig.main_strand.stall();
    const std::uint64_t drive = rig.station.send("105 level=3");
    const std::uint64_t sleep = rig.station.send("setRM(2)");
    rig.loop.advance(100ms);
    rig.station.hang_up();
    rig.loop.advance(1s);
    rig.main_strand.go_on();
    for (int i = 0; i < 50; ++i) {
        rig.loop.advance(20ms);
        EXPECT_EQ(rig.body.driven, WheelSpeeds{});
    }
    EXPECT_EQ(rig.mode(), link::RunMode::rm3);
    EXPECT_THAT(rig.station.answers_to(drive), SizeIs(0));
    EXPECT_THAT(rig.station.answers_to(sleep), SizeIs(0));
}

TEST(RobotSessions, HoldNothingOnceTheyAreGone) {
    RobotRig rig;
    rig.start_connected();
    EXPECT_THAT(rig.tell("105 level=1"), ElementsAre("DONE"));
    rig.main_strand.stall();
    rig.station.send("105 level=1");
    rig.loop.advance(100ms);
    rig.station.hang_up();
    rig.loop.advance(1s);
    rig.main_strand.go_on();
    rig.loop.advance(100ms);
    EXPECT_FALSE(rig.robot->main().commands().lease().holder());

    PlayedStation next(rig.loop, rig.network, "next");
    next.dial(rig.robot->main().receive_port(), link::Role::drive);
    rig.loop.advance(100ms);
    const std::uint64_t id = next.send("105 level=1");
    rig.loop.advance(100ms);
    EXPECT_THAT(next.answers_to(id), ElementsAre("DONE"));
    EXPECT_NE(rig.body.driven, WheelSpeeds{});
}

TEST(RobotSessions, AreNoticedHoweverMuchWaitsForMain) {
    RobotRig rig;
    rig.start_connected();
    rig.main_strand.stall();
    for (std::size_t i = 0; i < 2 * RobotBuffers::most_notes; ++i) rig.station.send(link::Heartbeat{});
    rig.loop.advance(100ms);
    rig.station.hang_up();
    rig.loop.advance(100ms);
    rig.main_strand.go_on();
    rig.station.calls.clear();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.station.calls, SizeIs(Gt(0U)));  // it knows that it has no station
    rig.connect();
    EXPECT_THAT(rig.tell("105 level=1"), ElementsAre("DONE"));
}

}  // namespace
}  // namespace caribou::robot
