// A robot with a thread that hangs, other than main.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/release_button.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class ThreadHangTest : public testing::Test {
protected:
    ThreadHangTest() {
        rig.start_connected();
        rig.loop.advance(1s);
        EXPECT_NE(rig.body.driven, motion::WheelSpeeds{}) << "it drives itself";
    }

    /// Releases the stop as a program on the robot itself does.
    std::string release_here(Duration ago = {}) {
        std::string told = "no answer";
        rig.robot->command(
            {.peer = {.name = "person", .role = link::Role::drive, .session = session, .needs_lease = false},
             .command = {.id = {++last_id}, .code = link::CommandCode::release_stop},
             .reply = [&told](const link::Answer& answer) { told = to_string(answer); },
             .given = rig.loop.clock().boot_seconds() - to_seconds(ago)});
        rig.loop.advance(200ms);
        return told;
    }

    RobotRig rig{"DefaultRunMode = 2"};
    std::uint64_t last_id = 0;
    std::uint64_t session = rig.buffers->open_session();
};

TEST_F(ThreadHangTest, OfStopsStopsTheRobotAndStoresThat) {
    rig.stops_strand.hang();
    rig.loop.advance(duty_limit - 200ms);
    EXPECT_FALSE(rig.propulsion->report().stop) << "it may only be busy";
    rig.loop.advance(600ms);
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::thread_silent);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::thread_silent);
    rig.loop.advance(2s);
    EXPECT_THAT(rig.station.telemetry.back().faults, Contains("stops is silent"));
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre(HasSubstr("the thread stops hangs")));
    rig.stops_strand.go_on();
    rig.loop.advance(2s);
    EXPECT_THAT(rig.station.telemetry.back().faults, Not(Contains("stops is silent")));
    EXPECT_TRUE(rig.propulsion->report().stop) << "it does not drive off by itself";
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre("DONE"));
    EXPECT_FALSE(rig.latch.kept.stop);
}

TEST_F(ThreadHangTest, OfPropulsionAndItsWatchdogRefusesARelease) {
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre("DONE: stopped until released"));
    rig.propulsion->stop();
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("release_stop"), ElementsAre(HasSubstr("still stopped: propulsion hangs")));
    EXPECT_THAT(release_here(), HasSubstr("still stopped: propulsion hangs"));
    EXPECT_TRUE(rig.latch.kept.stop) << "the next start is stopped, too";
}

TEST_F(ThreadHangTest, OfStopsLeavesNoFullStopWithoutItsOneAnswer) {
    rig.stops_strand.hang();
    const std::uint64_t stop = rig.station.send("full_stop");
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::station);
    EXPECT_THAT(rig.station.answers_to(stop), IsEmpty());
    rig.loop.advance(1s);
    EXPECT_THAT(rig.station.answers_to(stop), ElementsAre("DONE: stopped until released"));
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre("DONE: stopped until released")) << "at once";
    rig.stops_strand.go_on();
    rig.loop.advance(3s);
    EXPECT_THAT(rig.station.answers_to(stop), ElementsAre("DONE: stopped until released")) << "once";
}

TEST_F(ThreadHangTest, OfStopsReportsAStopThatIsNotStored) {
    rig.latch.is_full = true;
    rig.stops_strand.hang();
    rig.loop.advance(2s);
    EXPECT_THAT(rig.tell("full_stop"),
                ElementsAre("DONE: stopped until released; latch not stored: no space left on the disk"));
    EXPECT_TRUE(rig.log.mentions("latch not stored: no space left on the disk"));
}

/// The initial thread has no strand in a simulation; its signs of life begin and end here.
TEST_F(ThreadHangTest, OfTheInitialThreadStopsTheRobot) {
    rig.buffers->prove_alive(ThreadName::signals, rig.loop.clock().now());
    rig.loop.advance(2s);
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::thread_silent);
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::thread_silent);
    EXPECT_TRUE(rig.robot->main().is_silent(ThreadName::signals));
    rig.loop.advance(1s);
    EXPECT_THAT(rig.station.telemetry.back().faults, Contains("signals is silent"));
}

