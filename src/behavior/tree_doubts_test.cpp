#include "behavior/tree_doubts.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/wait_action.hpp"

namespace caribou::behavior {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class TreeDoubts : public testing::Test {
protected:
    TreeDoubts() {
        register_engine_classes(classes_);
        classes_.add(BehaviorClass{
            .name = "connect",
            .max_children = 1,
            .ensures = {"connection"},
            .make = [](std::string id, const Arguments&) { return std::make_unique<Empty>(std::move(id)); },
            .link = [](Behavior&, std::span<const LinkedChild>) -> Result<void> { return {}; }});
        BehaviorClass plug = classes_.behaviors().at("queue");
        plug.name = "plug";
        plug.ensures = {"power"};
        classes_.add(std::move(plug));
        classes_.add(
            ActionClass{.name = "shine",
                        .should_be_ensured = "power",
                        .or_fact = "has_power",
                        .make = [](const Arguments&) { return std::make_unique<WaitAction>(Duration{}); }});
        ActionClass arrive = classes_.actions().at("shine");
        arrive.name = "arrive";
        arrive.should_be_ensured = "";
        ActionClass leave = arrive;
        leave.name = "leave";
        arrive.next_needs_flag = leave.needs_flag = "allowed_charging";
        classes_.add(std::move(arrive));
        classes_.add(std::move(leave));
    }
    /// Returns the warnings about a tree, one per line of the file.
    std::vector<std::string> warnings(std::string_view behaviors, std::string_view conditions = "{}") {
        const std::vector<TreeText> files{
            {"f", fmt::format("{{\"base\": \"r\", \"conditions\": {},\n\"behaviors\": [\n{}]}}", conditions,
                              behaviors)}};
        const auto loaded = load_tree(files, classes_);
        if (!loaded) {
            ADD_FAILURE() << to_string(loaded.error());
            return {};
        }
        std::vector<std::string> texts;
        for (const TreeFault& warning : loaded->warnings) texts.push_back(to_string(warning));
        return texts;
    }

private:
    class Empty final : public Behavior {
        using Behavior::Behavior;
    };
    ClassRegistry classes_;
};

TEST_F(TreeDoubts, AreNoneAboutATreeInWhichEverythingCanRun) {
    EXPECT_THAT(warnings(R"({"class": "strict_priority", "id": "r", "children": [
        {"class": "idle", "id": "a", "wants": {"fact": "x"}},
        {"class": "queue", "children": [{"class": "act", "action": {"wait": "1s"}},
                                        {"class": "idle", "cancel": {"after": "1s"}}]}]})"),
                IsEmpty());
}

TEST_F(TreeDoubts, NameABaseThatEndsWithAFailedChild) {
    const auto repeat = [](std::string_view times, std::string_view child) {
        return fmt::format(R"({{"class": "repeat", "id": "r"{}, "children": [{}]}})", times, child);
    };
    constexpr std::string_view act = R"({"class": "act", "id": "a", "action": {"wait": "1s"}})";
    const std::string warning =
        "f:3:1: warning: the base `r` ends when `a` fails, and nothing runs then; use a `strict_priority` "
        "with `a` as its child instead";
    EXPECT_THAT(warnings(repeat("", act)), ElementsAre(warning));
    EXPECT_THAT(warnings(repeat(R"(, "times": 0)", act)), ElementsAre(warning));
    EXPECT_THAT(warnings(repeat(R"(, "times": 3)", act)), IsEmpty());
    EXPECT_THAT(warnings(repeat("", R"({"class": "idle"})")), IsEmpty());
    EXPECT_THAT(warnings(repeat("", fmt::format(R"({{"class": "force_success", "children": [{}]}})", act))),
                IsEmpty());
    EXPECT_THAT(
        warnings(R"({"class": "strict_priority", "id": "r", "children": [{"class": "repeat", "children": [
        {"class": "act", "action": {"wait": "1s"}}]}]})"),
        IsEmpty());
}

TEST_F(TreeDoubts, NameAnActionThatNothingEnsures) {
    EXPECT_THAT(warnings(R"({"class": "act", "id": "r", "action": "shine"})"),
                ElementsAre(HasSubstr("`r` does `shine`")));
    EXPECT_THAT(warnings(R"({"class": "strict_priority", "id": "r", "children": [{"class": "plug",
 "wants": {"fact": "x"}, "children": ["a"]}, "a"]},
{"class": "act", "id": "a", "action": {"sequence": [{"wait": "1s"}, "shine"]}})"),
                ElementsAre(HasSubstr("f:5:1: warning: `a` does `shine`, and no behavior on the way to it "
                                      "ensures `power`; put it below `plug`")));
    for (
        const char* const safe :
        {R"({"class": "plug", "id": "r", "children": [{"class": "act", "action": "shine"}]})",
         R"({"class": "act", "id": "r", "requirement": "powered", "action": "shine"})",
         R"({"class": "act", "id": "r", "wants": {"not": {"not": {"fact": "has_power"}}}, "action": "shine"})"})
        EXPECT_THAT(warnings(safe), IsEmpty()) << safe;
}

