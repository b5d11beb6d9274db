#include "station/mode_history.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::station {
namespace {

using data::RunMode;
using data::StationMode;
using testing::ElementsAre;
using testing::IsEmpty;

/// A robot in RM2 whose states are noted, one per second.
struct Seen {
    Seen() {
        status.mode = StationMode::run1;
        status.presence = data::Presence::live;
        auto& robot = status.robot.emplace();
        robot.run_mode = RunMode::rm2;
        robot.com_mode = data::ComMode::cm3;
        history.take(status, now);
    }
    bool take() { return history.take(status, ++now); }
    bool enter(RunMode mode, std::optional<data::WaitReason> reason = {}) {
        status.robot->run_mode = mode;
        status.robot->waits_for = reason;
        return take();
    }
    void ask(std::string_view text, std::uint64_t id = 7) {
        link::Command command = link::command_from(text).value();
        command.id = {id};
        history.on_command(command, "page#1", now);
    }
    std::vector<std::string> lines() const {
        std::vector<std::string> all;
        for (const auto& [at, what, from, to, why] : history.changes().changes)
            all.push_back(
                fmt::format("{} {} {} {}{}{}", at, to_string(what), from, to, why.empty() ? "" : ": ", why));
        return all;
    }

    ModeHistory history;
    data::Status status;
    double now = 100;
};

TEST(ModeHistory, NotesChangesWithTimesAndReasons) {
    Seen seen;
    EXPECT_THAT(seen.lines(), IsEmpty());
    EXPECT_FALSE(seen.take());
    seen.ask("set_run_mode mode=RM3");
    EXPECT_TRUE(seen.enter(RunMode::rm3));
    EXPECT_TRUE(seen.enter(RunMode::rm1, data::WaitReason::waiting_to_receive));
    seen.status.robot->com_mode = data::ComMode::cm1;
    seen.status.mode = StationMode::wait;
    seen.status.why = "no heartbeat for 3 s";
    EXPECT_TRUE(seen.take());
    EXPECT_THAT(seen.lines(), ElementsAre("102 run_mode RM2 RM3: requested by page#1",
                                          "103 run_mode RM3 RM1(WaitingToReceive)", "104 com_mode CM3 CM1",
                                          "104 link run1 wait: no heartbeat for 3 s"));
}

TEST(ModeHistory, NotesTheEndOfARobotWithWhatItHasStated) {
    Seen seen;
    seen.status.presence = data::Presence::off;
    seen.status.off_reason = "sensor_dead";
    EXPECT_TRUE(seen.take());
    EXPECT_THAT(seen.lines(), ElementsAre("101 run_mode RM2 RM0: sensor_dead"));
}

TEST(ModeHistory, NotesTheModeThatARobotWithoutTelemetryHasAcknowledged) {
    Seen seen;
    seen.status.stale = true;
    seen.status.acknowledged_mode = RunMode::rm3;
    EXPECT_TRUE(seen.take());
    seen.status.acknowledged_mode.reset();
    EXPECT_FALSE(seen.take()) << "its old telemetry is no news";
    EXPECT_THAT(seen.lines(), ElementsAre("101 run_mode RM2 RM3"));
}

TEST(ModeHistory, GivesNoCommandAsAReasonThatWasRefusedOrIsOldOrOfAnotherMode) {
    Seen seen;
    seen.ask("set_run_mode mode=RM3", 7);
    seen.history.on_answer(link::Answer::refused({7}, {link::Refusal::wrong_com_mode, ""}));
    seen.enter(RunMode::rm3);
    seen.ask("set_run_mode mode=RM2", 8);
    seen.now += ModeHistory::request_limit;
    seen.enter(RunMode::rm2);
    seen.ask("set_run_mode mode=RM3", 9);
    seen.enter(RunMode::rm1, data::WaitReason::charging);
    EXPECT_THAT(seen.lines(), ElementsAre("101 run_mode RM2 RM3", "112 run_mode RM3 RM2",
                                          "113 run_mode RM2 RM1(Charging)"));
}

TEST(ModeHistory, KeepsTheLatestOfEachKindHoweverOftenTheLinkIsLost) {
    Seen seen;
    seen.ask("dock");
    seen.enter(RunMode::rm3);
    for (int i = 0; i < 40; ++i) {
        seen.status.mode = i % 2 == 0 ? StationMode::wait : StationMode::run1;
        seen.take();
        seen.status.mode = i % 2 == 0 ? StationMode::shake : StationMode::run1;
        EXPECT_FALSE(seen.take());
    }
    const auto lines = seen.lines();
    ASSERT_EQ(lines.size(), ModeHistory::limit + 1);
    EXPECT_EQ(lines.front(), "101 run_mode RM2 RM3");
    EXPECT_EQ(lines.back(), "180 link wait run1");
}

}  // namespace
}  // namespace caribou::station
