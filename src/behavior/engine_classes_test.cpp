#include "behavior/engine_classes.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

/// Loads a tree and runs it, one tick per 100 ms.
class EngineClasses : public testing::Test {
protected:
    void load(std::string_view behaviors) {
        ClassRegistry classes;
        register_engine_classes(classes);
        auto loaded = load_tree(
            std::vector<TreeText>{{"f", fmt::format(R"({{"base": "r", "behaviors": [{}]}})", behaviors)}},
            classes);
        ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
        runner_ = std::make_unique<BehaviorRunner>(std::move(loaded->tree), facts_);
        ASSERT_TRUE(runner_->set_base("r").has_value());
    }
    std::string faults(std::string_view behaviors) {
        ClassRegistry classes;
        register_engine_classes(classes);
        const auto loaded = load_tree(
            std::vector<TreeText>{{"f", fmt::format(R"({{"base": "r", "behaviors": [{}]}})", behaviors)}},
            classes);
        return loaded ? "" : to_string(loaded.error());
    }
    /// Runs some ticks. Returns the top of the stack after each.
    std::vector<std::string> tops(int ticks) {
        std::vector<std::string> tops;
        for (int i = 0; i < ticks; ++i) {
            now_ += 100ms;
            runner_->tick(now_);
            tops.push_back(runner_->stack().empty() ? "-" : runner_->stack().back()->id());
        }
        return tops;
    }

    Facts facts_;
    std::unique_ptr<BehaviorRunner> runner_;
    Instant now_{};
};

TEST_F(EngineClasses, QueueEndsWithAFailureIfItIsToldTo) {
    load(R"({"class": "queue", "id": "r", "when_failed": "end", "children": [
        {"class": "act", "id": "a", "action": {"wait": "100ms"}}, {"class": "idle", "id": "b"}]})");
    EXPECT_THAT(tops(3), ElementsAre("a", "b", "b"));
}

TEST_F(EngineClasses, StrictPriorityInterruptsUnlessItIsToldNotTo) {
    for (const bool interrupts : {true, false}) {
        facts_.clear("x");
        load(fmt::format(R"({{"class": "strict_priority", "id": "r", "interrupts": {}, "children": [
            {{"class": "idle", "id": "a", "wants": {{"fact": "x"}}}}, {{"class": "idle", "id": "b"}}]}})",
                         interrupts));
        EXPECT_THAT(tops(1), ElementsAre("b"));
        facts_.set("x", true);
        EXPECT_THAT(tops(1), ElementsAre(interrupts ? "a" : "b"));
    }
}

TEST_F(EngineClasses, CooldownsLastAsLongAsTheFileSays) {
    load(R"({"class": "strict_priority_with_cooldown", "id": "r", "children": [
        {"child": {"class": "act", "id": "once", "action": {"wait": "100ms"}}, "cooldown": "forever"},
        {"child": {"class": "act", "id": "a", "action": {"wait": "100ms"}}, "cooldown": "300ms"},
        {"class": "idle", "id": "b"}]})");
    EXPECT_THAT(tops(7), ElementsAre("once", "a", "b", "b", "b", "a", "b"));
}

TEST_F(EngineClasses, WeightsAndScoresDecide) {
    load(R"({"class": "weighted_random", "id": "r", "children": [
        {"child": {"class": "idle", "id": "never"}, "weight": 0}, {"class": "idle", "id": "a"}]})");
    EXPECT_THAT(tops(1), ElementsAre("a"));
    facts_.set("mood", 5.0);
    load(R"({"class": "scoring", "id": "r", "children": [
        {"child": {"class": "idle", "id": "a"}, "score": 3},
        {"child": {"class": "act", "id": "b", "action": {"wait": "100ms"}}, "score_fact": "mood",
         "penalty": 100, "recovery": "1h"}]})");
    EXPECT_THAT(tops(2), ElementsAre("b", "a"));
}

TEST_F(EngineClasses, RepeatAndPassThroughHaveOneChild) {
    load(R"({"class": "queue", "id": "r", "children": [
        {"class": "repeat", "id": "twice", "times": 2, "children": [
            {"class": "pass_through", "children": [{"class": "act", "id": "a", "action": {"wait": "100ms"}}]}]},
        {"class": "idle", "id": "b"}]})");
    const auto seen = tops(6);
    EXPECT_EQ(seen.front(), "a");
    EXPECT_EQ(seen.back(), "b");
}

