// A robot whose log hangs: on separate processes of the program.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/full_pipe.hpp"
#include "field/hanging_robot.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class LogHang : public HangingRobot {
protected:
    FullPipe log{(field.scratch / "robot.log").string()};
};

TEST_F(LogHang, NeitherStopsTheRobotNorDelaysAStopOrARelease) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    ASSERT_TRUE(moves(*person));
    std::string text = log.read();
    log.fill();
    for (int i = 0; i < 3; ++i) {
        const Instant asked = clock.now();
        EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
        EXPECT_TRUE(time_to_rest(*person, asked));
        person->wait(1500ms);  // longer than a thread may be silent
        EXPECT_EQ(answer(*person, "release_stop"), "DONE");
        EXPECT_TRUE(moves(*person));
    }
    person->wait(1500ms);
    EXPECT_FALSE(person->rover().status.robot->stopped) << "no thread was silent";
    // The disk goes on: the lines of the time are there.
    const Instant until = clock.now() + limit;
    while (!text.contains("full stop by") && clock.now() < until) {
        person->wait(20ms);
        text += log.read();
    }
    EXPECT_THAT(text, HasSubstr("full stop by station"));
}

TEST_F(LogHang, DoesNotKeepTheRobotFromEnding) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    ASSERT_TRUE(moves(*person));
    log.fill();
    EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
    const Instant asked = clock.now();
    field.robot->signal(SIGTERM);
    EXPECT_EQ(end_of(*field.robot).code, 0);
    EXPECT_LE(clock.now() - asked, 10s);
}

TEST_F(LogHang, DoesNotKeepTheRobotFromStartingAnew) {
    start(2);
    const auto person = connect(link::RunMode::rm2);
    ASSERT_TRUE(moves(*person));
    log.fill();
    EXPECT_EQ(answer(*person, "full_stop"), "DONE: stopped until released");
    EXPECT_TRUE(person->answer_to(person->send("set_run_mode mode=5"), limit));
    const auto is_starting = [](const auto& rover) { return rover.status.mode != data::StationMode::run1; };
    EXPECT_TRUE(person->sees(is_starting, limit));
    EXPECT_TRUE(person->sees(
        [](const auto& rover) { return rover.is_in(link::RunMode::rm2) && rover.status.robot->stopped; },
        limit));
}

}  // namespace
}  // namespace caribou::tests
