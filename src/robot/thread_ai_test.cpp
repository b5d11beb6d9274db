#include "robot/thread_ai.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "base/json_node.hpp"
#include "behavior/recording.hpp"
#include "behavior/replay.hpp"
#include "data/tick_recording.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A robot in RM2 with this tree, connected.
void start_with(RobotRig& rig, std::string tree) {
    rig.tree_text = std::move(tree);
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(1s);
}

TEST(ThreadAi, EndsAllBehaviorsWhenRm2IsLeft) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, R"({"base": "r", "behaviors": [
        {"class": "idle", "id": "r", "requirement": "cube_optional_active"}]})");
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: r"));
    EXPECT_THAT(rig.tell("cubes line=status"), ElementsAre(HasSubstr("subscriber   r")));
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("cubes line=status"), ElementsAre(Not(HasSubstr("subscriber   "))));
    EXPECT_THAT(rig.tell("behaviors line=show"),
                ElementsAre("DONE: nothing is active: behaviors run in RM2, and the robot is in RM3; "
                            "`set_run_mode mode=2` changes that"));
    EXPECT_THAT(rig.tell("behaviors line=\"why r\""),
                ElementsAre(HasSubstr("r: behaviors run in RM2, and the robot is in RM3")));
    EXPECT_THAT(rig.tell("behaviors line=\"start r\""),
                ElementsAre(AllOf(StartsWith("FAILED"), HasSubstr("behaviors run in RM2"))));
    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: r"));
}

TEST(ThreadAi, StatesWhatItDoes) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, std::string(RobotRig::tree));
    EXPECT_THAT(rig.tell("behaviors line=doing"), ElementsAre("DONE: Spin."));
    EXPECT_THAT(rig.tell("setRM(3)"), ElementsAre(StartsWith("DONE")));
    EXPECT_THAT(rig.tell("behaviors line=doing"),
                ElementsAre(StartsWith("DONE: Nothing: behaviors run in RM2, and the robot is in RM3")));
}

TEST(ThreadAi, ReportsWhyTheBaseHasEnded) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, R"({"base": "r", "behaviors": [{"class": "sequence", "id": "r", "children": [
        {"class": "act", "id": "greet", "wants": {"fact": "dock_wanted"}, "action": {"wait": "1s"}}]}]})");
    const std::string why =
        "r has ended, failed: greet does not want control: its condition `dock_wanted` does not hold";
    EXPECT_THAT(rig.tell("behaviors line=show"),
                ElementsAre("DONE: nothing is active: " + why + "; `reset` starts it again"));
    EXPECT_THAT(rig.tell("behaviors line=why"), ElementsAre(HasSubstr(why)));
    EXPECT_TRUE(rig.log.mentions("ai: " + why));
    rig.robot->ai().set_fact("dock_wanted", true);
    EXPECT_THAT(rig.tell("behaviors line=reset"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(200ms);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: r > greet"));
}

TEST(ThreadAi, ReportsHowAndWhenABehaviorHasEnded) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, R"({"base": "r", "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["trip", "rest"]},
        {"class": "sequence", "id": "trip", "wants": {"cooldown": "1h", "when": {"not": {"fact": "stuck"}}},
         "children": [{"class": "timeout", "id": "v3", "limit": "200ms", "children": [{"class": "idle"}]}]},
        {"class": "idle", "id": "rest"}]})");
    rig.loop.advance(2s);
    for (const char* const line : {"behaviors line=\"why v3\"", "behaviors line=why"}) {
        const auto answer = rig.tell(line);
        EXPECT_THAT(answer, ElementsAre(HasSubstr("v3: its parent has not considered it again; it ended ")));
        EXPECT_THAT(answer, ElementsAre(HasSubstr(" s ago, failed: timed out after 200ms")));
    }
}

TEST(ThreadAi, ReportsWhyTheBaseDeclines) {
    RobotRig rig("DefaultRunMode = 2");
    rig.wants_to_spin = false;
    start_with(rig, std::string(RobotRig::tree));
    EXPECT_THAT(rig.tell("behaviors line=show"),
                ElementsAre("DONE: nothing is active: spin declines: it does not want to: it is dizzy"));
}

