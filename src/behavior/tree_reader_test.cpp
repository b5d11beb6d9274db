#include "behavior/tree_reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

ClassRegistry test_classes() {
    ClassRegistry registry;
    register_engine_classes(registry);
    registry.add(ConditionClass{.name = "docked", .make = [](const Arguments&) {
                                    return std::make_unique<FactCondition>("docked");
                                }});
    return registry;
}

/// Returns every error in the text, one per line, without the name of the file.
std::string faults_of(std::string text, const TreeLimits& limits = {}) {
    const auto loaded = load_tree(std::vector<TreeText>{{"f", std::move(text)}}, test_classes(), limits);
    std::string all;
    if (!loaded)
        for (const TreeFault& fault : loaded.error())
            all += fmt::format("{}:{}: {}\n", fault.line, fault.column, fault.message);
    return all;
}

/// Same for one entry, which starts at line 1, column 36, and is the base.
std::string entry_faults(std::string_view entry) {
    return faults_of(fmt::format(R"({{"base": "robot", "behaviors": [   {}]}})", entry));
}

std::string idle_faults(std::string_view keys) {
    return entry_faults(fmt::format(R"({{"class": "idle", "id": "robot",
{}}})",
                                    keys));
}

TEST(TreeReader, ReportsWhatIsNoJson) {
    EXPECT_EQ(faults_of("{\n  ]"),
              "2:3: malformed JSON: while parsing object key - unexpected ']'; expected string literal\n");
}

TEST(TreeReader, ReportsAFileThatIsNoTree) {
    EXPECT_TRUE(
        faults_of("[]").starts_with("1:1: a tree is an object with `base` and `behaviors`, not a list\n"));
    EXPECT_TRUE(
        faults_of(R"({"behaviors": 1})").contains("1:15: `behaviors` is a list of entries, not a number\n"));
    EXPECT_TRUE(faults_of(R"({"behaviors": [1]})")
                    .contains("1:16: a behavior is an object with `class` and `id`, not a number\n"));
    EXPECT_TRUE(faults_of(R"({"behaviours": []})")
                    .contains("1:2: a tree has no `behaviours`; did you mean `behaviors`?\n"));
}

TEST(TreeReader, RefusesANewerVersionWithOneMessage) {
    EXPECT_EQ(faults_of(R"({"version": 2, "root": "robot", "nodes": []})"),
              "1:13: version 2 of trees is newer than this program, which reads version 1\n");
    EXPECT_EQ(faults_of(R"({"version": "1"})"), "1:13: version should be 1\n");
    EXPECT_EQ(
        faults_of(R"({"version": 1, "base": "robot", "behaviors": [{"class": "idle", "id": "robot"}]})"), "");
}

TEST(TreeReader, ReportsAMissingWrongOrSecondBase) {
    EXPECT_EQ(faults_of(R"({"behaviors": []})"),
              "1:1: no file defines where the tree begins: add \"base\": \"…\" with the id of a behavior\n");
    EXPECT_EQ(faults_of(R"({"base": "robt", "behaviors": [{"class": "idle", "id": "robot"}]})"),
              "1:10: no behavior has the id `robt`; did you mean `robot`?\n");
    EXPECT_EQ(faults_of(R"({"base": 7, "behaviors": [{"class": "idle", "id": "robot"}]})"),
              "1:10: a base is named by its id, not by a number\n");
    const std::vector<TreeText> two{{"a", R"({"base": "r", "behaviors": [{"class": "idle", "id": "r"}]})"},
                                    {"b", R"({"base": "r"})"}};
    const auto loaded = load_tree(two, test_classes());
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(to_string(loaded.error()), "b:1:10: there is one base, defined at a:1:10\n");
}

TEST(TreeReader, ReportsWrongClassesAndIds) {
    EXPECT_EQ(entry_faults(R"({"class": "idel", "id": "robot"})"),
              "1:46: no class of behaviors is called `idel`; did you mean `idle`?\n");
    EXPECT_EQ(entry_faults(R"({"id": "robot"})"),
              "1:36: a behavior needs a `class`: the name of one, as a text\n");
    EXPECT_EQ(entry_faults(R"({"class": 3, "id": "robot"})"),
              "1:46: a behavior needs a `class`: the name of one, as a text\n");
    EXPECT_TRUE(entry_faults(R"({"class": "idle"})")
                    .contains("1:36: a behavior needs an `id`; only children can go without\n"));
    EXPECT_TRUE(entry_faults(R"({"class": "idle", "id": "a/b"})")
                    .contains("1:60: an id is a text of at most 100 letters, digits and `_-.`\n"));
    EXPECT_EQ(entry_faults(R"({"class": "idle", "id": "robot"},
{"class": "idle", "id": "robot"})"),
              "2:25: the id `robot` is already used at f:1:36\n");
}

