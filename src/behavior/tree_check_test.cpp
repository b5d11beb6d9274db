#include "behavior/tree_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/queue.hpp"

namespace caribou::behavior {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(CheckTree, IsContentWithATreeAndWithSharedBehaviors) {
    EXPECT_THAT(check_tree({.nodes = {{"r", {1, 2}, {}, {}}, {"a", {2}, {}, {}}, {"b", {}, {}, {}}}}),
                IsEmpty());
    EXPECT_THAT(check_tree({}), IsEmpty());
}

TEST(CheckTree, FindsWhatListsItself) {
    EXPECT_THAT(check_tree({.nodes = {{"r", {0}, {}, {}}}}),
                ElementsAre(TreeFinding{0, "`r` lists itself as a child"}));
}

TEST(CheckTree, NamesTheTopmostOfWhatIsNotReached) {
    const TreeGraph graph{.nodes = {{"r", {}, {}, {}}, {"child", {}, {}, {}}, {"top", {1}, {}, {}}}};
    EXPECT_THAT(check_tree(graph),
                ElementsAre(TreeFinding{
                    2, "`top` is unreachable from the base `r`: no reachable behavior lists it as a child"}));
}

TEST(CheckTree, NamesOneOfACircleThatIsNotReached) {
    const TreeGraph graph{.nodes = {{"r", {}, {}, {}}, {"a", {2}, {}, {}}, {"b", {1}, {}, {}}}};
    const auto findings = check_tree(graph);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().node, 1U);
}

TEST(CheckTree, WantsAnAncestorThatEnsuresOnEveryWay) {
    TreeGraph graph{.nodes = {{"r", {1, 2}, {}, {}},
                              {"play", {3}, {"cube"}, {}},
                              {"rest", {}, {}, {}},
                              {"roll", {}, {}, {"cube"}}}};
    EXPECT_THAT(check_tree(graph), IsEmpty());
    graph.nodes[2].delegates.push_back(3);
    EXPECT_THAT(check_tree(graph),
                ElementsAre(TreeFinding{3,
                                        "`roll` needs an ancestor that ensures `cube`, and on the "
                                        "way r > rest > roll there is none"}));
}

TEST(CheckTree, DoesNotTakeABehaviorForItsOwnAncestor) {
    const auto findings = check_tree({.nodes = {{"r", {}, {"cube"}, {"cube"}}}});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_TRUE(findings.front().message.contains("on the way r there is none"));
}

TEST(GraphOf, TellsWhatBehaviorsInCodeSay) {
    BehaviorTree tree;
    auto& queue = tree.emplace<Queue>("queue");
    auto& leaf = tree.emplace<Behavior>("leaf");
    ASSERT_TRUE(leaf.declare({.needs_ensured = {"x"}}).has_value());
    queue.add(leaf);
    const TreeGraph graph = graph_of(tree, 0);
    EXPECT_THAT(graph.nodes[0].delegates, ElementsAre(1));
    EXPECT_THAT(graph.nodes[1].needs_ensured, ElementsAre("x"));
    EXPECT_THAT(graph.parents_of(1), ElementsAre(0));
    EXPECT_EQ(check_tree(graph).size(), 1U);
}

}  // namespace
}  // namespace caribou::behavior
