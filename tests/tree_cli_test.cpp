// Process tests of `caribou tree`.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
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
    for (const char* name : {"explorer", "robot", "guard", "pet", "cube_game", "patrol_and_wink"}) {
        const auto end = tree({"check", "--trial", in_repository("examples/trees/") + name + ".json"});
        EXPECT_EQ(end.code, 0) << end.err;
        EXPECT_THAT(end.out, HasSubstr("behaviors, all reached from"));
        EXPECT_EQ(end.err, "") << "no warnings";
    }
}

TEST_F(TreeCli, DoesNotWaitForAPipeInPlaceOfAFile) {
    const std::string pipe = file("pipe.json");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto end = tree({"check", robot, pipe});
    EXPECT_NE(end.code, 0);
    EXPECT_THAT(end.err, HasSubstr(pipe + " is not a regular file"));
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
              HasSubstr(bad + ":3:2: `b` is unreachable from the base `a`")));
}

TEST_F(TreeCli, TakesClassesOfARobotAsStandIns) {
    const std::string own =
        file("own.json", R"({"base": "a", "behaviors": [{"class": "roll_on", "id": "a", "speed": 3}]})");
    EXPECT_EQ(tree({"check", own}).code, 1);
    EXPECT_EQ(tree({"check", own, "--stand-in", "roll_on"}).code, 0);
    EXPECT_EQ(tree({"check", own, "--stand-in", "roll on"}).code, 2);
    const std::string parts = file("parts.json", R"({"base": "a", "behaviors": [
{"class": "act", "id": "a", "wants": ["dark", {"not": {"loud": 3, "for": "2s"}}],
 "action": {"sequence": ["beep", {"hum": "a song", "times": 2}]}}]})");
    const auto end = tree({"check", parts, "--stand-in", "dark", "--stand-in", "loud", "--stand-in", "beep",
                           "--stand-in", "hum"});
    EXPECT_EQ(end.code, 0) << end.err;
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

TEST_F(TreeCli, AcceptsOnlySettingsThatFitAFact) {
    const auto refusal = [&](const std::string& option, const std::string& setting) {
        const auto end = tree({"run", robot, "--ticks", "1", option, setting});
        EXPECT_EQ(end.code, 2) << setting;
        return end.err;
    };
    EXPECT_EQ(refusal("--set", "batery=20"),
              "caribou tree run: --set: neither a robot nor the tree has the fact `batery`; did you mean "
              "`battery`?\n");
    EXPECT_EQ(refusal("--set", "battery=full"),
              "caribou tree run: --set: `battery` is a number from 0 to 100 (%), not full\n");
    EXPECT_EQ(refusal("--set", "charging=1"),
              "caribou tree run: --set: `charging` is true or false, not 1\n");
    EXPECT_EQ(refusal("--at", "1:battery=500"),
              "caribou tree run: --at: `battery` is a number from 0 to 100 (%), not 500\n");
    EXPECT_THAT(refusal("--at", "1:batery="), HasSubstr("did you mean `battery`?"));
    EXPECT_EQ(tree({"run", robot, "--ticks", "1", "--set", "cube_name=5", "--at", "1:battery="}).code, 0);
}

TEST_F(TreeCli, ReportsHowTheBaseEnds) {
    const std::string wink = file("wink.json", R"({"base": "r", "behaviors": [
{"class": "sequence", "id": "r", "children": [
 {"class": "act", "id": "approach", "wants": {"fact": "sees_cube"}, "action": {"wait": "1s"}}]}]})");
    const auto end = tree({"run", wink});
    EXPECT_EQ(end.code, 0);
    EXPECT_THAT(end.out, HasSubstr("r has ended, failed: approach does not want control: its condition "
                                   "`sees_cube` does not hold\n"));
    EXPECT_THAT(tree({"run", wink, "--json"}).out, HasSubstr("\"notes\": [\"r has ended, failed: approach"));
}