TEST(ThreadAi, AcceptsOnlyTheVariablesOfTheBusThatAreConfigured) {
    const std::string tree = R"({"base": "spin", "behaviors": [
        {"class": "spin", "id": "spin", "wants": {"fact": "bus:DEPTH", "<": 2}}]})";
    RobotRig with("DefaultRunMode = 2\n[bus]\njoin = true\n[ai]\nbus_facts = [\"DEPTH\"]");
    start_with(with, tree);
    EXPECT_THAT(with.tell("status"), ElementsAre(Not(HasSubstr("behavior_tree"))));
    RobotRig without("DefaultRunMode = 2\n[bus]\njoin = true\n[ai]\nbus_facts = [\"DEPHT\"]");
    start_with(without, tree);
    EXPECT_THAT(
        without.tell("status"),
        ElementsAre(HasSubstr("nothing sets the fact `bus:DEPTH`; it is not a variable of the bus that "
                              "`ai.bus_facts` names; did you mean `bus:DEPHT`?")));
}

/// A base that counts in a fact of the tree, and then waits.
std::string counting(std::string_view id, std::string_view facts) {
    return fmt::format(R"({{"base": "{}", "facts": {}, "behaviors": [
        {{"class": "strict_priority", "id": "{}", "children": ["count", "wait"]}},
        {{"class": "act", "id": "count", "wants": {{"fact": "rounds", "<": 3}}, "action": {{"add": 1, "to": "rounds"}}}},
        {{"class": "idle", "id": "wait", "requirement": "cube_optional_active"}}]}})",
                       id, facts, id);
}

TEST(ThreadAiReload, ReplacesTheTreeWhileItRuns) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, counting("old", R"({"rounds": 0, "gone": 1})"));
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: old > wait"));
    rig.tree_text = counting("new", R"({"rounds": 0, "mood": "good"})");
    EXPECT_THAT(rig.tell("behaviors line=reload"),
                ElementsAre(StartsWith("DONE: the new tree has 3 behaviors; new is the base")));
    rig.loop.advance(200ms);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: new > wait"));
    const behavior::Facts& facts = rig.robot->ai().facts();
    EXPECT_EQ(*facts.find("rounds"), behavior::Value(3.0)) << "it goes on where it was";
    EXPECT_EQ(*facts.find("mood"), behavior::Value("good"));
    EXPECT_EQ(facts.find("gone"), nullptr);
    EXPECT_THAT(rig.tell("cubes line=status"), ElementsAre(HasSubstr("subscriber   wait")));
    EXPECT_TRUE(rig.audit.findings().empty());
}

TEST(ThreadAiReload, SaysThatProgramsAreNotLoadedAgain) {
    RobotRig rig("DefaultRunMode = 2\n[ai]\nprograms = [\"patrol.py\"]");
    start_with(rig, std::string(RobotRig::tree));
    EXPECT_THAT(rig.tell("behaviors line=reload"),
                ElementsAre("DONE: the new tree has 1 behaviors; spin is the base; the programs of "
                            "`ai.programs` go on with the code with which they started: restart the robot to "
                            "load new code"));
}

TEST(ThreadAiReload, LeavesTheTreeAloneIfTheNewOneIsBad) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, std::string(RobotRig::tree));
    const std::uint64_t ticks = rig.robot->ai().ticks();
    rig.tree_text = R"({"base": "spin", "behaviors": [{"class": "spni", "id": "spin"}]})";
    EXPECT_THAT(rig.tell("behaviors line=\"reload bad.json\""),
                ElementsAre(AllOf(
                    StartsWith("BAD_ARGUMENT"), HasSubstr("the tree is refused, and the one before goes on"),
                    HasSubstr("bad.json:1:42: no class of behaviors is called `spni`; did you mean "
                              "`spin`?"))));
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: spin"));
    EXPECT_NE(rig.body.driven, motion::WheelSpeeds{});
    EXPECT_GT(rig.robot->ai().ticks(), ticks);
}

TEST(ThreadAiReload, ReadsATreeOfSeveralFiles) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, std::string(RobotRig::tree));
    rig.tree_text = R"({"base": "r", "behaviors": [{"class": "queue", "id": "r", "children": ["wait"]}]})";
    EXPECT_THAT(rig.tell("behaviors line=\"reload a.json\""), ElementsAre(HasSubstr("a.json:1:")));
    rig.more_tree_text = R"({"behaviors": [{"class": "idle", "id": "wiat"}]})";
    EXPECT_THAT(rig.tell("behaviors line=\"reload a.json  b.json\""),
                ElementsAre(AllOf(HasSubstr("a.json:1:"), HasSubstr("did you mean `wiat`?"))));
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: spin"));
    rig.more_tree_text = R"({"behaviors": [{"class": "idle", "id": "wait"}]})";
    EXPECT_THAT(rig.tell("behaviors line=\"reload a.json b.json\""),
                ElementsAre(StartsWith("DONE: the new tree has 2 behaviors; r is the base")));
    rig.loop.advance(200ms);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: r > wait"));
}

