#include "behavior/fact_declaration.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/tree_writer.hpp"
#include "behavior/wait_until_action.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

/// Classes of a robot with a few facts, and trees that use them.
class DeclaredFacts : public testing::Test {
protected:
    DeclaredFacts() {
        register_engine_classes(classes_);
        register_fact_actions(classes_, changes_);
        register_wait_until(classes_, facts_);
        classes_.add(FactDeclaration{.name = "battery",
                                     .type = FactDeclaration::Type::number,
                                     .unit = "%",
                                     .min = 0,
                                     .max = 100,
                                     .is_settable = false});
        classes_.add(FactDeclaration{.name = "charging", .is_settable = false});
        classes_.add(FactDeclaration{.name = "bus:", .is_settable = false});
    }
    static std::string file(std::string_view facts, std::string_view behaviors) {
        return fmt::format("{{\"base\": \"r\", \"facts\": {},\n\"behaviors\": [\n{}]}}", facts, behaviors);
    }
    /// Returns the errors in a file with these facts and an entry of this kind.
    std::string faults(std::string_view facts, std::string_view entry) {
        const std::vector<TreeText> files{{"f", file(facts, fmt::format("{{\"id\": \"r\", {}}}", entry))}};
        const auto loaded = load_tree(files, classes_);
        return loaded ? "" : to_string(loaded.error());
    }
    std::string wants(std::string_view condition, std::string_view facts = "{}") {
        return faults(facts, fmt::format(R"("class": "idle", "wants": {})", condition));
    }
    std::string acts(std::string_view action, std::string_view facts = "{}") {
        return faults(facts, fmt::format(R"("class": "act", "action": {})", action));
    }

    ClassRegistry classes_;
    FactChanges changes_;
    Facts facts_;
};

TEST_F(DeclaredFacts, AFactThatNothingSetsIsAnError) {
    EXPECT_EQ(wants(R"({"fact": "battery", "<": 20})"), "");
    EXPECT_EQ(wants(R"({"fact": "batery", "<": 20})"),
              "f:3:48: nothing sets the fact `batery`; declare facts of your own in `facts`; did you mean "
              "`battery`?\n");
    EXPECT_EQ(wants(R"({"fact": "rounds", "<": 3})", R"({"rounds": 0})"), "");
    EXPECT_EQ(wants(R"({"fact": "bus:DEPTH", "<": 3})"), "");
}

TEST_F(DeclaredFacts, AComparisonFitsTheTypeAndTheRange) {
    EXPECT_EQ(wants(R"({"fact": "battery", "<": "low"})"),
              "f:3:64: `battery` is a number from 0 to 100 (%), not the text `low`\n");
    EXPECT_EQ(wants(R"({"fact": "battery", "<": "50"})"),
              "f:3:64: `battery` is a number from 0 to 100 (%), not the text `50`\n");
    EXPECT_EQ(wants(R"({"fact": "battery", ">": 200})"),
              "f:3:64: `battery` is a number from 0 to 100 (%), not 200\n");
    EXPECT_EQ(wants(R"({"fact": "battery"})"), "f:3:39: `battery` is a number from 0 to 100 (%), not true\n");
    EXPECT_EQ(wants(R"({"fact": "charging", "==": 1})"), "f:3:66: `charging` is true or false, not 1\n");
}

TEST_F(DeclaredFacts, ATextIsReadAsTheFactSays) {
    const auto read = [&](std::string_view fact, std::string_view text) {
        const auto value = value_from(*find_fact(classes_.facts(), fact), text);
        return value ? to_string(*value) : value.error().message;
    };
    EXPECT_EQ(read("battery", "20"), "20");
    EXPECT_EQ(read("battery", "abc"), "`battery` is a number from 0 to 100 (%), not abc");
    EXPECT_EQ(read("battery", "500"), "`battery` is a number from 0 to 100 (%), not 500");
    EXPECT_EQ(read("battery", "nan"), "`battery` is a number from 0 to 100 (%), not nan");
    EXPECT_EQ(read("charging", "1"), "`charging` is true or false, not 1");
    EXPECT_EQ(read("bus:DEPTH", "3.5"), "3.5");
    EXPECT_EQ(read("bus:DEPTH", "storm"), "storm");
    const FactDeclaration name{.name = "cube_name", .type = FactDeclaration::Type::text};
    EXPECT_EQ(value_from(name, "5"), Value("5")) << "a text that looks like a number";
}

TEST_F(DeclaredFacts, AFamilyMayHaveListedMembersOnly) {
    classes_.add(FactDeclaration{
        .name = "ear:", .about = "a sound", .members = std::vector<std::string>{"bell", "horn"}});
    EXPECT_EQ(wants(R"({"fact": "ear:bell"})"), "");
    EXPECT_EQ(wants(R"({"fact": "ear:bel"})"),
              "f:3:48: nothing sets the fact `ear:bel`; it is not a sound; did you mean `ear:bell`?\n");
}