TEST_F(TreeDoubts, NameAChildBehindAnUnconditionalOne) {
    EXPECT_THAT(warnings(R"({"class": "strict_priority", "id": "r", "children": ["a", "b"]},
{"class": "idle", "id": "a"},
{"class": "idle", "id": "b"})"),
                ElementsAre("f:5:1: warning: `b` can never run: `a` comes before it in `r` and always wants "
                            "control; give `a` a `wants` condition, or move it to the end"));
}

TEST_F(TreeDoubts, LookIntoNestedDispatchers) {
    const auto behind = [&](std::string_view first) {
        return warnings(fmt::format(R"({{"class": "strict_priority", "id": "r", "children": ["a", "b"]}},
            {{"id": "a", {}}}, {{"class": "idle", "id": "b"}})",
                                    first));
    };
    EXPECT_THAT(behind(R"("class": "queue", "children": [{"class": "idle", "wants": {"fact": "x"}}])"),
                IsEmpty());
    EXPECT_THAT(
        behind(
            R"("class": "queue", "wants": "always", "children": [{"class": "idle", "wants": {"fact": "x"}}])"),
        ElementsAre(HasSubstr("`b` can never run")));
    EXPECT_THAT(behind(R"("class": "invert", "children": [{"class": "act", "action": {"wait": "1s"}}])"),
                ElementsAre(HasSubstr("`b` can never run")));
    EXPECT_THAT(behind(R"("class": "sequence", "children": [
        {"class": "idle", "wants": {"fact": "x"}, "cancel": {"after": "1s"}}, {"class": "idle"}])"),
                IsEmpty());
    EXPECT_THAT(behind(R"("class": "weighted_random", "children": [{"class": "idle"}])"), IsEmpty())
        << "it may be in a cooldown";
    EXPECT_THAT(behind(R"("class": "connect")"), IsEmpty()) << "it has a question of its own";
}

TEST_F(TreeDoubts, KnowTheCircumstances) {
    const auto pair = [&](std::string_view first, std::string_view second) {
        return warnings(fmt::format(R"({{"class": "strict_priority", "id": "r", "children": [
            {{"class": "idle", "id": "a"{}}}, {{"class": "idle", "id": "b"{}}}]}})",
                                    first, second));
    };
    EXPECT_THAT(pair("", R"(, "allowed_charging": true)"), IsEmpty()) << "b runs while it charges";
    EXPECT_EQ(pair(R"(, "allowed_charging": true)", R"(, "allowed_charging": true)").size(), 1U);
    EXPECT_EQ(pair(R"(, "allowed_charging": true)", "").size(), 1U);
}

TEST_F(TreeDoubts, NameAnActionThatIsNotAllowedWhereItIsNeeded) {
    EXPECT_THAT(
        warnings(R"({"class": "act", "id": "r", "action": {"sequence": [{"wait": "1s"}, "leave"]}})"),
        ElementsAre("f:3:1: warning: `r` does `leave`, and is not allowed while `charging` holds: add "
                    "\"allowed_charging\": true"));
    for (const char* const good :
         {R"({"class": "act", "id": "r", "allowed_charging": true, "action": "leave"})",
          R"({"class": "act", "id": "r", "action": {"sequence": ["arrive", {"wait": "1s"}, "leave"]}})"})
        EXPECT_THAT(warnings(good), IsEmpty()) << good;
}

