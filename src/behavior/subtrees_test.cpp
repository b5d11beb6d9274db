#include "behavior/subtrees.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/tree_writer.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// A visit that waits, counts in a fact of its own, and then sets a fact of the caller.
constexpr std::string_view visit = R"({
  "about": "a visit",
  "parameters": {"stay": {"type": "duration", "about": "how long"}, "done": {"type": "fact", "of": "bool"},
                 "first": {"type": "action", "default": {"wait": "0s"}}},
  "facts": {"rounds": {"default": 0, "max": 10}},
  "behavior": {"class": "sequence", "id": "all", "children": [
    {"class": "act", "id": "stand", "action": {"sequence": ["$first", {"wait": "$stay"}]}},
    {"class": "act", "action": {"sequence": [{"add": 1, "to": "$rounds"}, {"set": "$done"}]}}]}})";

class SubtreesTest : public testing::Test {
protected:
    SubtreesTest() {
        register_engine_classes(classes_);
        register_fact_actions(classes_, changes_);
        classes_.add(FactDeclaration{.name = "battery",
                                     .type = FactDeclaration::Type::number,
                                     .min = 0,
                                     .max = 100,
                                     .is_settable = false});
    }
    std::expected<LoadedTree, std::vector<TreeFault>> load(std::string_view behaviors,
                                                           std::string_view subtrees,
                                                           const TreeLimits& limits = {}) const {
        const std::vector<TreeText> files{
            {"f", "{\"base\": \"r\", \"facts\": {\"seen\": false, \"mood\": \"good\"}, \"behaviors\": [\n" +
                      std::string(behaviors) + "]}"},
            {"s", "{\"subtrees\": {" + std::string(subtrees) + "}}"}};
        return load_tree(files, classes_, limits);
    }
    /// Returns the errors in a tree with these behaviors, and with `visit` as a subtree.
    std::string faults(std::string_view behaviors) const {
        const auto loaded = load(behaviors, "\n\"visit\": " + std::string(visit));
        return loaded ? "" : to_string(loaded.error());
    }
    /// Returns the errors in a tree with this subtree, used once without arguments.
    std::string faults_of(std::string_view subtree) const {
        const auto loaded = load(R"({"class": "own", "id": "r"})", "\n\"own\": " + std::string(subtree));
        return loaded ? "" : to_string(loaded.error());
    }
    static std::vector<std::string> ids_of(const LoadedTree& loaded) {
        std::vector<std::string> ids;
        for (const TreeEntry& entry : loaded.plan.entries) ids.push_back(entry.id);
        return ids;
    }

    ClassRegistry classes_;
    FactChanges changes_;
    Facts facts_;
};

TEST_F(SubtreesTest, AUseIsACopyWithNamesAndFactsOfItsOwn) {
    const auto loaded = load(R"({"class": "queue", "id": "r", "children": ["a", "b"]},
        {"class": "visit", "id": "a", "stay": "1s", "done": "seen"},
        {"class": "visit", "id": "b", "stay": "2s", "done": "seen", "wants": {"fact": "battery", ">": 20}})",
                             "\"visit\": " + std::string(visit));
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    EXPECT_THAT(ids_of(*loaded),
                ElementsAre("r", "a", "a.all", "a.stand", "a.all/act", "b", "b.all", "b.stand", "b.all/act"));
    EXPECT_TRUE(loaded->plan.facts.contains("a.rounds") && loaded->plan.facts.contains("b.rounds"));
    EXPECT_TRUE(loaded->warnings.empty()) << to_string(loaded->warnings);
    EXPECT_TRUE(loaded->plan.entries[5].values.contains("wants"));
}

TEST_F(SubtreesTest, ChangesTheFactsThatItWasGiven) {
    auto loaded = load(R"({"class": "repeat", "id": "r", "times": 2, "children": [
        {"class": "visit", "id": "a", "stay": "100ms", "done": "seen"}]})",
                       "\"visit\": " + std::string(visit));
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    set_fallbacks(loaded->plan.facts, facts_);
    BehaviorRunner runner(std::move(loaded->tree), facts_);
    ASSERT_TRUE(runner.set_base("r"));
    for (int tick = 1; tick < 40; ++tick) {
        runner.tick(Instant{tick * 50ms});
        changes_.apply_to(facts_);
    }
    EXPECT_TRUE(runner.idle());
    EXPECT_EQ(*facts_.find("a.rounds"), Value(2.0));
    EXPECT_TRUE(facts_.holds("seen"));
}

TEST_F(SubtreesTest, ArgumentsAreCheckedWhereTheyAreGiven) {
    EXPECT_EQ(faults(R"({"class": "visit", "id": "r", "stay": "1s", "done": "seen"})"), "");
    EXPECT_EQ(faults(R"({"class": "visit", "id": "r", "done": "seen"})"),
              "f:2:1: the subtree `visit` needs `stay`: how long\n");
    EXPECT_EQ(faults(R"({"class": "visit", "id": "r", "stay": 1, "done": "seen"})"),
              "f:2:39: `stay` takes a duration with its unit, such as \"5s\", not a number\n");
    EXPECT_EQ(faults(R"({"class": "visit", "id": "r", "sty": "1s", "stay": "1s", "done": "seen"})"),
              "f:2:31: the subtree `visit` has no `sty`; did you mean `stay`?\n");
    EXPECT_EQ(
        faults(R"({"class": "visit", "id": "r", "stay": "1s", "done": "sen"})"),
        "f:2:53: nothing sets the fact `sen`; declare facts of your own in `facts`; did you mean `seen`?\n");
    EXPECT_EQ(faults(R"({"class": "visit", "id": "r", "stay": "1s", "done": "mood"})"),
              "f:2:53: `mood` is a text; expected true or false\n");
    EXPECT_EQ(faults(R"({"class": "visit", "id": "r", "stay": "1s", "done": "seen", "first": "wiat"})"),
              "f:2:70: no action is called `wiat`\n");
    EXPECT_EQ(faults(R"({"class": "vist", "id": "r"})"),
              "f:2:11: no class of behaviors is called `vist`; did you mean `visit`?\n");
    EXPECT_THAT(
        faults(R"({"class": "queue", "id": "r", "children": [
{"class": "visit", "stay": "1s", "done": "seen"}]})"),
        HasSubstr("f:3:1: a use of the subtree `visit` needs an `id`: its behaviors and facts are named "
                  "after it\n"));
}