TEST_F(ThreadHangTest, OfTheReceiverStopsTheRobotUntilAPersonReleasesIt) {
    rig.receiver_strand.hang();
    rig.loop.advance(duty_limit - 200ms);
    EXPECT_FALSE(rig.propulsion->report().stop) << "it may only be busy";
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.propulsion->report().stop, motion::StopCause::receiver_silent);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_EQ(rig.latch.kept.stop, motion::StopCause::receiver_silent);
    EXPECT_THAT(release_here(), HasSubstr("the thread receiver hangs"));
    EXPECT_TRUE(rig.propulsion->report().stop);
    rig.receiver_strand.go_on();
    rig.loop.advance(2s);
    EXPECT_TRUE(rig.propulsion->report().stop) << "it does not drive off by itself";
    EXPECT_EQ(release_here(), "DONE");
}

TEST(ReceiverHang, StopsNoRobotThatIsNotConfiguredToReceive) {
    RobotRig rig("DefaultRunMode = 2\nDefaultComMode = 1");
    rig.start();
    rig.buffers->prove_alive(ThreadName::receiver, rig.loop.clock().now());
    rig.loop.advance(5s);
    EXPECT_FALSE(rig.propulsion->report().stop);
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
}

/// A second thread stores the latch meanwhile.
TEST_F(ThreadHangTest, OfLatchEndsNeitherTheLinkNorTheServiceOfARobotThatDrives) {
    rig.latch.alive = rig.loop.clock().now();
    const std::size_t healthy = rig.healthy;
    rig.loop.advance(10s);
    EXPECT_THAT(rig.station.telemetry.back().faults, Contains("latch is silent"));
    EXPECT_GE(rig.healthy, healthy + 9) << "as a service manager requires";
    EXPECT_LE(rig.loop.clock().now() - rig.station.last_heartbeat_at, 1s) << "as the station requires";
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
}

class ReleaseOrder : public ThreadHangTest {};

TEST_F(ReleaseOrder, IsThatOfGivingNotOfArrival) {
    EXPECT_THAT(rig.tell("full_stop"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(1s);
    EXPECT_THAT(release_here(1500ms), StartsWith("EXPIRED: a full stop was sent or took effect after"));
    EXPECT_TRUE(rig.propulsion->report().stop);
    EXPECT_EQ(release_here(500ms), "DONE");
    EXPECT_FALSE(rig.propulsion->report().stop);
}

TEST_F(ReleaseOrder, OfTheButtonCountsFromItsPress) {
    const Instant pressed = rig.loop.clock().now();
    rig.loop.advance(500ms);
    bool stops_meanwhile = false;
    ReleaseButton button(rig.loop.clock(), *rig.buffers, rig.log, [&](Request request) {
        // As another thread may, after the press was looked at.
        if (stops_meanwhile)
            rig.buffers->stop_now(*rig.propulsion, motion::StopCause::station, rig.loop.clock());
        rig.robot->command(std::move(request));
    });
    const auto stop = [&] { EXPECT_THAT(rig.tell("full_stop"), ElementsAre(StartsWith("DONE"))); };
    stop();
    button.press(pressed);
    EXPECT_TRUE(rig.log.mentions("a full stop took effect while it was pressed; press it again"));
    rig.loop.advance(1s);
    stops_meanwhile = true;
    button.press(rig.loop.clock().now() - 100ms);
    rig.loop.advance(200ms);
    EXPECT_TRUE(rig.log.mentions("release by its button: EXPIRED"));
    EXPECT_TRUE(rig.propulsion->report().stop);
    rig.loop.advance(5s);
    stops_meanwhile = false;
    button.press(rig.loop.clock().now() - 4s);
    rig.loop.advance(200ms);
    EXPECT_FALSE(rig.propulsion->report().stop) << "it may be held for longer than a release may wait";
}

TEST_F(ReleaseOrder, CountsForStopsOfTheRobotItself) {
    rig.body.say("emergency", true);
    rig.loop.advance(100ms);
    rig.body.say("emergency", false);
    rig.loop.advance(500ms);
    EXPECT_THAT(release_here(1s), StartsWith("EXPIRED"));
    EXPECT_EQ(release_here(100ms), "DONE");
}

}  // namespace
}  // namespace caribou::robot
