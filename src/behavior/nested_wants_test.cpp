// Dispatchers inside dispatchers: they want what their children want, and end when no child wants control.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// Loads a tree from a file and runs it, one tick per 100 ms.
class NestedWants : public testing::Test {
protected:
    void load(std::string_view behaviors, std::string_view base = "r") {
        ClassRegistry classes;
        register_engine_classes(classes);
        auto loaded = load_tree(
            std::vector<TreeText>{
                {"f", fmt::format(R"({{"base": "{}", "behaviors": [{}]}})", base, behaviors)}},
            classes);
        ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
        runner_ = std::make_unique<BehaviorRunner>(std::move(loaded->tree), facts_);
        ASSERT_TRUE(runner_->set_base(base).has_value());
    }
    /// Runs some ticks. Returns the top of the stack after each.
    std::vector<std::string> tops(int ticks) {
        std::vector<std::string> tops;
        for (int i = 0; i < ticks; ++i) {
            now_ += 100ms;
            const Difference difference = runner_->tick(now_);
            for (const Change& change : difference.changes)
                if (std::holds_alternative<RuleBroken>(change) || std::holds_alternative<StackReset>(change))
                    broken_.push_back(describe(change, difference.tree));
            tops.push_back(runner_->stack().empty() ? "-" : runner_->stack().back()->id());
        }
        return tops;
    }

    Facts facts_;
    std::unique_ptr<BehaviorRunner> runner_;
    Instant now_{};
    std::vector<std::string> broken_;  ///< rules broken and resets so far
};

constexpr std::string_view urgent_or_work = R"(
    {"class": "strict_priority", "id": "r", "children": ["urgent", "work"]},
    {"class": "strict_priority", "id": "urgent", "children": [
        {"class": "act", "id": "flee", "wants": {"fact": "alarm"}, "action": {"wait": "200ms"}}]},
    {"class": "idle", "id": "work"})";

TEST_F(NestedWants, ADispatcherNoneOfWhoseChildrenWantsLeavesControlToTheNext) {
    load(urgent_or_work);
    EXPECT_THAT(tops(5), Each("work"));
    EXPECT_THAT(broken_, IsEmpty());
}

TEST_F(NestedWants, ADispatcherEndsWhenNoChildWantsAnyMore) {
    load(urgent_or_work);
    facts_.set("alarm", true);
    EXPECT_THAT(tops(2), ElementsAre("flee", "flee"));
    facts_.set("alarm", false);
    EXPECT_THAT(tops(3), ElementsAre("work", "work", "work"));
    facts_.set("alarm", true);
    EXPECT_THAT(tops(1), ElementsAre("flee"));
    EXPECT_THAT(broken_, IsEmpty());
}

TEST_F(NestedWants, EveryDispatcherAsksItsChildren) {
    for (const std::string_view nested :
         {R"("class": "queue", "children": ["flee"])", R"("class": "strict_priority", "children": ["flee"])",
          R"("class": "strict_priority_with_cooldown", "children": ["flee"])",
          R"("class": "weighted_random", "children": ["flee"])",
          R"("class": "scoring", "children": ["flee"])", R"("class": "pass_through", "children": ["flee"])",
          R"("class": "repeat", "children": ["flee"])",
          R"("class": "state_machine", "children": [{"state": "s", "child": "flee"}])"}) {
        SCOPED_TRACE(nested);
        facts_.clear("alarm");
        load(fmt::format(R"(
            {{"class": "strict_priority", "id": "r", "children": ["urgent", "work"]}},
            {{"id": "urgent", {}}},
            {{"class": "idle", "id": "flee", "wants": {{"fact": "alarm"}}}},
            {{"class": "idle", "id": "work"}})",
                         nested));
        EXPECT_THAT(tops(3), Each("work"));
        facts_.set("alarm", true);
        EXPECT_THAT(tops(2), Each("flee"));
        EXPECT_THAT(broken_, IsEmpty());
    }
}

TEST_F(NestedWants, WantsAlwaysKeepsControlWithoutAChild) {
    load(R"({"class": "strict_priority", "id": "r", "children": ["urgent", "work"]},
        {"class": "strict_priority", "id": "urgent", "wants": "always", "children": [
            {"class": "idle", "id": "flee", "wants": {"fact": "alarm"}}]},
        {"class": "idle", "id": "work"})");
    EXPECT_THAT(tops(3), Each("urgent"));
    facts_.set("alarm", true);
    EXPECT_THAT(tops(1), ElementsAre("flee"));
}

TEST_F(NestedWants, TheBaseNeedsNoChildThatWants) {
    load(R"({"class": "strict_priority", "id": "r", "children": [
        {"class": "idle", "id": "flee", "wants": {"fact": "alarm"}}]})");
    EXPECT_THAT(tops(2), Each("r"));
    facts_.set("alarm", true);
    EXPECT_THAT(tops(1), ElementsAre("flee"));
}