TEST_F(TreeDoubts, NameAChildThatIsNotAllowedAfterTheOneBeforeIt) {
    const auto after = [&](std::string_view its_class, std::string_view arrival, std::string_view next) {
        return warnings(fmt::format(R"({{"class": "strict_priority", "id": "r", "children": [
{{"class": "{}", "id": "s", "children": [{{"class": "act", "id": "a", "action": {}}}, {}]}}]}})",
                                    its_class, arrival, next));
    };
    const auto idle = [](std::string_view more) {
        return fmt::format(R"({{"class": "idle", "id": "b", "cancel": {{"after": "9s"}}{}}})", more);
    };
    constexpr std::string_view arrives = R"({"sequence": [{"wait": "1s"}, "arrive"]})";
    for (const std::string_view in_turn : {"sequence", "queue"})
        EXPECT_THAT(after(in_turn, arrives, idle("")),
                    ElementsAre(testing::EndsWith(
                        "warning: `b` comes after `a`, which does `arrive`, and is not allowed while "
                        "`charging` holds: add \"allowed_charging\": true")));
    EXPECT_THAT(after("sequence", "\"arrive\"", R"({"class": "act", "id": "b", "action": "leave"})"),
                ElementsAre(HasSubstr("`b` does `leave`")))
        << "one cause, one message";
    EXPECT_THAT(after("sequence", "\"arrive\"", idle(R"(, "allowed_charging": true)")), IsEmpty());
    EXPECT_THAT(after("queue", "\"arrive\"", idle(R"(, "wants": {"fact": "away"})")), IsEmpty());
    EXPECT_THAT(after("fallback", "\"arrive\"", idle("")), IsEmpty()) << "it follows a failure";
    EXPECT_THAT(after("sequence", R"({"sequence": ["arrive", {"wait": "1s"}]})", idle("")), IsEmpty());
}

TEST_F(TreeDoubts, NameAChildAfterOneThatNeverEnds) {
    for (const std::string_view its_class : {"queue", "sequence", "fallback"})
        EXPECT_THAT(
            warnings(fmt::format(R"({{"class": "{}", "id": "r", "children": [
{{"class": "idle", "id": "a"}},
{{"class": "act", "id": "b", "action": {{"wait": "1s"}}}}]}})",
                                 its_class)),
            ElementsAre("f:5:1: warning: `b` can never run: `a` comes before it in `r` and never ends; give "
                        "`a` a `cancel` condition"));
}

TEST_F(TreeDoubts, NameAChildThatIsActiveWheneverItsParentIs) {
    EXPECT_THAT(warnings(R"({"class": "strict_priority", "id": "r", "children": ["a", {"class": "idle"}]},
{"class": "pass_through", "id": "a", "children": ["b"]},
{"class": "pass_through", "id": "b", "children": ["a"]})"),
                ElementsAre("f:5:1: warning: `b` can never start its child `a`, which is active whenever `b` "
                            "is; remove it from the children"));
    EXPECT_THAT(
        warnings(R"({"class": "strict_priority", "id": "r", "children": ["a", "b", {"class": "idle"}]},
{"class": "pass_through", "id": "a", "children": ["b"]},
{"class": "strict_priority", "id": "b", "children": ["a", "c"]},
{"class": "idle", "id": "c", "wants": {"fact": "x"}})"),
        IsEmpty());
}

TEST_F(TreeDoubts, NameConditionsThatAreNotUsed) {
    EXPECT_THAT(warnings(R"({"class": "idle", "id": "r", "wants": "low"})",
                         R"({"low": {"fact": "battery", "<": 2},
"full": {"fact": "battery", ">": 90}})"),
                ElementsAre("f:2:1: warning: the condition `full` is not used; remove it, or name it in "
                            "`wants` or `cancel`"));
}

TEST_F(TreeDoubts, NameAClassThatDoesNotEnsureWhatItsEntryPromises) {
    EXPECT_THAT(warnings(R"({"class": "queue", "id": "r", "ensures": ["connection"], "children": [
        {"class": "idle", "needs_ensured": ["connection"]}]})"),
                ElementsAre("f:3:1: warning: `queue` does nothing to ensure `connection`: use `connect` "
                            "instead"));
    EXPECT_THAT(warnings(R"({"class": "idle", "id": "r", "ensures": ["luck"]})"),
                ElementsAre("f:3:1: warning: `idle` does nothing to ensure `luck`: no class does; remove "
                            "`ensures`"));
}

TEST_F(TreeDoubts, StayQuickInTreesWithManySharedBehaviors) {
    std::string behaviors = R"({"class": "strict_priority", "id": "r", "children": ["d0", "e0", "last"]},
        {"class": "idle", "id": "last"})";
    constexpr int levels = 60;
    for (int i = 0; i < levels; ++i)
        for (const char side : {'d', 'e'})
            behaviors +=
                fmt::format(R"(, {{"class": "queue", "id": "{}{}", "children": [{}]}})", side, i,
                            i + 1 < levels ? fmt::format(R"("d{}", "e{}")", i + 1, i + 1)
                                           : std::string(R"({"class": "idle", "wants": {"fact": "x"}})"));
    EXPECT_THAT(warnings(behaviors), IsEmpty()) << "2^60 paths lead to the last level";
}

}  // namespace
}  // namespace caribou::behavior
