#include "robot/behavior_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "robot/behavior_program_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// Patrols if the program wants to, and rests otherwise.
constexpr std::string_view patrol_tree = R"({"base": "r", "behaviors": [
    {"class": "strict_priority", "id": "r", "children": ["patrol", "rest"]},
    {"class": "patrol", "id": "patrol", "side": 2, "children": ["step"]},
    {"class": "act", "id": "step", "action": {"wait": "100ms"}},
    {"class": "idle", "id": "rest"}]})";

std::string answer(bool yes, std::string_view why = "") {
    return std::string(R"({"type": "report", "answers": [{"object": 1, "yes": )") + (yes ? "true" : "false") +
           R"(, "why": ")" + std::string(why) + R"("}]})";
}
std::string request(std::string_view members) {
    return R"({"type": "report", "requests": [{"object": 1, "run": 1, )" + std::string(members) + "}]}";
}

TEST(BehaviorProgram, ReceivesWhatHappensToItsObjects) {
    BehaviorProgramRig rig(patrol_tree);
    rig.facts.set("battery", 50.0);
    rig.greet();
    rig.tick();
    EXPECT_THAT(rig.processes.lines, Contains(AllOf(HasSubstr(R"("class":"patrol","id":"patrol")"),
                                                    HasSubstr(R"("name":"side","value":{"number":2})"),
                                                    HasSubstr(R"("children":["step"])"))));
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr(R"("name":"battery","value":{"number":50})")));
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr(R"({"object":1,"kind":"entered")")));
    rig.processes.lines.clear();
    rig.tick();
    EXPECT_THAT(rig.processes.lines, Not(Contains(HasSubstr("battery")))) << "it has not changed";
}

TEST(BehaviorProgram, ActsThroughItsRequests) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.tick(answer(false, "it is late"));
    rig.tick();
    EXPECT_EQ(rig.stack(), "r > rest");
    EXPECT_EQ(rig.why("patrol"), "it is late");
    rig.tick(answer(true));
    rig.ticks(2);
    EXPECT_EQ(rig.stack(), "r > patrol");
    rig.tick(request(R"("kind": "delegate", "request": 7, "child": "step")"));
    rig.ticks(1);
    EXPECT_EQ(rig.stack(), "r > patrol > step");
    rig.ticks(4);
    EXPECT_THAT(rig.processes.lines,
                Contains(HasSubstr(R"("kind":"ended","run":1,"request":7,"outcome":"succeeded")")));
    rig.tick(request(R"("kind": "delegate", "request": 8, "action": "{\"wait\": \"1s\"}")"));
    rig.tick(request(R"("kind": "delegate", "request": 9, "action": "\"wiat\"")"));
    rig.ticks(2);
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr("what it began before has not ended")));
    rig.tick(request(R"("kind": "cancel")"));
    rig.tick(request(R"("kind": "delegate", "request": 10, "action": "\"wiat\"")"));
    rig.ticks(2);
    EXPECT_THAT(rig.processes.lines, Contains(AllOf(HasSubstr(R"("request":10,"outcome":"failed")"),
                                                    HasSubstr("no action is called `wiat`"))));
    rig.tick(request(R"("kind": "set", "name": "rounds", "value": {"number": 3})"));
    rig.tick(request(R"("kind": "publish", "name": "DONE", "value": {"flag": true})"));
    rig.tick(answer(false));
    rig.tick(request(R"("kind": "finish", "outcome": "failed", "text": "tired")"));
    rig.ticks(2);
    EXPECT_EQ(rig.stack(), "r > rest");
    EXPECT_EQ(*rig.facts.find("rounds"), behavior::Value(3.0));
    EXPECT_THAT(rig.published, Contains("DONE"));
}

TEST(BehaviorProgram, WritesAFewLinesPerSecondToTheLog) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.ticks(5);
    const std::size_t lines = rig.log.lines.size();
    for (int i = 0; i < 200; ++i) rig.processes.print(request(R"("kind": "log", "text": "again")") + "\n");
    rig.ticks(30);
    EXPECT_LE(rig.log.lines.size(), lines + 22);
    EXPECT_TRUE(rig.log.mentions("mine.py: 180 lines were dropped; more than 20 per second"));
}

TEST(BehaviorProgram, IsNotPassedOverBeforeItsFirstAnswer) {
    BehaviorProgramRig rig(R"({"base": "r", "behaviors": [
        {"class": "fallback", "id": "r", "children": ["patrol", "rest"]},
        {"class": "patrol", "id": "patrol"}, {"class": "idle", "id": "rest"}]})");
    rig.ticks(5, "");
    EXPECT_EQ(rig.stack(), "r") << "the program starts";
    EXPECT_EQ(rig.why("patrol"), "mine.py starts");
    rig.greet();
    rig.tick();
    EXPECT_EQ(rig.stack(), "r");
    rig.tick(answer(true));
    rig.tick();
    EXPECT_EQ(rig.stack(), "r > patrol");
}

