#include "behavior/tree_loader.hpp"

#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/act.hpp"
#include "behavior/engine_classes.hpp"

namespace caribou::behavior {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

ClassRegistry engine_classes() {
    ClassRegistry registry;
    register_engine_classes(registry);
    return registry;
}

LoadedTree load(const std::vector<TreeText>& files, const ClassRegistry& classes = engine_classes()) {
    auto loaded = load_tree(files, classes);
    EXPECT_TRUE(loaded.has_value()) << to_string(loaded.error());
    return loaded ? std::move(*loaded) : LoadedTree{};
}

std::vector<std::string> ids_of(const BehaviorTree& tree) {
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < tree.size(); ++i) ids.push_back(tree[i].id());
    return ids;
}

TEST(LoadTree, MakesOneBehaviorOfEachEntry) {
    const LoadedTree loaded = load({{"a.json", R"({"base": "robot", "behaviors": [
        {"class": "queue", "id": "robot", "children": ["rest", "play"]},
        {"class": "idle", "id": "rest"},
        {"class": "idle", "id": "play"}]})"}});
    EXPECT_EQ(loaded.base, "robot");
    EXPECT_THAT(ids_of(*loaded.tree), ElementsAre("robot", "rest", "play"));
    DelegateSet delegates;
    loaded.tree->find("robot")->get_all_delegates(delegates);
    EXPECT_EQ(delegates.size(), 2U);
}

TEST(LoadTree, JoinsSeveralFiles) {
    const LoadedTree loaded = load({{"a.json", R"({"base": "robot", "behaviors": [
        {"class": "queue", "id": "robot", "children": ["play"]}]})"},
                                    {"b.json", R"({"conditions": {"low": {"fact": "battery", "<": 20}},
        "behaviors": [{"class": "idle", "id": "play", "cancel": "low"}]})"}});
    EXPECT_THAT(ids_of(*loaded.tree), ElementsAre("robot", "play"));
}

TEST(LoadTree, NamesAnonymousChildrenAfterTheirParentAndClass) {
    const LoadedTree loaded = load({{"a.json", R"({"base": "robot", "behaviors": [
        {"class": "queue", "id": "robot", "children": [
            {"class": "idle", "id": "named"},
            {"class": "idle"},
            {"class": "queue", "children": [{"class": "idle"}]},
            {"class": "idle"}]}]})"}});
    EXPECT_THAT(ids_of(*loaded.tree), ElementsAre("robot", "named", "robot/idle", "robot/queue",
                                                  "robot/queue/idle", "robot/idle#2"));
}

TEST(LoadTree, DeclaresWhatEveryEntryMaySay) {
    const LoadedTree loaded = load({{"a.json", R"({"base": "robot", "behaviors": [
        {"class": "idle", "id": "robot", "note": "for people",
         "allowed_charging": true, "allowed_off_ground": true, "allowed_carrying": true,
         "always_delegates": false, "requirement": "two cubes", "ensures": ["x", "y"],
         "sensors_in_scope": ["faces"], "sensors_while_active": ["markers"]}]})"}});
    const OperationModifiers expected{.allowed_charging = true,
                                      .allowed_off_ground = true,
                                      .allowed_carrying = true,
                                      .requirement = "two cubes",
                                      .ensures = {"x", "y"},
                                      .sensors_in_scope = {"faces"},
                                      .sensors_while_active = {"markers"}};
    EXPECT_EQ(loaded.tree->find("robot")->modifiers(), expected);
}

TEST(LoadTree, KeepsWhatAClassDeclaresItself) {
    const LoadedTree loaded = load({{"a.json", R"({"base": "robot", "behaviors": [
        {"class": "repeat", "id": "robot", "allowed_charging": false, "children": [{"class": "idle"}]}]})"}});
    const OperationModifiers& modifiers = loaded.tree->find("robot")->modifiers();
    EXPECT_TRUE(modifiers.declares_repeat);
    EXPECT_TRUE(modifiers.allowed_carrying);
    EXPECT_FALSE(modifiers.allowed_charging);
}

TEST(LoadTree, TakesClassesOfTheCaller) {
    ClassRegistry registry = engine_classes();
    double speed = 0;
    registry.add(
        BehaviorClass{.name = "roll",
                      .parameters = {{.name = "speed", .kind = Parameter::Kind::number, .fallback = 0.5}},
                      .ensures = {"motion"},
                      .make = [&](std::string id, const Arguments& arguments) {
                          speed = arguments.number("speed");
                          return std::make_unique<Behavior>(std::move(id));
                      }});
    const LoadedTree loaded = load(
        {{"a.json", R"({"base": "r", "behaviors": [{"class": "roll", "id": "r", "ensures": ["more"]}]})"}},
        registry);
    EXPECT_EQ(speed, 0.5);
    EXPECT_THAT(loaded.tree->find("r")->modifiers().ensures, ElementsAre("motion", "more"));
}

TEST(LoadTree, ReportsWhatAMakerThrowsOrRefuses) {
    ClassRegistry registry = engine_classes();
    registry.add(BehaviorClass{.name = "thrower",
                               .make = [](std::string, const Arguments&) -> std::unique_ptr<Behavior> {
                                   throw std::runtime_error("no motor");
                               }});
    registry.add(BehaviorClass{.name = "number",
                               .make = [](std::string, const Arguments&) -> std::unique_ptr<Behavior> {
                                   throw 7;  // NOLINT(hicpp-exception-baseclass): user code may
                               }});
    registry.add(BehaviorClass{.name = "nothing", .make = [](std::string, const Arguments&) {
                                   return std::unique_ptr<Behavior>();
                               }});
    registry.add(BehaviorClass{.name = "stranger", .make = [](std::string, const Arguments&) {
                                   return std::make_unique<Idle>("somebody");
                               }});
    const auto loaded = load_tree(std::vector<TreeText>{{"a.json", R"({"base": "r", "behaviors": [
{"class": "queue", "id": "r", "children": [
{"class": "thrower"},
{"class": "nothing"},
{"class": "number"},
{"class": "stranger"}]}]})"}},
                                  registry);
    ASSERT_FALSE(loaded.has_value());
    EXPECT_EQ(to_string(loaded.error()),
              "a.json:3:1: `thrower` cannot be made: no motor\n"
              "a.json:4:1: `nothing` cannot be made: its maker returned nothing\n"
              "a.json:5:1: `number` cannot be made: its code threw something that is not a std::exception\n"
              "a.json:6:1: `stranger` cannot be made: its maker gave it the id `somebody`\n");
}

TEST(LoadTree, AllowsTheSameBehaviorBelowSeveralParents) {
    load({{"a.json", R"({"base": "r", "behaviors": [
        {"class": "queue", "id": "r", "children": [{"class": "queue", "id": "x", "children": ["rest"]}, "rest", "rest"]},
        {"class": "idle", "id": "rest"}]})"}});
}

TEST(BuildTree, MakesFreshBehaviorsEachTime) {
    const ClassRegistry registry = engine_classes();
    const LoadedTree loaded = load(
        {{"a.json", R"({"base": "r", "behaviors": [{"class": "idle", "id": "r", "wants": {"fact": "x"}}]})"}},
        registry);
    const auto again = build_tree(loaded.plan, registry);
    ASSERT_TRUE(again.has_value());
    EXPECT_NE((*again)->find("r"), loaded.tree->find("r"));
}

}  // namespace
}  // namespace caribou::behavior