TEST_F(TreeCli, ChecksATreeForARobot) {
    const std::string own = file("own.json", R"({"base": "a", "behaviors": [
{"class": "idle", "id": "a", "wants": {"fact": "bus:DEPTH", "<": 3}}]})");
    const auto config = [&](const std::string& name, const std::string& variables) {
        return file(name,
                    "[bus]\njoin = true\n[ai]\ntree = \"" + own + "\"\nbus_facts = [" + variables + "]\n");
    };
    const std::string good = config("good.toml", "\"DEPTH\"");
    const std::string bad = config("bad.toml", "\"SPEED\"");
    EXPECT_EQ(tree({"check", own}).code, 0) << "it fits some robot";
    EXPECT_EQ(tree({"check", own, "--robot", good}).code, 0);
    const auto end = tree({"check", "--robot", bad});
    EXPECT_EQ(end.code, 1);
    EXPECT_THAT(end.err,
                HasSubstr("own.json:2:48: nothing sets the fact `bus:DEPTH`; it is not a variable of "
                          "the bus that `ai.bus_facts` names"));
    const auto start = run({"robot", "--check-config", "-c", bad});
    EXPECT_EQ(start.code, 1);
    EXPECT_THAT(start.err, HasSubstr("nothing sets the fact `bus:DEPTH`")) << "the same";
    EXPECT_EQ(tree({"check", own, "--robot", bad, "--trial"}).code, 2);
    EXPECT_THAT(tree({"check", own, "--robot", "nothing.toml"}).err, HasSubstr("cannot open nothing.toml"));
}

TEST_F(TreeCli, ChecksATreeOfSeveralFilesForARobot) {
    const std::string main = file(
        "main.json", R"({"base": "r", "behaviors": [{"class": "queue", "id": "r", "children": ["nap"]}]})");
    const std::string nap = file("nap.json", R"({"behaviors": [{"class": "idle", "id": "nap"}]})");
    const std::string both = file("both.toml", "[ai]\ntree = [\"" + main + "\", \"" + nap + "\"]\n");
    const auto good = tree({"check", "--robot", both});
    EXPECT_EQ(good.out, "2 behaviors, all reached from r\n") << good.err;
    EXPECT_EQ(run({"robot", "--check-config", "-c", both}).code, 0);
    const auto alone =
        run({"robot", "--check-config", "-c", file("one.toml", "[ai]\ntree = \"" + main + "\"\n")});
    EXPECT_EQ(alone.code, 1);
    EXPECT_THAT(alone.err, HasSubstr("no behavior has the id `nap`"));
    const std::string doubtful =
        file("doubtful.json", R"({"base": "r", "conditions": {"low": {"fact": "battery", "<": 9}},
"behaviors": [{"class": "act", "id": "r", "action": "undock"}]})");
    const auto warned =
        run({"robot", "--check-config", "-c", file("doubtful.toml", "[ai]\ntree = \"" + doubtful + "\"\n")});
    EXPECT_EQ(warned.code, 0);
    EXPECT_THAT(warned.out, HasSubstr("doubtful.toml is good, with 2 warnings\n"));
    EXPECT_EQ(warned.err, tree({"check", doubtful}).err);
    EXPECT_THAT(tree({"check", "--robot", file("none.toml", "[ai]\ntree = \"\"\n")}).out,
                HasSubstr("has the built-in tree"));
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

TEST_F(TreeCli, WarnsAboutPartsWithoutEffect) {
    const std::string doubtful =
        file("doubtful.json", R"({"base": "r", "conditions": {"low": {"fact": "battery", "<": 9}},
"behaviors": [{"class": "strict_priority", "id": "r", "children": ["a", "b"]},
{"class": "idle", "id": "a"},
{"class": "idle", "id": "b"}]})");
    const auto end = tree({"check", doubtful});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, HasSubstr("3 behaviors, all reached from r\n"));
    EXPECT_THAT(
        end.err,
        AllOf(HasSubstr("doubtful.json:1:30: warning: the condition `low` is not used"),
              HasSubstr("doubtful.json:4:1: warning: `b` can never run: `a` comes before it in `r`")));
}