TEST_F(EngineClasses, StateMachineFollowsItsTransitions) {
    load(R"({"class": "state_machine", "id": "r", "children": [
        {"state": "resting", "child": {"class": "idle", "id": "a"}, "transitions": [
            {"to": "working", "kind": "interrupting", "when": {"fact": "x"}}]},
        {"state": "working", "child": {"class": "act", "id": "b", "action": {"wait": "200ms"}}, "transitions": [
            {"to": "back", "kind": "on_exit"}]}]})");
    EXPECT_THAT(tops(1), ElementsAre("a"));
    facts_.set("x", true);
    EXPECT_THAT(tops(1), ElementsAre("b"));
    facts_.set("x", false);
    EXPECT_THAT(tops(2), ElementsAre("b", "a"));
}

TEST_F(EngineClasses, TransitionsDependOnHowTheBehaviorEnded) {
    for (const char* expected : {"happy", "sad"}) {
        load(fmt::format(R"({{"class": "state_machine", "id": "r", "children": [
            {{"state": "try", "child": {{"class": "{}", "children": [
                {{"class": "act", "id": "a", "action": {{"wait": "100ms"}}}}]}}, "transitions": [
                {{"to": "won", "kind": "on_exit", "outcome": "succeeded"}},
                {{"to": "lost", "kind": "on_exit", "outcome": "failed"}}]}},
            {{"state": "won", "child": {{"class": "idle", "id": "happy"}}}},
            {{"state": "lost", "child": {{"class": "idle", "id": "sad"}}}}]}})",
                         expected == std::string_view("happy") ? "pass_through" : "force_failure"));
        EXPECT_THAT(tops(2), ElementsAre("a", expected));
    }
}

TEST_F(EngineClasses, SelectorsEndWithTheirChildIfTheyAreToRunOnce) {
    for (const std::string_view selector :
         {"strict_priority", "strict_priority_with_cooldown", "weighted_random", "scoring"}) {
        SCOPED_TRACE(selector);
        for (const bool once : {true, false}) {
            load(fmt::format(R"({{"class": "queue", "id": "r", "children": [
                {{"class": "{}", "id": "one_of", "once": {}, "children": [
                    {{"class": "act", "id": "a", "action": {{"wait": "100ms"}}}}]}},
                {{"class": "idle", "id": "then"}}]}})",
                             selector, once));
            EXPECT_THAT(tops(3), ElementsAre("a", once ? "then" : "a", once ? "then" : "a"));
        }
    }
}

TEST_F(EngineClasses, TryOneThingAndAnotherIfItFails) {
    load(R"({"class": "fallback", "id": "r", "children": [
        {"class": "retry", "attempts": 2, "children": [
            {"class": "timeout", "limit": "100ms", "children": [{"class": "idle", "id": "door"}]}]},
        {"class": "sequence", "children": [
            {"class": "act", "id": "ladder", "action": {"wait": "100ms"}}, {"class": "idle", "id": "window"}]}]})");
    EXPECT_THAT(tops(5), ElementsAre("door", "r/retry", "door", "ladder", "window"));
}

TEST_F(EngineClasses, ACooldownIsSpentByAnActivation) {
    load(R"({"class": "strict_priority", "id": "r", "children": [
        {"class": "act", "id": "first", "wants": {"fact": "busy"}, "action": {"wait": "1s"}},
        {"class": "act", "id": "play", "wants": {"cooldown": "1h", "when": {"fact": "cube"}},
         "action": {"wait": "100ms"}},
        {"class": "idle", "id": "rest"}]})");
    facts_.set("busy", true);
    facts_.set("cube", true);
    EXPECT_THAT(tops(2), ElementsAre("first", "first"));
    facts_.set("cube", false);
    facts_.set("busy", false);
    EXPECT_THAT(tops(10).back(), "rest");
    facts_.set("cube", true);
    EXPECT_THAT(tops(3), ElementsAre("play", "rest", "rest")) << "it was seen before, but it never ran";
}

TEST_F(EngineClasses, ActionsCanBeJoined) {
    load(R"({"class": "act", "id": "r", "action": {"sequence": [
        {"wait": "100ms"}, {"parallel": [{"wait": "200ms"}, {"wait": "100ms"}]}]}})");
    EXPECT_THAT(tops(5), ElementsAre("r", "r", "r", "-", "-"));
}

