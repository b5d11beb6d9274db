// Sessions that end while main is stalled: none of their commands may be executed, and nothing of them may
// remain, when main resumes.

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/stream_witness.hpp"
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
        EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
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
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
}

TEST(RobotSessions, AreNotHeardOnceTheyAreGone) {
    RobotRig rig;
    rig.start_connected();
    ASSERT_EQ(rig.mode(), link::RunMode::rm3);
    rig.main_strand.stall();
    rig.station.send(link::Heartbeat{});
    rig.loop.advance(100ms);
    rig.station.hang_up();
    rig.loop.advance(5s);
    ASSERT_NE(rig.mode(), link::RunMode::rm3);
    rig.main_strand.go_on();
    for (int i = 0; i < 40; ++i) {
        rig.loop.advance(50ms);
        EXPECT_NE(rig.mode(), link::RunMode::rm3);
    }
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

TEST(RobotSessions, DoNotDriveByCommandsThatHaveWaitedTooLong) {
    RobotRig rig;
    rig.start_connected();
    rig.main_strand.stall();
    const std::uint64_t drive = rig.station.send("105 level=3");
    const std::uint64_t halt = rig.station.send("107 movement=HALT");
    rig.loop.advance(1s);
    rig.main_strand.go_on();
    for (int i = 0; i < 20; ++i) {
        rig.loop.advance(20ms);
        EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{});
    }
    EXPECT_THAT(rig.station.answers_to(drive),
                ElementsAre("EXPIRED: it is 1.0 s old; at most 0.5 s are allowed"));
    EXPECT_THAT(rig.station.answers_to(halt), ElementsAre("DONE"));
}

TEST(RobotSessions, DriveForTheRestOfTheLifeOfAMovementThatHasWaited) {
    RobotRig rig;
    rig.start_connected();
    rig.main_strand.stall();
    const std::uint64_t drive = rig.station.send("105 level=1 ttl=1s");
    rig.loop.advance(800ms);
    rig.main_strand.go_on();
    rig.loop.advance(100ms);
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_THAT(rig.station.answers_to(drive), ElementsAre("DONE"));
    rig.loop.advance(600ms);
    EXPECT_EQ(rig.body.driven, motion::WheelSpeeds{}) << "1 s after it was given, and the time to brake";
}

/// Returns peers that have connected with this role and are idle.
std::vector<std::unique_ptr<PlayedStation>> idle_peers(RobotRig& rig, std::size_t count, link::Role role) {
    std::vector<std::unique_ptr<PlayedStation>> peers;
    for (std::size_t i = 0; i < count; ++i) {
        peers.push_back(std::make_unique<PlayedStation>(rig.loop, rig.network, "peer" + std::to_string(i)));
        peers.back()->fall_silent();
        peers.back()->dial(rig.robot->main().receive_port(), role, false);
        rig.loop.advance(10ms);
    }
    return peers;
}

TEST(RobotSessions, OfObserversKeepNobodyOut) {
    RobotRig rig;
    rig.start();
    rig.loop.advance(100ms);
    const auto observers = idle_peers(rig, 9, link::Role::observe);
    EXPECT_TRUE(observers.back()->welcome) << "the newest gets in";
    ASSERT_TRUE(observers.front()->goodbye);
    EXPECT_EQ(observers.front()->goodbye->why, "too many connections, and this one was idle longest");
    const auto drivers = idle_peers(rig, 2, link::Role::drive);
    EXPECT_TRUE(drivers[0]->welcome && drivers[1]->welcome);
    rig.connect();
    EXPECT_TRUE(rig.station.welcome);
    EXPECT_THAT(rig.tell("105 level=1"), ElementsAre("DONE"));
}

TEST(RobotSessions, ThatDoNotSayWhoTheyAreMakeRoomForThoseThatDo) {
    RobotRig rig;
    rig.start();
    rig.loop.advance(100ms);
    std::vector<std::unique_ptr<StreamWitness>> silent;
    for (int i = 0; i < 20; ++i) {
        silent.push_back(std::make_unique<StreamWitness>());
        silent.back()->stream =
            rig.network.connect(Address::ip("127.0.0.1", rig.robot->main().receive_port()), *silent.back());
        rig.loop.advance(1ms);
    }
    rig.connect();
    EXPECT_TRUE(rig.station.welcome);
}

TEST(RobotSessions, FillNoMoreThanTheirShareOfMainsQueue) {
    RobotRig rig;
    rig.start_connected();
    const auto observers = idle_peers(rig, 1, link::Role::observe);
    rig.main_strand.stall();
    for (std::uint64_t id = 1; id <= 200; ++id) observers[0]->send("ping", id);
    rig.loop.advance(10ms);
    EXPECT_THAT(observers[0]->answers_to(200), ElementsAre("BUSY: too many commands wait for an answer"));
    const std::uint64_t id = rig.station.send("ping");
    rig.loop.advance(10ms);
    rig.main_strand.go_on();
    rig.loop.advance(10ms);
    EXPECT_THAT(rig.station.answers_to(id), ElementsAre("DONE"));
    EXPECT_THAT(observers[0]->answers_to(1), ElementsAre("DONE"));
    const std::uint64_t later = observers[0]->send("ping", 1000);
    rig.loop.advance(10ms);
    EXPECT_THAT(observers[0]->answers_to(later), ElementsAre("DONE")) << "answers make room again";
}

/// Always has more heartbeats to read.
class FloodStream final : public Stream {
public:
    int reads = 0;

private:
    void attach(StreamEvents&) override {}
    Result<std::size_t> read(std::span<std::byte> into) override {
        if (++reads > 1000) return fail(Code::closed, "enough");
        const Bytes frame = reads == 1 ? link::frame_of(link::Auth{"observer", link::Role::observe, {}})
                                       : link::frame_of(link::Heartbeat{});
        std::ranges::copy(frame, into.begin());
        return frame.size();
    }
    Result<std::size_t> write(std::span<const ByteView> pieces) override {
        std::size_t all = 0;
        for (const ByteView piece : pieces) all += piece.size();
        return all;
    }
    void set_reading(bool) override {}
    std::string peer() const override { return "127.0.0.1:1"; }
};

TEST(LinkSession, LeavesTheRestOfAFloodForTheNextTurn) {
    LinkSession::Handlers handlers{
        .on_auth = [](LinkSession& session, const link::Auth& auth) -> Result<void> {
            session.known_as({auth.name, auth.role, 1});
            return {};
        },
        .on_command = [](LinkSession&, const link::Command&) {},
        .on_heard = [](LinkSession&) {},
        .now = [] { return 1.0; },
        .on_end = [](LinkSession&, const std::string&) {},
        .join_topics = {},
    };
    auto stream = std::make_unique<FloodStream>();
    const FloodStream& flood = *stream;
    LinkSession session(1, std::move(stream), handlers);
    StreamEvents& events = session;
    events.on_readable();
    EXPECT_EQ(flood.reads, 1);
    events.on_readable();
    EXPECT_EQ(flood.reads, 2);
}

}  // namespace
}  // namespace caribou::robot