TEST_F(SubtreesTest, ASubtreeIsCheckedWhereItIsDefined) {
    EXPECT_EQ(
        faults_of(R"({"behavior": {"class": "act", "action": {"wait": "$tmie"}}, "facts": {"time": 0}})"),
        "s:2:57: the subtree `own` has no parameter or fact `tmie`; did you mean `time`?\n");
    EXPECT_THAT(
        faults_of(R"({"behavior": {"class": "idle", "wants": {"expr": "$n < 3"}}, "facts": {"n": 0}})"),
        HasSubstr("an expression cannot use `$`"));
    EXPECT_EQ(faults_of(R"({"behavior": {"class": "act"}})"), "s:2:21: `act` needs `action`: an action\n");
    EXPECT_EQ(faults_of("3"), "s:2:8: the subtree `own` is an object with `behavior`, not a number\n");
    EXPECT_EQ(faults_of("{}"), "s:2:8: the subtree `own` needs `behavior`: an entry with `class`\n");
    EXPECT_EQ(faults_of(R"({"behavior": {"class": "own"}})"), "s:2:21: the subtree `own` contains itself\n");
    EXPECT_THAT(faults_of(R"({"parameters": {"id": 1}, "behavior": {"class": "idle"}})"),
                HasSubstr("s:2:24: `id` cannot be the name of a parameter: it is taken\n"));
    EXPECT_THAT(faults_of(R"({"parameters": {"x": {"type": "nubmer"}}, "behavior": {"class": "idle"}})"),
                HasSubstr("`type` cannot be `nubmer`; did you mean `number`?\n"));
    const auto taken = load(R"({"class": "idle", "id": "r"})", R"("idle": {"behavior": {"class": "idle"}})");
    EXPECT_THAT(to_string(taken.error()),
                HasSubstr("cannot be the name of a subtree: it is a class of behaviors"));
}

TEST_F(SubtreesTest, CanContainOthersAndBehaviorsOfTheCaller) {
    const auto loaded =
        load(R"({"class": "outer", "id": "r", "what": "work"}, {"class": "idle", "id": "work"})", R"(
        "outer": {"parameters": {"what": {"type": "behavior"}, "long": "5s"},
                  "behavior": {"class": "inner", "id": "in", "what": "$what", "long": "$long"}},
        "inner": {"parameters": {"what": {"type": "behavior"}, "long": {"type": "duration"}},
                  "behavior": {"class": "timeout", "limit": "$long", "children": ["$what"]}})");
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    EXPECT_THAT(ids_of(*loaded), ElementsAre("r", "r.in", "r.in/timeout", "work"));
}

TEST_F(SubtreesTest, OneThatIsNotUsedGivesAWarning) {
    const auto loaded = load(R"({"class": "idle", "id": "r"})", "\n\"visit\": " + std::string(visit));
    ASSERT_TRUE(loaded.has_value());
    EXPECT_EQ(to_string(loaded->warnings), "s:2:1: warning: the subtree `visit` is not used\n");
}

TEST_F(SubtreesTest, CopiesAreLimited) {
    // Each level uses the one below it ten times.
    std::string subtrees = R"("s0": {"behavior": {"class": "idle"}})";
    for (int level = 1; level < 8; ++level) {
        subtrees += fmt::format(", \"s{}\": {{\"behavior\": {{\"class\": \"queue\", \"children\": [", level);
        for (int use = 0; use < 10; ++use)
            subtrees += fmt::format("{}{{\"class\": \"s{}\"}}", use ? ", " : "", level - 1);
        subtrees += "]}}";
    }
    const auto loaded = load(R"({"class": "s7", "id": "r"})", subtrees, {.entries = 2000});
    ASSERT_FALSE(loaded.has_value());
    EXPECT_THAT(to_string(loaded.error()),
                EndsWith("limit entries reached: 2001 of at most 2000 behaviors\n"));
}

TEST_F(SubtreesTest, UsesInsideEachOtherAreLimited) {
    std::string subtrees = R"("s0": {"behavior": {"class": "idle"}})";
    for (int level = 1; level < 30; ++level)
        subtrees += fmt::format(", \"s{}\": {{\"behavior\": {{\"class\": \"s{}\"}}}}", level, level - 1);
    EXPECT_TRUE(load(R"({"class": "s19", "id": "r"})", subtrees).has_value());
    EXPECT_THAT(to_string(load(R"({"class": "s20", "id": "r"})", subtrees).error()),
                HasSubstr("limit subtrees reached: 21 of at most 20"));
}

TEST_F(SubtreesTest, AreWrittenAsWhatTheyStandFor) {
    const auto loaded = load(R"({"class": "visit", "id": "r", "stay": "1s", "done": "seen"})",
                             "\"visit\": " + std::string(visit));
    ASSERT_TRUE(loaded.has_value());
    const std::vector<TreeText> written{{"w", write_tree(loaded->plan)}};
    const auto again = load_tree(written, classes_);
    ASSERT_TRUE(again.has_value()) << to_string(again.error());
    EXPECT_EQ(again->plan, loaded->plan);
}

}  // namespace
}  // namespace caribou::behavior