TEST_F(EngineClasses, ConditionsAreMadeAsWritten) {
    load(R"({"class": "idle", "id": "r",
        "wants": [{"or": [{"fact": "a", ">=": 2}, {"not": {"fact": "b", "==": "red"}}]}, {"after": "5s"}],
        "cancel": [{"held": "2s", "when": {"fact": "c"}}, {"cooldown": "1min", "when": {"and": []}}]})");
    tops(1);
    std::vector<std::string> texts;
    for (const Condition* condition : (runner_->tree())[0].conditions())
        texts.push_back(condition->describe());
    EXPECT_THAT(texts, ElementsAre("(a >= 2 or not b == red)", "a >= 2", "not b == red", "b == red",
                                   "after 5 s", "c for 2 s", "c", "always at most every 60 s", "always"));
}

TEST_F(EngineClasses, ReportDispatchersThatCannotWork) {
    const auto with = [&](std::string_view its_class, std::string_view children) {
        return faults(
            fmt::format(R"({{"class": "{}", "id": "r", "children": [{}]}}, {{"class": "idle", "id": "a"}})",
                        its_class, children));
    };
    EXPECT_THAT(with("strict_priority", R"("a", "a")"), HasSubstr("`strict_priority` lists a child twice"));
    EXPECT_THAT(with("weighted_random", R"({"child": "a", "weight": 0})"),
                HasSubstr("no child can ever be drawn: all weights are 0"));
    EXPECT_THAT(with("weighted_random", R"({"child": "a", "jitter": 0.5})"),
                HasSubstr("a `jitter` varies a `cooldown` with a duration, and there is none"));
    EXPECT_THAT(
        with("strict_priority_with_cooldown", R"({"child": "a", "jitter": 1, "cooldown": "forever"})"),
        HasSubstr("a `jitter` varies a `cooldown` with a duration, and there is none"));
    EXPECT_THAT(with("scoring", R"({"child": "a", "score": 0})"),
                HasSubstr("a child with a `score` of 0 or less and no `score_fact` is never started"));
    EXPECT_THAT(with("scoring", R"({"child": "a", "recovery": "1s"})"),
                HasSubstr("a `recovery` is from a `penalty`, and there is none"));
}

TEST_F(EngineClasses, ReportStateMachinesThatCannotWork) {
    const auto with = [&](std::string_view children) {
        return faults(fmt::format(R"({{"class": "state_machine", "id": "r", "children": [{}]}},
            {{"class": "idle", "id": "a"}})",
                                  children));
    };
    EXPECT_THAT(with(R"({"child": "a"})"), HasSubstr("the child needs `state`: a text"));
    EXPECT_THAT(with(R"("a")"), HasSubstr("the child needs `state`: a text"));
    EXPECT_THAT(with(R"({"child": "a", "state": "s"}, {"child": "a", "state": "s"})"),
                HasSubstr("two states are called `s`"));
    EXPECT_THAT(with(R"({"child": "a", "state": "back"})"), HasSubstr("no state can be called `back`"));
    EXPECT_THAT(with(R"({"child": "a", "state": "s"}, {"child": "a", "state": "t"})"),
                HasSubstr("no transition leads to the state `t`"));
    EXPECT_THAT(
        with(R"({"child": "a", "state": "start", "transitions": [{"to": "strat", "kind": "on_exit"}]})"),
        HasSubstr("the state `start` leads to `strat`, which is not a state; did you mean `start`?"));
    EXPECT_THAT(with(R"({"child": "a", "state": "s", "transitions": [{"to": "s", "kind": "when_idle"}]})"),
                HasSubstr("the transition from `s` to `s` needs `when`: only on_exit can go without"));
    EXPECT_THAT(with(R"({"child": "a", "state": "s", "transitions": [
        {"to": "s", "kind": "when_idle", "when": {"fact": "x"}, "outcome": "failed"}]})"),
                HasSubstr("the transition from `s` to `s` has an `outcome`: only on_exit can have one"));
    EXPECT_THAT(with(R"({"child": "a", "state": "s", "transitions": [3]})"),
                HasSubstr("each of `transitions` is an object, not a number"));
    EXPECT_THAT(with(R"({"child": "a", "state": "s", "transitions": [{"kind": "on_exit"}]})"),
                HasSubstr("each of `transitions` needs `to`: a text"));
}

}  // namespace
}  // namespace caribou::behavior
