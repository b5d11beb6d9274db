#include "station/acknowledged_state.hpp"

#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using namespace std::chrono_literals;
using link::Answer;
using link::Refusal;
using link::RunMode;
using link::WaitReason;
using Mode = AcknowledgedState::Mode;

class AcknowledgedStateTest : public testing::Test {
protected:
    bool done(const std::string& command) { return state.learn(parsed(command), Answer::done({}), now); }
    bool refused(const std::string& command, Refusal why) {
        return state.learn(parsed(command), Answer::refused({}, {why, ""}), now);
    }
    std::optional<bool> stopped(std::optional<Instant> telemetry_at = {}) const {
        const auto known = state.stopped(telemetry_at);
        return known ? std::optional(known->value) : std::nullopt;
    }
    std::optional<Mode> mode(std::optional<Instant> telemetry_at = {}) const {
        const auto known = state.mode(telemetry_at);
        return known ? std::optional(known->value) : std::nullopt;
    }
    static link::Command parsed(const std::string& text) { return link::command_from(text).value(); }

    AcknowledgedState state;
    Instant now = Instant{} + 10s;
};

TEST_F(AcknowledgedStateTest, IsUnknownBeforeTheFirstAnswer) {
    EXPECT_FALSE(stopped());
    EXPECT_FALSE(mode());
    EXPECT_FALSE(done("ping text=a"));
    EXPECT_FALSE(state.learn(parsed("full_stop"), Answer::accepted({}), now));
    EXPECT_FALSE(refused("full_stop", Refusal::failed));
    EXPECT_FALSE(stopped());
}

TEST_F(AcknowledgedStateTest, FollowsStopAndRelease) {
    EXPECT_TRUE(done("full_stop"));
    EXPECT_EQ(stopped(), true);
    EXPECT_TRUE(done("release_stop"));
    EXPECT_EQ(stopped(), false);
}

TEST_F(AcknowledgedStateTest, FollowsFromWhatARobotRefusesAndDrives) {
    EXPECT_TRUE(refused("move movement=MOVE_FW_1", Refusal::stopped));
    EXPECT_EQ(stopped(), true);
    EXPECT_FALSE(done("move movement=HALT")) << "a stopped robot accepts it, too";
    EXPECT_EQ(stopped(), true);
    EXPECT_TRUE(done("move movement=MOVE_FW_1"));
    EXPECT_EQ(stopped(), false);
    EXPECT_FALSE(done("move movement=MOVE_FW_1")) << "nothing new";
}

TEST_F(AcknowledgedStateTest, FollowsChangesOfTheRunMode) {
    EXPECT_TRUE(done("set_run_mode mode=3"));
    EXPECT_EQ(mode(), (Mode{RunMode::rm3, {}}));
    EXPECT_TRUE(done("set_run_mode mode=1"));
    EXPECT_EQ(mode(), (Mode{RunMode::rm1, WaitReason::requested_sleep}));
    EXPECT_TRUE(done("set_run_mode mode=1 time=1h"));
    EXPECT_EQ(mode(), (Mode{RunMode::rm1, WaitReason::timed_sleep}));
    EXPECT_TRUE(done("set_run_mode mode=1 reason=Charging"));
    EXPECT_EQ(mode(), (Mode{RunMode::rm1, WaitReason::charging}));
    EXPECT_TRUE(done("power_off"));
    EXPECT_EQ(mode(), (Mode{RunMode::rm0, {}}));
}

TEST_F(AcknowledgedStateTest, FollowsTheStateThatTheRobotReportsWithItsTime) {
    done("full_stop");
    done("set_run_mode mode=1 time=1h");
    now += 5s;
    const auto reports = [&](const char* text) {
        return state.learn(parsed("status brief=true"), Answer::done({}, text), now);
    };
    EXPECT_TRUE(reports("RM2 CM2 not_stopped")) << "released at the robot, and awake";
    EXPECT_EQ(stopped(), false);
    EXPECT_EQ(mode(), (Mode{RunMode::rm2, {}}));
    EXPECT_EQ(state.stopped({})->at, now);
    EXPECT_EQ(state.mode({})->at, now);
    now += 1s;
    EXPECT_TRUE(reports("RM2 CM2 not_stopped")) << "confirmed";
    EXPECT_EQ(state.stopped({})->at, now);
    EXPECT_FALSE(reports("RM2 CM2: as you like it\nmoves HALT"));
}

TEST_F(AcknowledgedStateTest, GivesWayToLaterTelemetry) {
    done("full_stop");
    done("set_run_mode mode=3");
    EXPECT_EQ(stopped(now - 1ms), true);
    EXPECT_EQ(mode(now - 1ms), (Mode{RunMode::rm3, {}}));
    EXPECT_FALSE(stopped(now));
    EXPECT_FALSE(mode(now));
}

TEST_F(AcknowledgedStateTest, KeepsTheStopAndForgetsTheModeOnANewConnection) {
    done("full_stop");
    done("set_run_mode mode=3");
    state.connected();
    EXPECT_EQ(stopped(), true);
    EXPECT_FALSE(mode());
}

}  // namespace
}  // namespace caribou::station
