// Process tests of `caribou tree`.

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "child/program.hpp"
#include "platform/temporary_folder.hpp"

namespace caribou::tests {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string robot = in_repository("examples/trees/robot.json");

ChildProcess::End tree(Words words) {
    words.insert(words.begin(), "tree");
    return run(words);
}

class TreeCli : public testing::Test {
protected:
    std::string file(const std::string& name, std::string_view text = {}) const {
        const auto path = scratch_ / name;
        if (!text.empty()) std::ofstream(path) << text;
        return path.string();
    }

private:
    TemporaryFolder scratch_;
};

TEST_F(TreeCli, ChecksAGoodTree) {
    for (const char* name : {"explorer", "robot", "guard", "pet", "cube_game"}) {
        const auto end = tree({"check", "--trial", in_repository("examples/trees/") + name + ".json"});
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(end.out, HasSubstr("behaviors, all reached from"));
    }
}

TEST_F(TreeCli, BringsASimulatedCube) {
    const auto end = tree({"run", in_repository("examples/trees/cube_game.json"), "--ticks", "600"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("play > game"));
}

TEST_F(TreeCli, TellsEveryFaultWithItsPlace) {
    const std::string bad =
        file("bad.json",
             "{\"base\": \"a\", \"behaviors\": [\n {\"class\": \"idel\", \"id\": \"a\"},\n"
             " {\"class\": \"idle\", \"id\": \"b\"}]}");
    const auto end = tree({"check", bad});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(
        end.err,
        AllOf(HasSubstr(bad + ":2:12: no class of behaviors is called `idel`; did you mean `idle`?\n"),
              HasSubstr(bad + ":3:2: `b` is never reached from the base `a`")));
}

TEST_F(TreeCli, TakesClassesOfARobotAsStandIns) {
    const std::string own =
        file("own.json", R"({"base": "a", "behaviors": [{"class": "roll_on", "id": "a", "speed": 3}]})");
    EXPECT_EQ(tree({"check", own}).code, 1);
    EXPECT_EQ(tree({"check", own, "--stand-in", "roll_on"}).code, 0);
    EXPECT_EQ(tree({"check", own, "--stand-in", "roll on"}).code, 2);
}

TEST_F(TreeCli, ShowsATree) {
    EXPECT_THAT(tree({"show", robot}).out,
                AllOf(StartsWith("robot (strict_priority)\n├─ be_carried (idle)"),
                      HasSubstr("[weight 3, cooldown 5s, jitter 0.5] roll_cube (act)")));
    EXPECT_THAT(tree({"show", robot, "--dot"}).out, StartsWith("digraph tree {"));
    EXPECT_THAT(tree({"show", robot, "--svg"}).out, StartsWith("<svg "));
    const std::string written = file("written.json", tree({"show", robot, "--json"}).out);
    EXPECT_EQ(tree({"show", written}).out, tree({"show", robot}).out);
    EXPECT_EQ(tree({"show", robot, "--dot", "--svg"}).code, 2);
}

TEST_F(TreeCli, RunsATreeAndTellsTheStackWhenItChanges) {
    const auto end = tree({"run", robot, "--ticks", "300", "--tick", "100ms", "--set", "battery=60", "--at",
                           "50:cube_seen=true"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("     1     0.000 s  robot > explore > wander\n"),
                               HasSubstr("    50     4.900 s  robot > play > game > "),
                               HasSubstr("charge sleeps: its condition")));
    EXPECT_EQ(tree({"run", robot, "--ticks", "300", "--tick", "100ms", "--set", "battery=60", "--at",
                    "50:cube_seen=true"})
                  .out,
              end.out)
        << "the same again";
}

TEST_F(TreeCli, RunsATreeForPrograms) {
    const auto end = tree({"run", robot, "--ticks", "2", "--json"});
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(
        end.out,
        StartsWith(
            R"({"tick": 1, "seconds": 0, "stack": ["robot", "explore", "wander"], "changes": ["robot entered scope")"));
}

TEST_F(TreeCli, ReloadsAFileAndRefusesABadOne) {
    const auto with = [](const std::string& leaf) {
        return R"({"base": "a", "behaviors": [{"class": "queue", "id": "a", "children": [{"class": ")" +
               leaf + R"(", "id": ")" + leaf + R"("}]}]})";
    };
    const std::string first = file("first.json", with("idle"));
    const std::string bad = file("bad.json", with("idel"));
    const std::string good =
        file("good.json", R"({"base": "b", "behaviors": [{"class": "idle", "id": "b"}]})");
    const auto end = tree({"run", first, "--ticks", "9", "--reload", "3:" + bad, "--reload", "6:" + good});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("bad.json was refused:\n"), HasSubstr("did you mean `idle`?"),
                               HasSubstr("good.json was taken\n"), HasSubstr("     6     0.300 s  b\n")));
}