TEST(BehaviorProgram, IsPassedOverIfItDoesNotAnswer) {
    BehaviorProgramRig rig(R"({"base": "r", "behaviors": [
        {"class": "fallback", "id": "r", "children": ["patrol", "rest"]},
        {"class": "patrol", "id": "patrol"}, {"class": "idle", "id": "rest"}]})");
    rig.greet();
    rig.ticks(19);
    EXPECT_EQ(rig.stack(), "r");
    rig.ticks(3);
    EXPECT_EQ(rig.stack(), "r > rest") << "it works, but has nothing to say about `patrol`";
}

TEST(BehaviorProgram, CountsAsNoWhileItIsSlow) {
    BehaviorProgramRig rig(patrol_tree);
    EXPECT_EQ(rig.program->trouble(), "mine.py starts");
    rig.greet();
    rig.tick(answer(true));
    EXPECT_EQ(rig.program->trouble(), "");
    rig.loop.advance(101ms);
    EXPECT_EQ(rig.program->trouble(), "mine.py has not answered for 100 ms");
    rig.tick("");
    EXPECT_EQ(rig.stack(), "r > rest");
    EXPECT_EQ(rig.why("patrol"), "mine.py has not answered for 100 ms");
}

TEST(BehaviorProgram, FailsAndIsStartedAgainIfItHangs) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.ticks(3, answer(true));
    ASSERT_EQ(rig.stack(), "r > patrol");
    rig.ticks(25, "");
    EXPECT_EQ(rig.stack(), "r > rest");
    EXPECT_EQ(rig.why("patrol"), "mine.py does not answer");
    rig.ticks(100, "");
    EXPECT_TRUE(rig.processes.is_killed);
    EXPECT_EQ(rig.why("patrol"), "mine.py: has not answered for 5 s, and was killed");
    rig.processes.end({.signal = 9});
    rig.loop.advance(1100ms);
    EXPECT_EQ(rig.processes.started, 2);
    rig.processes.lines.clear();
    rig.greet();
    EXPECT_THAT(rig.processes.lines, Contains(AllOf(HasSubstr(R"("class":"patrol")"), HasSubstr("entered"))));
    rig.tick(answer(true));
    rig.ticks(3);
    EXPECT_EQ(rig.stack(), "r > patrol");
}

TEST(BehaviorProgram, FailsAndIsStartedAgainIfItDoesNotReadItsInput) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.ticks(3, answer(true));
    ASSERT_EQ(rig.stack(), "r > patrol");
    rig.processes.reads = false;  // it reports all the same
    rig.ticks(25);
    EXPECT_EQ(rig.stack(), "r > rest");
    EXPECT_EQ(rig.why("patrol"), "mine.py does not answer");
    rig.ticks(100);
    EXPECT_TRUE(rig.processes.is_killed);
    EXPECT_EQ(rig.why("patrol"), "mine.py: has not read its input for 5 s, and was killed");
    rig.processes.reads = true;
    rig.processes.end({.signal = 9});
    rig.loop.advance(1100ms);
    EXPECT_EQ(rig.processes.started, 2);
}

TEST(BehaviorProgram, IsNotKilledForALineThatItDidNotReadWhenThereAreNoTicks) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.ticks(3, answer(true));
    rig.processes.reads = false;
    rig.tick();
    for (int i = 0; i < 200; ++i) {
        rig.loop.advance(50ms);
        rig.processes.print("{\"type\": \"report\"}\n");
    }
    EXPECT_FALSE(rig.processes.is_killed);
}

TEST(BehaviorProgram, HasTheFactsOfTheTickInWhichItIsActivated) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.ticks(3, answer(false));
    rig.tick(answer(true));
    for (int i = 0; i < 150; ++i) rig.facts.set("new:" + std::to_string(i), 1.0);
    rig.facts.set("zone", std::string("go"));
    rig.processes.lines.clear();
    rig.tick();
    ASSERT_EQ(rig.stack(), "r > patrol");
    const auto line_with = [&](std::string_view text) {
        return std::ranges::find_if(rig.processes.lines, [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        });
    };
    ASSERT_NE(line_with("\"activated\""), rig.processes.lines.end());
    EXPECT_LE(line_with("{\"text\":\"go\"}"), line_with("\"activated\""));
}

TEST(BehaviorProgram, FailsWhatIsActiveWhenItsProcessEnds) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.ticks(3, answer(true));
    ASSERT_EQ(rig.stack(), "r > patrol");
    rig.processes.end({.code = 1});
    rig.ticks(2);
    EXPECT_EQ(rig.stack(), "r > rest");
    EXPECT_EQ(rig.why("patrol"), "mine.py: has ended with 1");
    rig.processes.refuses = true;
    rig.loop.advance(10s);
    EXPECT_EQ(rig.processes.started, 4) << "after 1, 2 and 4 s";
}