TEST(TreeReader, ReportsUnknownMissingAndDoubleKeys) {
    EXPECT_EQ(idle_faults(R"("wnats": "docked")"), "2:1: `idle` has no `wnats`; did you mean `wants`?\n");
    EXPECT_EQ(idle_faults(R"("note": "a", "note": "b")"), "2:14: the key `note` is set twice\n");
    EXPECT_EQ(entry_faults(R"({"class": "act", "id": "robot"})"), "1:36: `act` needs `action`: an action\n");
}

TEST(TreeReader, ReportsValuesOfTheWrongKind) {
    EXPECT_EQ(idle_faults(R"("allowed_charging": 1)"),
              "2:21: `allowed_charging` takes true or false, not a number\n");
    EXPECT_EQ(idle_faults(R"("requirement": "")"), "2:16: `requirement` takes a text, not an empty text\n");
    EXPECT_EQ(idle_faults(R"("ensures": "x")"), "2:12: `ensures` takes a list of texts, not a text\n");
    EXPECT_EQ(idle_faults(R"("ensures": ["x", null])"), "2:18: `ensures` takes a text, not null\n");
    EXPECT_EQ(idle_faults(R"("wants": 5)"), "2:10: expected a condition, found a number\n");
    EXPECT_EQ(idle_faults(R"("wants": {"after": 5})"),
              "2:20: `after` takes a duration with its unit, such as \"5s\", not a number\n");
    EXPECT_EQ(idle_faults(R"("wants": {"after": "5 sec"})"),
              "2:20: `after` takes a duration with its unit, such as \"5s\", not `5 sec`\n");
    EXPECT_EQ(idle_faults(R"("wants": {"fact": "x", "<": []})"),
              "2:29: `<` takes true, false, a number or a text, not a list\n");
}

TEST(TreeReader, ReportsValuesOutOfRange) {
    const auto repeat = [](std::string_view times) {
        return entry_faults(
            fmt::format(R"({{"class": "repeat", "id": "robot", "children": [{{"class": "idle"}}],
"times": {}}})",
                        times));
    };
    EXPECT_EQ(repeat("-1"), "2:10: `times` takes a whole number from 0 to 1000000000, not -1\n");
    EXPECT_EQ(repeat("1.5"), "2:10: `times` takes a whole number from 0 to 1000000000, not 1.5\n");
    EXPECT_EQ(entry_faults(R"({"class": "queue", "id": "robot", "children": [{"class": "idle"}],
"when_failed": "stop"})"),
              "2:16: `when_failed` cannot be `stop`; there are `go_on` and `end`\n");
}

TEST(TreeReader, ReportsWrongConditionsAndActions) {
    EXPECT_EQ(idle_faults(R"("wants": {"fcat": "x"})"),
              "2:10: no condition begins with `fcat`; did you mean `fact`?\n");
    EXPECT_TRUE(idle_faults(R"("wants": {})").starts_with("2:10: no condition begins with ``"));
    EXPECT_EQ(idle_faults(R"("wants": "dokced")"),
              "2:10: no condition is called `dokced`; did you mean `docked`?\n");
    EXPECT_EQ(idle_faults(R"("wants": "fact")"),
              "2:10: the condition `fact` takes a parameter: {\"fact\": …}\n");
    EXPECT_EQ(idle_faults(R"("wants": {"docked": true})"),
              "2:10: the condition `docked` is written as a text: \"docked\"\n");
    EXPECT_EQ(idle_faults(R"("wants": {"not": "docked", "fact": "x"})"),
              "2:28: `fact` is not allowed here: it is a condition of its own, for an object of its own\n");
    EXPECT_EQ(idle_faults(R"("wants": {"fact": "x", "<": 1, ">": 0})"),
              "2:10: a fact is compared once; join several comparisons with `and`\n");
    EXPECT_EQ(entry_faults(R"({"class": "act", "id": "robot",
"action": "wiat"})"),
              "2:11: no action is called `wiat`\n");
    EXPECT_EQ(entry_faults(R"({"class": "act", "id": "robot",
"action": {"sequence": [{"wiat": "5s"}, {"wait": "5s", "x": 1}]}})"),
              "2:25: no action begins with `wiat`; did you mean `wait`?\n"
              "2:56: the action `wait` has no `x`; there is `wait`\n");
}