TEST_F(TreeCli, ReportsEveryMistakeOfTheManualInItsWords) {
    std::ifstream manual(in_repository("docs/behaviors.md"));
    std::string line;
    while (std::getline(manual, line) && !line.starts_with("| mistake |")) {}
    std::getline(manual, line);  // the rule below the head
    int mistakes = 0;
    while (std::getline(manual, line) && line.starts_with("| ")) {
        SCOPED_TRACE(line);
        const auto begin = line.find(" | `{") + 4;
        const auto end = line.find("}` | ", begin) + 1;
        ASSERT_NE(end, std::string::npos + 1);
        const std::string written = line.substr(begin, end - begin);
        std::string message = line.substr(end + 4, line.size() - end - 6);
        const bool is_whole = written.starts_with("{\"b");
        const std::string path =
            file("mistake.json", is_whole ? written : "{\"base\": \"r\", \"behaviors\": [" + written + "]}");
        if (const auto at = message.find("FILE"); at != std::string::npos) message.replace(at, 4, path);
        const auto checked = tree({"check", path});
        EXPECT_EQ(checked.code, message.starts_with("warning: ") ? 0 : 1);
        EXPECT_THAT(checked.err, AllOf(StartsWith(path + ":1:"), testing::EndsWith(": " + message + "\n")));
        EXPECT_EQ(std::ranges::count(checked.err, '\n'), 1) << "one cause, one message";
        ++mistakes;
    }
    EXPECT_GE(mistakes, 25);
}

TEST_F(TreeCli, NestedDispatchersWantWhatTheirChildrenWant) {
    const std::string nested = file("nested.json", R"({"base": "r", "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["urgent", "work"]},
        {"class": "strict_priority", "id": "urgent", "children": [
            {"class": "act", "id": "flee", "wants": {"fact": "stuck"}, "action": {"wait": "120ms"}}]},
        {"class": "idle", "id": "work"}]})");
    const auto end = tree({"run", nested, "--ticks", "20", "--at", "5:stuck=true", "--at", "9:stuck=false"});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("r > work\n"), HasSubstr("r > urgent > flee\n")));
    EXPECT_THAT(end.out, Not(HasSubstr("reset")));
    EXPECT_LT(end.out.find("r > urgent > flee"), end.out.rfind("r > work")) << end.out;
    const auto why = tree({"explain", nested, "--behavior", "urgent", "--ticks", "3"});
    EXPECT_THAT(why.out,
                AllOf(HasSubstr("`urgent` was asked and declined: no child wants control\n"),
                      HasSubstr("  `flee` was asked and declined: its condition `stuck` does not hold\n")));
}

TEST_F(TreeCli, ExplainsARunAndARecording) {
    const auto live = tree({"explain", robot, "--behavior", "roll_cube", "--set", "battery=60"});
    EXPECT_EQ(live.code, 0) << live.err;
    EXPECT_THAT(live.out,
                HasSubstr("`play` was asked and declined: its condition `cube_seen` does not hold\n"));

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

TEST_F(TreeCli, ListsTheClasses) {
    EXPECT_THAT(tree({"classes"}).out, HasSubstr("#### weighted_random"));
    const std::string program = file("mine", R"(#!/bin/sh
echo '{"type": "hello", "version": 1, "classes": [{"kind": "action", "name": "wave"}]}'; cat > /dev/null
)");
    ASSERT_EQ(::chmod(program.c_str(), 0700), 0);
    const std::string config = file("mine.toml", "[ai]\nprograms = [\"" + program + "\"]\n");
    const auto end = tree({"classes", "--robot", config});
    EXPECT_EQ(end.code, 0) << end.err;
    EXPECT_THAT(end.out, AllOf(HasSubstr("#### weighted_random"), HasSubstr("#### wave")));
    EXPECT_THAT(tree({"classes", "--json", "--robot", config}).out, HasSubstr("\"wave\""));
    EXPECT_THAT(tree({"classes", "--robot", "nothing.toml"}).err, HasSubstr("cannot open nothing.toml"));
}

}  // namespace
}  // namespace caribou::tests