TEST(BehaviorProgram, IsKilledForAMalformedLine) {
    for (const char* const line :
         {"nonsense\n", "{\"type\": \"report\", \"answers\": 5}\n", "{\"type\": \"hello\"}\n"}) {
        BehaviorProgramRig rig(patrol_tree);
        rig.greet();
        rig.processes.print(line);
        EXPECT_TRUE(rig.processes.is_killed) << line;
        EXPECT_THAT(rig.program->trouble(), HasSubstr("has sent a malformed line")) << line;
    }
    BehaviorProgramRig rig(patrol_tree);
    rig.processes.print("{\"type\": \"hello\", \"version\": 2}\n");
    EXPECT_THAT(rig.program->trouble(), HasSubstr("expected version 1 of the protocol, found 2"));
    BehaviorProgramRig long_line(patrol_tree);
    long_line.greet();
    for (int i = 0; i < 20; ++i) long_line.processes.print(std::string(64'000, 'x'));
    EXPECT_THAT(long_line.program->trouble(), HasSubstr("a line of more than 1 MiB"));
}

TEST(BehaviorProgram, CoalescesTicksThatItDoesNotRead) {
    BehaviorProgramRig rig(patrol_tree);
    rig.greet();
    rig.tick();
    rig.processes.reads = false;
    rig.facts.set("battery", 40.0);
    rig.tick();
    rig.facts.set("battery", 30.0);
    rig.tick();
    rig.processes.reads = true;
    rig.processes.lines.clear();
    rig.tick();
    ASSERT_FALSE(rig.processes.lines.empty());
    EXPECT_THAT(rig.processes.lines.front(),
                AllOf(HasSubstr(R"("skipped":2)"), HasSubstr(R"({"number":30})")));
    EXPECT_THAT(rig.processes.lines.front(), Not(HasSubstr(R"({"number":40})")));
}

TEST(BehaviorProgram, HasActionsAndConditions) {
    BehaviorProgramRig rig(R"({"base": "r", "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["wave", "rest"]},
        {"class": "act", "id": "wave", "wants": "is_dark", "action": {"wave": "3s"}},
        {"class": "idle", "id": "rest", "cancel": "is_dark"}]})");
    rig.greet();
    rig.ticks(2);
    EXPECT_EQ(rig.stack(), "r > rest");
    std::string number;
    for (const std::string& line : rig.processes.lines)
        if (const auto at = line.find(R"("kind":"condition")"); at != std::string::npos)
            number = line.substr(at - 2, 1);
    // Both conditions hold.
    rig.ticks(
        2,
        R"({"type": "report", "answers": [{"object": 1, "yes": true}, {"object": 2, "yes": true}, {"object": 3, "yes": true}]})");
    rig.ticks(2);
    EXPECT_EQ(rig.stack(), "r > wave");
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr(R"("name":"wave","value":{"number":3})")));
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr(R"("kind":"activated","run":1)")));
}

TEST(BehaviorProgram, TakesTheDefaultsOfActionsAndConditionsThatAreWrittenAsATextOnly) {
    BehaviorProgramRig rig(
        R"({"base": "r", "behaviors": [{"class": "act", "id": "r", "action": "bow", "cancel": "has_bowed"}]})",
        R"({"type": "hello", "version": 1, "classes": [{"kind": "action", "name": "bow", "parameters": [)"
        R"({"name": "bow", "kind": "number", "fallback": {"number": 2}}]}, {"kind": "condition", )"
        R"("name": "has_bowed", "parameters": [{"name": "has_bowed", "kind": "number", "fallback": {"number": 1}}]}]})");
    rig.greet();
    rig.ticks(2);
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr(R"("name":"bow","value":{"number":2})")));
    EXPECT_THAT(rig.processes.lines, Contains(HasSubstr(R"("name":"has_bowed","value":{"number":1})")));
}

TEST(BehaviorProgram, RefusesClassesThatCannotBe) {
    const auto error = [](const std::string& classes) -> std::string {
        try {
            BehaviorProgramRig rig(R"({"base": "r", "behaviors": [{"class": "idle", "id": "r"}]})",
                                   R"({"type": "hello", "version": 1, "classes": [)" + classes + "]}");
        } catch (const std::runtime_error& thrown) {
            return thrown.what();
        }
        return "";
    };
    EXPECT_EQ(error(R"({"kind": "behavior", "name": "mine"})"), "");
    EXPECT_THAT(error(R"({"kind": "behavior", "name": "idle"})"), HasSubstr("there is another class `idle`"));
    EXPECT_THAT(error(R"({"kind": "behavior", "name": "a b"})"), HasSubstr("is not the name of a class"));
    EXPECT_THAT(
        error(R"({"kind": "behavior", "name": "a", "parameters": [{"name": "wants", "kind": "text"}]})"),
        HasSubstr("a name that every behavior uses"));
    EXPECT_THAT(
        error(
            R"({"kind": "action", "name": "a", "parameters": [{"name": "b", "kind": "text", "required": true}]})"),
        HasSubstr("none of its own name"));
    EXPECT_THAT(error(R"({"kind": "action", "name": "a", "parameters": [{"name": "a", "kind": "texts"}]})"),
                HasSubstr("has the kind `texts`"));
    EXPECT_THAT(
        error(
            R"({"kind": "action", "name": "a", "parameters": [{"name": "a", "kind": "text", "fallback": {"number": 1}}]})"),
        HasSubstr("default of another type"));
}

}  // namespace
}  // namespace caribou::robot