TEST(ThreadAiReload, TakesEffectWithTheNextRm2) {
    RobotRig rig("DefaultRunMode = 3");
    start_with(rig, std::string(RobotRig::tree));
    rig.tree_text = counting("new", R"({"rounds": 0})");
    EXPECT_THAT(rig.tell("behaviors line=reload"), ElementsAre(StartsWith("DONE: the new tree")));
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre(HasSubstr("behaviors run in RM2")));
    EXPECT_THAT(rig.tell("setRM(2)"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(1s);
    EXPECT_THAT(rig.tell("behaviors line=show"), ElementsAre("DONE: new > wait"));
}

TEST(ThreadAiReload, LogsOneLineForEachErrorOfATree) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, "{\"base\": \"x\", \"behaviors\": [{\"class\": \"spni\"},\n{\"class\": \"idel\"}]}");
    std::vector<std::string> errors;
    for (const MemoryLog::Line& line : rig.log.lines)
        if (line.text.contains("no class of behaviors")) errors.push_back(line.text);
    EXPECT_THAT(errors, ElementsAre(HasSubstr("spni"), HasSubstr("idel"))) << "each with its place";
    EXPECT_FALSE(rig.log.mentions("\n"));
}

TEST(ThreadAiReload, AnswersWithoutALineFeedAtTheEnd) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, std::string(RobotRig::tree));
    rig.tree_text = RobotRig::tree;
    for (const char* const line : {"why", "facts", "show", "help", "reload"})
        EXPECT_THAT(rig.tell(fmt::format("behaviors line={}", line)),
                    ElementsAre(AllOf(StartsWith("DONE"), Not(EndsWith("\n")))))
            << line;
}

TEST(ThreadAiReload, EndsTheFaultOfABadTree) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, R"({"base": "x"})");
    EXPECT_THAT(rig.station.telemetry.back().faults, ElementsAre("behavior_tree"));
    rig.tree_text = RobotRig::tree;
    EXPECT_THAT(rig.tell("behaviors line=reload"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(500ms);
    EXPECT_EQ(rig.station.telemetry.back().behavior, "spin");
    EXPECT_TRUE(rig.station.telemetry.back().faults.empty());
}

/// Returns the copied recording of a robot.
Bytes recording_of(RobotRig& rig) {
    const auto first_answer = [&](const std::string& line) {
        const std::vector<std::string> answers = rig.tell(fmt::format("behaviors line=\"{}\"", line));
        return answers.size() == 1 && answers[0].starts_with("DONE: ") ? answers[0].substr(6) : std::string();
    };
    const auto node = read_json(first_answer("record"));
    if (!node) return {};
    const auto offer = data::from_json<data::TickRecording>(*node, "recording");
    Bytes bytes;
    while (offer && bytes.size() < offer->bytes) {
        const auto piece =
            base64_content(first_answer(fmt::format("record {} {}", offer->number, bytes.size())));
        if (!piece || piece->empty()) break;
        append(bytes, *piece);
    }
    return bytes;
}

TEST(ThreadAiRecord, HandsOutEveryTickSoFar) {
    RobotRig rig("DefaultRunMode = 2");
    start_with(rig, counting("old", R"({"rounds": 0})"));
    rig.tree_text = counting("new", R"({"rounds": 0})");
    EXPECT_THAT(rig.tell("behaviors line=reload"), ElementsAre(StartsWith("DONE")));
    rig.loop.advance(1s);
    const std::uint64_t ticks = rig.robot->ai().ticks();
    const Bytes bytes = recording_of(rig);
    const auto recording = behavior::Recording::read(bytes);
    ASSERT_TRUE(recording) << recording.error().message;
    EXPECT_GE(recording->ticks().size(), ticks);
    EXPECT_EQ(recording->trees().size(), 2U) << "the tree that was loaded while it ran";
    behavior::Replay replay(*recording);
    bool counted = false;
    do {
        const auto& stack = replay.state().stack;
        counted = counted || (!stack.empty() && replay.id(stack.back()) == "count");
    } while (replay.step());
    EXPECT_TRUE(counted) << "three ticks at the very beginning";
    EXPECT_EQ(replay.id(replay.state().stack.front()), "new");
}

}  // namespace
}  // namespace caribou::robot
