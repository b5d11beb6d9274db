// The age of commands, measured by heartbeats.

#include "robot/link_session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::StartsWith;

/// A station that answers the heartbeats of the robot as a real one does.
class CommandAge : public testing::Test {
protected:
    CommandAge() {
        rig.station.fall_silent();  // its own heartbeats state no time
        rig.start_connected();
    }
    double now() const { return rig.loop.clock().boot_seconds(); }
    /// Sends a heartbeat with an echo. The station's clock is `ahead` of the robot's.
    void beat() {
        const double echo =
            rig.station.last_heartbeat.sent +
            (compensates ? to_seconds(rig.loop.clock().now() - rig.station.last_heartbeat_at) : 0);
        rig.station.send(link::Heartbeat{++number, now() + ahead, echo});
        rig.loop.run_ready();
    }
    /// Sends a command that was given some time ago, as a station of this version does.
    std::vector<std::string> tell(std::string_view command, Duration age) {
        rig.station.send(link::Heartbeat{++number, now() + ahead - to_seconds(age), 0});
        return rig.tell(command);
    }

    RobotRig rig;
    double ahead = 4000;
    bool compensates = true;
    std::uint64_t number = 0;
};

TEST_F(CommandAge, IsMeasuredFromTheTimeThatTheStationStates) {
    beat();
    EXPECT_THAT(tell("105 level=1", 0s), ElementsAre("DONE"));
    EXPECT_THAT(tell("105 level=1", 400ms), ElementsAre("DONE"));
    EXPECT_THAT(tell("105 level=1", 600ms),
                ElementsAre("EXPIRED: it is 0.6 s old; at most 0.5 s are allowed"));
    EXPECT_THAT(tell("105 level=1 ttl=2s", 1900ms), ElementsAre("DONE"));
    EXPECT_THAT(tell("105 level=1 ttl=2s", 2100ms), ElementsAre(StartsWith("EXPIRED")));
    EXPECT_THAT(tell("move movement=HALT", 60s), ElementsAre("DONE"));
    EXPECT_THAT(tell("full_stop", 60s), ElementsAre(StartsWith("DONE")));
}

TEST_F(CommandAge, IsKnownAtTheFirstCommand) {
    EXPECT_EQ(rig.station.heartbeats, 1U) << "the robot sends one right after the welcome";
    beat();
    EXPECT_THAT(tell("105 level=1", 600ms), ElementsAre(StartsWith("EXPIRED")));
}

TEST_F(CommandAge, DoesNotDependOnTheTimeOfDay) {
    beat();
    for (const Duration step : {Duration(-1h), Duration(3h)}) {
        rig.loop.step_wall(step);
        EXPECT_THAT(tell("105 level=1", 300ms), ElementsAre("DONE"));
        EXPECT_THAT(tell("105 level=1", 600ms), ElementsAre(StartsWith("EXPIRED")));
    }
}

TEST_F(CommandAge, OfOtherCommandsIsLimited) {
    beat();
    EXPECT_THAT(tell("ping", 400ms), ElementsAre("DONE"));
    EXPECT_THAT(tell("ping", 600ms), ElementsAre("EXPIRED: it is 0.6 s old; at most 0.5 s are allowed"));
}

TEST_F(CommandAge, IsThatOfTheCommandAlthoughAFullStopOvertakesIt) {
    beat();
    rig.station.send(link::Heartbeat{++number, now() + ahead - 0.6, 0});
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("ping"), ElementsAre(StartsWith("EXPIRED")));
}

TEST_F(CommandAge, WithoutAStatedTimeCountsFromTheLastHeartbeat) {
    beat();
    EXPECT_THAT(tell("105 level=1 ttl=2s", 1900ms), ElementsAre("DONE"));
    EXPECT_THAT(rig.tell("ping"), ElementsAre("DONE")) << "not from the time of that movement";
    rig.loop.advance(700ms);
    EXPECT_THAT(rig.tell("ping"), ElementsAre(StartsWith("EXPIRED: it is 0.")));
    beat();
    EXPECT_THAT(rig.tell("ping"), ElementsAre("DONE"));
}

TEST_F(CommandAge, IsALowerBoundForStationsOfEarlierVersions) {
    ahead = 1.8e9;  // the time of day
    compensates = false;
    rig.loop.advance(900ms);
    beat();
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.tell("105 level=1"), ElementsAre("DONE")) << "although the round trip took a second";
    rig.loop.advance(2s);
    EXPECT_THAT(rig.tell("105 level=1"), ElementsAre(StartsWith("EXPIRED")));
}

TEST_F(CommandAge, IsNotCheckedForPeersThatStateNoTime) {
    PlayedStation peer(rig.loop, rig.network, "peer");
    peer.dial(rig.robot->main().receive_port(), link::Role::drive, false);
    rig.loop.advance(2s);
    const std::uint64_t id = peer.send("ping");
    rig.loop.advance(100ms);
    EXPECT_THAT(peer.answers_to(id), ElementsAre("DONE"));
}

}  // namespace
}  // namespace caribou::robot
