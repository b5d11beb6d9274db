// The command `dock` always ends, and can be given again: on separate processes of the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "field/robot_in_room.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Dock : public RobotInRoom {
protected:
    /// Sends `dock`, and waits until the robot drives itself. Returns the id of the command.
    std::uint64_t begin() {
        const std::uint64_t id = person->send("dock");
        EXPECT_TRUE(is_in(link::RunMode::rm2));
        EXPECT_TRUE(person->sees(
            [](const auto& rover) { return rover.status.robot->behavior.contains("come_home"); }, limit))
            << "what it does is shown";
        EXPECT_TRUE(moves());
        return id;
    }
};

TEST_F(Dock, EndsWithTheReasonWhereThereIsNoCharger) {
    start(1);
    for (int i = 0; i < 2; ++i) {
        EXPECT_THAT(answer_to(person->send("dock")),
                    AllOf(StartsWith("FAILED: it did not reach its dock"), HasSubstr("no charger is known")))
            << "a later one is possible, too: " << i;
        EXPECT_TRUE(is_in(link::RunMode::rm3)) << "the station drives it again";
    }
    EXPECT_EQ(person->answer("101 level=1", limit), "DONE");
}

TEST_F(Dock, EndsByAFullStopAndIsPossibleAgain) {
    start(3, charger);
    const std::uint64_t dock = begin();
    EXPECT_EQ(person->answer("dock", limit), "BUSY: it is on its way to the dock");
    EXPECT_EQ(person->answer("full_stop", limit), "DONE: stopped until released");
    EXPECT_THAT(answer_to(dock), StartsWith("STOPPED: a full stop (station) ended it"));
    EXPECT_THAT(person->answer("dock", limit), StartsWith("STOPPED: it is stopped"));
    EXPECT_EQ(person->answer("release_stop", limit), "DONE");
    EXPECT_TRUE(is_in(link::RunMode::rm3));
    const Instant released = trace.latest().at;
    person->wait(500ms);
    trace.take();
    EXPECT_FALSE(trace.latest().moves && trace.latest().at > released) << "it goes on by itself";
    EXPECT_EQ(answer_to(begin()), "DONE: it is charging");
}

TEST_F(Dock, EndsByAFullStopThatIsReleasedAtOnce) {
    start(3, charger);
    const std::uint64_t dock = begin();
    EXPECT_EQ(person->answer("full_stop", limit), "DONE: stopped until released");
    EXPECT_EQ(person->answer("release_stop", limit), "DONE");
    EXPECT_THAT(answer_to(dock), StartsWith("STOPPED: a full stop"));
    EXPECT_TRUE(is_in(link::RunMode::rm3)) << "the release sets it moving";
}

TEST_F(Dock, EndsByAChangeOfTheRunModeAndIsPossibleAgain) {
    start(3, charger);
    for (const char* const mode : {"set_run_mode mode=3", "set_run_mode mode=1"}) {
        const std::uint64_t dock = begin();
        EXPECT_THAT(person->answer(mode, limit), StartsWith("DONE: RM2 -> RM"));
        EXPECT_THAT(answer_to(dock), StartsWith("FAILED: canceled by RM2 -> RM")) << mode;
    }
    EXPECT_THAT(person->answer("dock", limit), StartsWith("WRONG_MODE: it drives by itself in RM2 and RM3"));
    EXPECT_THAT(person->answer("set_run_mode mode=3", limit), StartsWith("DONE"));
    ASSERT_TRUE(is_in(link::RunMode::rm3));
    begin();
}

TEST_F(Dock, HandsOverFromRm3AndShowsTheReason) {
    start(3, charger);
    const auto docked = field.send({"dock"});
    EXPECT_EQ(docked.code, 0) << docked.err;
    EXPECT_EQ(docked.out,
              "ACCEPTED: on its way to the dock (RM3 -> RM2: station sends it to its dock)\n"
              "DONE: it is charging\n");
    EXPECT_TRUE(person->sees(
        [](const auto& rover) { return rover.status.robot->waits_for == link::WaitReason::charging; },
        limit));
    EXPECT_TRUE(
        person->sees([](const auto& rover) { return rover.status.robot->battery.on_charger; }, limit));
}

}  // namespace
}  // namespace caribou::tests
