#include "behavior/tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/behavior_rig.hpp"

namespace caribou::behavior {
namespace {

using testing::ElementsAre;

TEST(BehaviorTree, NumbersBehaviorsInTheOrderOfDeclaration) {
    Trace trace;
    BehaviorTree tree;
    auto& first = tree.emplace<Scripted>("z", trace);
    auto& second = tree.emplace<Scripted>("a", trace);
    EXPECT_EQ(first.number(), 0u);
    EXPECT_EQ(second.number(), 1u);
    EXPECT_EQ(tree.find("a"), &second);
    EXPECT_EQ(tree.find("b"), nullptr);
    EXPECT_TRUE(tree.owns(first));
    const Scripted stranger("z", trace);
    EXPECT_FALSE(tree.owns(stranger));
}

TEST(BehaviorTree, RefusesADoubleOrEmptyId) {
    Trace trace;
    BehaviorTree tree;
    EXPECT_TRUE(tree.add(std::make_unique<Scripted>("a", trace)));
    EXPECT_EQ(tree.add(std::make_unique<Scripted>("a", trace)).error().code, Code::already_exists);
    EXPECT_EQ(tree.add(std::make_unique<Scripted>("", trace)).error().code, Code::invalid_argument);
}

TEST(TreeReplacement, HappensAtTheBeginningOfTheNextTick) {
    Rig rig;
    auto& base = rig.make("base");
    auto& a = rig.make("a");
    base.delegates = {&a};
    rig.start("base");
    auto tree = std::make_unique<BehaviorTree>();
    tree->emplace<Scripted>("base", rig.trace);
    ASSERT_TRUE(rig.runner->request_tree(std::move(tree), "base"));
    rig.tick();
    EXPECT_THAT(rig.trace, ElementsAre("leave a", "deactivate base", "leave base", "init base", "enter base",
                                       "ask base", "activate base", "update base"));
    EXPECT_EQ(rig.runner->tree().size(), 1u);
}

TEST(TreeReplacement, IsRefusedWithoutItsBase) {
    Rig rig;
    rig.make("base");
    rig.start("base");
    EXPECT_EQ(rig.runner->request_tree(std::make_unique<BehaviorTree>(), "base").error().code,
              Code::not_found);
    rig.tick();
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

}  // namespace
}  // namespace caribou::behavior
