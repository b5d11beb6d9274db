// Full stops that the station sends as sealed datagrams.

#include "robot/datagram_stops.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<link::PairedKey> station_key() {
    std::array<std::byte, link::SecretKey::size> bytes{};
    bytes.fill(std::byte{1});
    return {{"station", link::Role::admin, "2026-01-31T12:00:00Z", link::SecretKey(bytes)}};
}

class DatagramStopsTest : public testing::Test {
protected:
    DatagramStopsTest() {
        rig.station.pair(rig.keys.keys.front().key);
        rig.start_connected();
        rig.loop.advance(1s);
    }
    bool stopped() const { return rig.propulsion->report().stop.has_value(); }
    void send(const Bytes& datagram) {
        rig.station.send_datagram(datagram);
        rig.loop.advance(100ms);
    }

    RobotRig rig{"", station_key()};
    std::string answers() const {
        std::string all;
        for (const link::Answer& answer : rig.station.datagram_answers)
            all += std::to_string(answer.id.value) + " " + to_string(answer) + "\n";
        return all;
    }
};

TEST_F(DatagramStopsTest, StopTheRobotAndAreAnswered) {
    EXPECT_THAT(rig.tell("105 level=1"), ElementsAre("DONE"));
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    send(rig.station.sealed_stop(500));
    EXPECT_TRUE(stopped());
    EXPECT_EQ(answers(), "500 DONE: stopped until released\n");
    rig.loop.advance(1s);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
}

TEST_F(DatagramStopsTest, StopTheRobotAfterItsConnectionIsLost) {
    rig.station.hang_up();
    rig.loop.advance(5s);
    send(rig.station.sealed_stop(500));
    EXPECT_TRUE(stopped());
    EXPECT_EQ(answers(), "500 DONE: stopped until released\n");
}

TEST_F(DatagramStopsTest, AreAnsweredAgainWithoutStoppingAgain) {
    const Bytes first = rig.station.sealed_stop(500);
    const Bytes delayed = rig.station.sealed_stop(500);
    send(first);
    EXPECT_THAT(rig.tell("release_stop", 501), ElementsAre("DONE"));
    ASSERT_FALSE(stopped());
    send(delayed);
    EXPECT_FALSE(stopped());
    EXPECT_EQ(answers(), "500 DONE: stopped until released\n500 DONE: stopped until released\n");
    send(rig.station.sealed_stop(499));
    EXPECT_FALSE(stopped()) << "it was sent before the stop that was released";
    EXPECT_THAT(rig.station.datagram_answers, SizeIs(3));
}

TEST_F(DatagramStopsTest, DoNothingWhenTheyAreReplayed) {
    const Bytes stop = rig.station.sealed_stop(500);
    send(stop);
    EXPECT_THAT(rig.tell("release_stop", 501), ElementsAre("DONE"));
    send(stop);
    EXPECT_EQ(rig.robot->transmission().stops().received(), 1U);
    rig.station.hang_up();
    rig.loop.advance(5s);
    send(stop);
    rig.connect();
    rig.loop.advance(1s);
    send(stop);
    EXPECT_EQ(rig.robot->transmission().stops().received(), 1U) << "nor during the next session";
    EXPECT_FALSE(stopped());
}

TEST_F(DatagramStopsTest, DoNotStopAgainAfterTheStopArrivedOnTheConnection) {
    const Bytes delayed = rig.station.sealed_stop(500);
    EXPECT_THAT(rig.tell("full_stop", 500), ElementsAre("DONE: stopped until released"));
    // So many stops later that the answer is forgotten.
    for (std::uint64_t i = 0; i < AnswerBook::max_remembered; ++i) {
        rig.station.send("full_stop", 501 + i);
        if (i % 16 == 0) rig.loop.advance(10ms);
    }
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("release_stop", 10000), ElementsAre("DONE"));
    send(delayed);
    EXPECT_FALSE(stopped());
    EXPECT_EQ(answers(), "500 DONE: stopped before\n");
}

TEST_F(DatagramStopsTest, StopTheRobotBeforeTheStationHasTheWelcomeOfANewSession) {
    const Bytes stop = rig.station.sealed_stop(500);
    const Bytes next = rig.station.sealed_stop(501);
    rig.station.hang_up();
    rig.loop.advance(1s);
    rig.connect();
    send(stop);
    EXPECT_TRUE(stopped());
    EXPECT_THAT(rig.tell("release_stop", 502), ElementsAre("DONE"));
    rig.station.hang_up();
    rig.loop.advance(1s);
    rig.connect();
    send(next);
    EXPECT_FALSE(stopped()) << "not after two sessions";
}

TEST_F(DatagramStopsTest, AreNotUndoneByAReleaseThatWasSentBefore) {
    send(rig.station.sealed_stop(500));
    EXPECT_THAT(rig.tell("release_stop", 499),
                ElementsAre(testing::StartsWith("EXPIRED: a full stop was sent or took effect after")));
    EXPECT_TRUE(stopped());
    EXPECT_THAT(rig.tell("release_stop", 501), ElementsAre("DONE"));
    EXPECT_FALSE(stopped());
}

TEST_F(DatagramStopsTest, FillNoQueueHoweverOftenTheyAreRepeatedWhileTheStopDeskHangs) {
    rig.stops_strand.stall();
    for (int i = 0; i < 500; ++i) send(rig.station.sealed_stop(500));
    EXPECT_TRUE(stopped()) << "the desk is not needed for that";
    rig.stops_strand.go_on();
    rig.loop.advance(100ms);
    EXPECT_THAT(rig.station.datagram_answers, SizeIs(1));
    EXPECT_EQ(answers(), "500 DONE: stopped until released\n");
}

TEST_F(DatagramStopsTest, AreIgnoredOnceTheKeyIsRemovedOrWhenForged) {
    Bytes altered = rig.station.sealed_stop(500);
    altered.back() ^= std::byte{1};
    send(altered);
    send(link::datagram_of(1, link::StopNow{{500}}));
    rig.keys.keys.clear();
    send(rig.station.sealed_stop(501));
    EXPECT_FALSE(stopped());
    EXPECT_THAT(rig.station.datagram_answers, IsEmpty());
}

}  // namespace
}  // namespace caribou::robot
