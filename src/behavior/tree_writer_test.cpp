#include "behavior/tree_writer.hpp"

#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

TreePlan plan_of(const std::string& text) {
    ClassRegistry registry;
    register_engine_classes(registry);
    auto loaded = load_tree(std::vector<TreeText>{{"f", text}}, registry);
    EXPECT_TRUE(loaded.has_value()) << to_string(loaded.error()) << text;
    return loaded ? std::move(loaded->plan) : TreePlan{};
}

TEST(WriteTree, WritesOneEntryALine) {
    EXPECT_EQ(write_tree(
                  plan_of(R"({"base": "r", "conditions": {"low": {"fact": "battery", "<": 20}}, "behaviors": [
        {"class": "weighted_random", "id": "r", "children": [
            {"child": "a", "cooldown": "90s"}, {"class": "idle"}]},
        {"class": "act", "id": "a", "cancel": ["low"], "action": {"wait": "1500ms"}}]})")),
              R"({
  "base": "r",
  "behaviors": [
    {"class": "weighted_random", "id": "r", "children": [
      {"cooldown": "90s", "child": "a"},
      {"class": "idle"}]},
    {"class": "act", "id": "a", "action": {"wait": "1500ms"}, "cancel": {"fact": "battery", "<": 20}}
  ]
}
)");
}

TEST(WriteTree, KeepsTheOrderOfDeclaration) {
    const TreePlan plan = plan_of(R"({"base": "r", "behaviors": [
        {"class": "queue", "id": "r", "children": ["b", {"class": "idle", "id": "a"}, {"class": "idle"}]},
        {"class": "idle", "id": "b"}]})");
    EXPECT_EQ(plan_of(write_tree(plan)), plan);
}

TEST(WriteTree, BreaksChainsThatAreTooDeepToNest) {
    std::string text = R"({"base": "b0", "behaviors": [)";
    for (int i = 0; i < 500; ++i)
        text += R"({"class": "pass_through", "id": "b)" + std::to_string(i) + R"(", "children": ["b)" +
                std::to_string(i + 1) + "\"]},";
    text += R"({"class": "idle", "id": "b500"}]})";
    const TreePlan plan = plan_of(text);
    EXPECT_EQ(plan_of(write_tree(plan)), plan);
}

}  // namespace
}  // namespace caribou::behavior