TEST_F(DeclaredFacts, ATreeSetsOnlyFactsOfItsOwn) {
    EXPECT_EQ(acts(R"({"set": "seen"})", R"({"seen": false})"), "");
    EXPECT_EQ(
        acts(R"({"set": "charging"})"),
        "f:3:47: `charging` is set by the robot, not by a tree; declare a fact of your own in `facts`\n");
    EXPECT_EQ(acts(R"({"set": "rounds", "to": "many"})", R"({"rounds": 0})"),
              "f:3:63: `rounds` is a number, not the text `many`\n");
    EXPECT_EQ(acts(R"({"set": "rounds"})", R"({"rounds": 0})"), "f:3:39: `rounds` is a number, not true\n");
    EXPECT_EQ(acts(R"({"add": 1, "to": "mood"})", R"({"mood": "good"})"),
              "f:3:56: `mood` is a text; expected a number\n");
}

TEST_F(DeclaredFacts, DeclarationsAreChecked) {
    const auto declared = [&](std::string_view facts) { return faults(facts, R"("class": "idle")"); };
    EXPECT_EQ(declared(R"({"a": {"type": "number", "unit": "m", "min": 0, "max": 5, "default": 1}})"), "");
    EXPECT_EQ(declared(R"({"battery": 3})"),
              "f:1:25: `battery` is a fact of the robot; expected another name\n");
    EXPECT_EQ(declared(R"({"a:b": 3})"),
              "f:1:25: `a:b` is not a name of a fact; expected a text without `:`\n");
    EXPECT_EQ(declared(R"({"a": {"about": "x"}})"), "f:1:30: the fact `a` needs `type` or `default`\n");
    EXPECT_EQ(declared(R"({"a": {"type": "nubmer"}})"),
              "f:1:39: `type` cannot be `nubmer`; did you mean `number`?\n");
    EXPECT_EQ(declared(R"({"a": {"type": "bool", "min": 1}})"),
              "f:1:30: the fact `a` is true or false: only a number has `unit`, `min` and `max`\n");
    EXPECT_EQ(declared(R"({"a": {"default": 9, "max": 5}})"),
              "f:1:30: the `default` of `a` is a number up to 5, not 9\n");
    EXPECT_EQ(declared(R"({"a": {"type": "number", "min": 2, "max": 1}})"),
              "f:1:30: the fact `a` has a `min` above its `max`\n");
    EXPECT_EQ(declared("[]"), "f:1:24: `facts` is an object with a declaration for each name, not a list\n");
}

TEST_F(DeclaredFacts, AreWrittenAndReadAgain) {
    const std::vector<TreeText> files{
        {"f", file(R"({"a": {"type": "number", "unit": "m", "min": 0, "max": 5, "default": 1, "about": "x"},
                       "b": "text", "c": {"type": "bool"}})",
                   R"({"class": "idle", "id": "r"})")}};
    const auto loaded = load_tree(files, classes_);
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    const std::vector<TreeText> written{{"w", write_tree(loaded->plan)}};
    const auto again = load_tree(written, classes_);
    ASSERT_TRUE(again.has_value()) << to_string(again.error()) << written.front().text;
    EXPECT_EQ(again->plan, loaded->plan);
}

TEST_F(DeclaredFacts, GiveATreeAMemory) {
    const std::vector<TreeText> files{{"f", file(R"({"rounds": 0})", R"(
        {"class": "strict_priority", "id": "r", "children": ["rest", "walk"]},
        {"class": "idle", "id": "rest", "wants": {"fact": "rounds", ">=": 2}},
        {"class": "act", "id": "walk", "action": {"sequence": [{"wait": "0s"}, {"add": 1, "to": "rounds"}]}})")}};
    auto loaded = load_tree(files, classes_);
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    set_fallbacks(loaded->plan.facts, facts_);
    EXPECT_EQ(*facts_.find("rounds"), Value(0.0));
    BehaviorRunner runner(std::move(loaded->tree), facts_);
    ASSERT_TRUE(runner.set_base("r").has_value());
    std::vector<std::string> tops;
    for (int i = 0; i < 7; ++i) {
        changes_.apply_to(facts_);
        runner.tick(Instant(i * 100ms));
        tops.push_back(runner.stack().back()->id());
    }
    EXPECT_THAT(tops, ElementsAre("walk", "walk", "walk", "rest", "rest", "rest", "rest"));
}

TEST_F(DeclaredFacts, AnActionWaitsUntilAConditionHolds) {
    const std::vector<TreeText> files{{"f", file("{}", R"({"class": "act", "id": "r",
        "action": {"sequence": [{"wait_until": {"fact": "charging"}}, {"wait": "100ms"}]}})")}};
    auto loaded = load_tree(files, classes_);
    ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
    BehaviorRunner runner(std::move(loaded->tree), facts_);
    ASSERT_TRUE(runner.set_base("r").has_value());
    Instant now{};
    for (int i = 0; i < 10; ++i) runner.tick(now += 100ms);
    EXPECT_FALSE(runner.idle());
    facts_.set("charging", true);
    for (int i = 0; i < 3; ++i) runner.tick(now += 100ms);
    EXPECT_TRUE(runner.idle());
}

}  // namespace
}  // namespace caribou::behavior