TEST_F(TreeCli, ExplainsARunAndARecording) {
    const auto live = tree({"explain", robot, "--behavior", "roll_cube", "--set", "battery=60"});
    EXPECT_EQ(live.code, 0) << live.err;
    EXPECT_THAT(live.out,
                HasSubstr("`play` was asked and said no: its condition `cube_seen` does not hold\n"));

    const std::string recording = file("run.rec");
    EXPECT_EQ(tree({"run", robot, "--ticks", "100", "--set", "battery=60", "--record", recording}).code, 0);
    EXPECT_EQ(tree({"explain", recording, robot, "--behavior", "roll_cube"}).out, live.out);
    EXPECT_THAT(tree({"explain", recording, "--behavior", "explore", "--after", "5"}).out,
                HasSubstr("`explore` is active: robot > explore > wander\n"));
    const auto unknown = tree({"explain", recording, "--behavior", "exlpore"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("no behavior has the id `exlpore`; did you mean `explore`?"));
}

TEST_F(TreeCli, ReplaysARecording) {
    const std::string recording = file("run.rec");
    const auto live = tree({"run", robot, "--ticks", "500", "--set", "battery=26", "--record", recording});
    const auto replayed = tree({"replay", recording});
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_THAT(replayed.out, HasSubstr("robot > explore > wander\n"));
    EXPECT_THAT(replayed.out, HasSubstr("robot > charge > drive_to_dock\n"));
    EXPECT_THAT(
        tree({"replay", recording, "--tick", "3"}).out,
        AllOf(HasSubstr("explore is active\n"), HasSubstr("be_carried sleeps: its condition `off_ground`")));
    EXPECT_EQ(tree({"replay", recording, "--tick", "501"}).code, 1);
    EXPECT_EQ(tree({"replay", robot}).code, 1);
}

TEST_F(TreeCli, AnswersWrongWordsWithASentence) {
    const auto verb = tree({"chekc", robot});
    EXPECT_EQ(verb.code, 2);
    EXPECT_THAT(verb.err, HasSubstr("caribou tree: error: unknown command `chekc`; did you mean `check`?"));
    EXPECT_EQ(tree({}).code, 2);
    EXPECT_THAT(tree({"run", "--help"}).out, HasSubstr("--stand-in"));
    for (const auto& words : {std::vector<std::string>{"run", robot, "--tick", "60"},
                              {"run", robot, "--set", "battery"},
                              {"run", robot, "--at", "battery=3"},
                              {"run", robot, "--reload", "x"},
                              {"check"}}) {
        const auto end = tree(words);
        EXPECT_EQ(end.code, 2) << end.err;
        EXPECT_THAT(end.err, Not(HasSubstr("terminate")));
    }
    const auto missing = tree({"check", "there/is/no.json"});
    EXPECT_EQ(missing.code, 1);
    EXPECT_THAT(missing.err, HasSubstr("cannot open there/is/no.json: no such file or directory"));
}

TEST_F(TreeCli, ListsTheClasses) { EXPECT_THAT(tree({"classes"}).out, HasSubstr("#### weighted_random")); }

}  // namespace
}  // namespace caribou::tests
