// Process tests of `caribou sim`.

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "child/program.hpp"

namespace caribou::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ChildProcess::End sim(Words words) {
    words.insert(words.begin(), "sim");
    return run(words);
}

TEST(SimCli, BreaksNoPromiseInAnHour) {
    const auto end = sim({});
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("seed 1: 1h, 1 robot"), Not(HasSubstr("BROKEN"))));
}

TEST(SimCli, RepeatsASeedToTheLine) {
    const Words words{"--seed", "7", "--hours", "0.05", "--trace"};
    const auto first = sim(words);
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_THAT(first.out, HasSubstr("is answered: DONE")) << "with the ids of commands";
    const auto without_time = [](const std::string& text) { return text.substr(0, text.rfind("\n  ")); };
    EXPECT_EQ(without_time(sim(words).out), without_time(first.out));
}

TEST(SimCli, RunsAllSeedsAndCountsThem) {
    const auto end = sim({"--seed", "3", "--seeds", "5", "--hours", "0.02", "--robots", "2"});
    EXPECT_EQ(end.code, 0) << end.out << end.err;
    EXPECT_THAT(end.out, HasSubstr("5 runs from seed 3 on, 0.2 robot hours: no promise was broken"));
}

TEST(SimCli, SoaksUntilItIsStopped) {
    ChildProcess program(command({"sim", "--soak", "--seed", "5", "--hours", "0.02"}));
    EXPECT_THAT(program.read_line(limit).value_or(""), HasSubstr("seed 5: "));
    EXPECT_THAT(program.read_line(limit).value_or(""), HasSubstr("seed 6: "));
    program.signal(SIGINT);
    const auto end = end_of(program);
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("runs from seed 5 on"));
}

TEST(SimCli, RefusesASeedThatIsNone) {
    EXPECT_EQ(sim({"--seed", "-1"}).code, 2);
    EXPECT_EQ(sim({"--seeds", "3", "--soak"}).code, 2);
}

}  // namespace
}  // namespace caribou::tests