TEST(TreeReader, ReportsWrongNamedConditions) {
    const auto named = [](std::string_view conditions) {
        return faults_of(fmt::format(R"({{"base": "r", "behaviors": [{{"class": "idle", "id": "r"}}],
"conditions": {}}})",
                                     conditions));
    };
    EXPECT_EQ(named("[]"), "2:15: `conditions` is an object with a condition for each name, not a list\n");
    EXPECT_EQ(named(R"({"and": "docked"})"), "2:16: `and` is a class of conditions: take another name\n");
    EXPECT_EQ(named(R"({"a": "docked", "a": "docked"})"),
              "2:31: the condition `a` is defined already, at f:2:16\n");
    EXPECT_EQ(named(R"({"a": {"not": "b"}, "b": {"not": "a"}})"),
              "2:48: the condition `a` refers to itself\n");
    EXPECT_EQ(named(R"({"low": {"not": "high"}})"),
              "2:31: no condition is called `high`; there are `low`, `always` and `docked`\n");
}

TEST(TreeReader, ReportsWrongChildren) {
    const auto queue = [](std::string_view children) {
        return entry_faults(fmt::format(R"({{"class": "queue", "id": "robot", "children":
{}}})",
                                        children));
    };
    EXPECT_EQ(queue("7"), "2:1: `children` is a list, not a number\n");
    EXPECT_EQ(queue("[]"), "2:1: `queue` takes at least 1 child, not 0\n");
    EXPECT_EQ(queue("[7]"), "2:2: a child is an id or an entry, not a number\n");
    EXPECT_EQ(queue(R"([{"id": "x"}])"),
              "2:2: a child is an id, an entry with `class`, or an object with `child`\n");
    EXPECT_EQ(queue(R"(["robto"])"), "2:2: no behavior has the id `robto`; did you mean `robot`?\n");
    EXPECT_EQ(queue(R"([{"child": {"class": "idle"}, "weight": 2}])"),
              "2:31: the child has no `weight`; there is `child`\n");
    EXPECT_EQ(entry_faults(R"({"class": "weighted_random", "id": "robot", "children": [
{"class": "idle", "weight": 2}]})"),
              "2:19: `weight` is not allowed here: it goes around the child: {\"child\": …, …}\n");
    EXPECT_EQ(idle_faults(R"("children": ["robot"])").substr(0, 60),
              "1:36: `robot` lists itself as a child\n2:13: `idle` takes no ");
    EXPECT_EQ(entry_faults(R"({"class": "repeat", "id": "robot", "children":
[{"class": "idle"}, {"class": "idle"}]})"),
              "2:1: `repeat` takes 1 child, not 2\n");
}

TEST(TreeReader, ReportsAllFaultsAtOnce) {
    EXPECT_EQ(
        faults_of(R"({"base": "robot", "behaviors": [
  {"class": "qeue", "id": "robot", "children": [
    {"class": "act", "action": {"wait": 1}},
    {"class": "idle", "colour": "red"}]},
  {"class": "idle", "id": "lost"}]})"),
        "2:13: no class of behaviors is called `qeue`; did you mean `queue`?\n"
        "3:41: `wait` takes a duration with its unit, such as \"5s\", not a number\n"
        "4:23: `idle` has no `colour`\n"
        "5:3: `lost` is unreachable from the base `robot`: no reachable behavior lists it as a child\n");
}

TEST(TreeReader, StopsAtItsLimits) {
    EXPECT_EQ(faults_of(R"({"base": "a", "behaviors": [{"class": "idle", "id": "a"},
{"class": "idle", "id": "b"},
{"class": "idle", "id": "c"}]})",
                        {.entries = 1}),
              "2:1: limit entries reached: 2 of at most 1 behaviors\n");
    const std::string_view doubling =
        R"({"base": "r", "behaviors": [{"class": "idle", "id": "r", "wants": "c"}],
"conditions": {"a": {"and": ["docked", "docked"]}, "b": {"and": ["a", "a"]}, "c": {"and": ["b", "b"]}}})";
    EXPECT_EQ(faults_of(std::string(doubling), {.parts = 60}), "");
    EXPECT_TRUE(faults_of(std::string(doubling), {.parts = 20}).contains("limit parts reached"));
    EXPECT_TRUE(faults_of(std::string(doubling), {.part_depth = 3}).contains("limit part_depth reached"));
}

}  // namespace
}  // namespace caribou::behavior