TEST_F(NestedWants, ConditionsOfItsOwnMustHoldAsWell) {
    load(R"({"class": "strict_priority", "id": "r", "children": ["urgent", "work"]},
        {"class": "queue", "id": "urgent", "wants": {"fact": "awake"}, "children": [
            {"class": "idle", "id": "flee", "wants": {"fact": "alarm"}}]},
        {"class": "idle", "id": "work"})");
    facts_.set("alarm", true);
    EXPECT_THAT(tops(2), Each("work"));
    facts_.set("awake", true);
    EXPECT_THAT(tops(2), Each("flee"));
    facts_.set("alarm", false);
}

TEST_F(NestedWants, ReachesThroughManyLevels) {
    std::string behaviors = R"({"class": "strict_priority", "id": "r", "children": ["d0", "work"]},
        {"class": "idle", "id": "work"}, {"class": "idle", "id": "flee", "wants": {"fact": "alarm"}},)";
    constexpr int levels = 100;
    for (int i = 0; i < levels; ++i)
        behaviors +=
            fmt::format(R"({{"class": "pass_through", "id": "d{}", "children": ["{}"]}}{})", i,
                        i + 1 < levels ? fmt::format("d{}", i + 1) : "flee", i + 1 < levels ? "," : "");
    load(behaviors);
    EXPECT_THAT(tops(2), Each("work"));
    facts_.set("alarm", true);
    EXPECT_THAT(tops(2), Each("flee"));
    facts_.set("alarm", false);
    EXPECT_THAT(broken_, IsEmpty());
}

TEST_F(NestedWants, DispatchersThatListEachOtherAreAskedOnce) {
    load(R"({"class": "strict_priority", "id": "r", "children": ["a", "b", "work"]},
        {"class": "strict_priority", "id": "a", "children": ["b"]},
        {"class": "strict_priority", "id": "b", "children": ["a", "flee"]},
        {"class": "idle", "id": "flee", "wants": {"fact": "alarm"}},
        {"class": "idle", "id": "work"})");
    EXPECT_THAT(tops(3), Each("work"));
    facts_.set("alarm", true);
    EXPECT_THAT(tops(3), Each("flee"));
    EXPECT_THAT(broken_, IsEmpty());
    ASSERT_TRUE(runner_->request_reset("test", "work").has_value());
    EXPECT_THAT(tops(1), ElementsAre("work"));
    for (const char* id : {"a", "b", "flee"})
        EXPECT_EQ(runner_->tree().find(id)->state(), Behavior::State::out_of_scope) << id;
}

TEST_F(NestedWants, AChildThatNeedsWhatItsParentEnsuresCountsItsParent) {
    load(R"({"class": "strict_priority", "id": "r", "children": ["outer", "work"]},
        {"class": "pass_through", "id": "outer", "ensures": ["light"], "children": [
            {"class": "pass_through", "id": "inner", "children": [
                {"class": "idle", "id": "read", "needs_ensured": ["light"]}]}]},
        {"class": "idle", "id": "work"})");
    EXPECT_THAT(tops(2), Each("read"));
    EXPECT_THAT(broken_, IsEmpty());
}

TEST_F(NestedWants, CooldownsAndScoresCountForTheQuestion) {
    load(R"({"class": "strict_priority", "id": "r", "children": ["sometimes", "work"]},
        {"class": "strict_priority_with_cooldown", "id": "sometimes", "children": [
            {"child": {"class": "act", "id": "blink", "action": {"wait": "100ms"}}, "cooldown": "300ms"}]},
        {"class": "idle", "id": "work"})");
    EXPECT_THAT(tops(6), ElementsAre("blink", "work", "work", "work", "blink", "work"));
    load(R"({"class": "strict_priority", "id": "r", "children": ["best", "work"]},
        {"class": "scoring", "id": "best", "children": [
            {"child": {"class": "idle", "id": "sing"}, "score": 0, "score_fact": "mood"}]},
        {"class": "idle", "id": "work"})");
    EXPECT_THAT(tops(1), ElementsAre("work"));
    facts_.set("mood", 1.0);
    EXPECT_THAT(tops(1), ElementsAre("sing"));
}

TEST_F(NestedWants, AChildThatEndsAtOnceIsStartedAgainInTheNextTick) {
    load(R"({"class": "strict_priority", "id": "r", "children": ["urgent", "work"]},
        {"class": "strict_priority", "id": "urgent", "children": [
            {"class": "act", "id": "flee", "wants": {"fact": "alarm"}, "action": {"sequence": []}}]},
        {"class": "idle", "id": "work"})");
    facts_.set("alarm", true);
    for (const std::string& top : tops(4)) EXPECT_NE(top, "work");
}

}  // namespace
}  // namespace caribou::behavior
