// Runs random trees of the engine's dispatchers with random facts. Whatever the tree, no rule is broken, and
// no dispatcher that could give control away keeps it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "behavior/arbitrary_tree.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

namespace caribou::behavior {
namespace {

/// Replaces all conditions by comparisons of three facts, so that they change while the tree runs, and all
/// actions by short ones.
void simplify(TreePlan& plan) {
    for (TreeEntry& entry : plan.entries) {
        for (const char* key : {"cancel", "always_delegates"}) entry.values.erase(key);
        if (auto wants = entry.values.find("wants"); wants != entry.values.end())
            wants->second = std::vector<PartPlan>{
                {"fact", {{"fact", std::string(1, *rc::gen::elementOf(std::string("abc")))}}}};
        if (auto action = entry.values.find("action"); action != entry.values.end())
            action->second = std::vector<PartPlan>{
                {"wait", {{"wait", Duration(std::chrono::milliseconds(*rc::gen::inRange(30, 80)))}}}};
    }
}

/// Returns whether the class waits for a child that does not want control.
bool waits(const TreeEntry& entry) { return entry.class_name == "state_machine" || entry.children.empty(); }

RC_GTEST_PROP(NestedDispatchers, BreakNoRuleAndKeepNoControlForNothing, ()) {
    ClassRegistry registry;
    register_engine_classes(registry);
    TreePlan plan = ArbitraryTree(registry).draw();
    simplify(plan);
    auto tree = build_tree(plan, registry);
    RC_ASSERT(tree.has_value());
    Facts facts;
    BehaviorRunner runner(std::move(*tree), facts);
    RC_ASSERT(runner.set_base(plan.entries[plan.base].id).has_value());
    int resets = 0;
    for (int i = 1; i <= 40; ++i) {
        for (const char* name : {"a", "b", "c"})
            if (*rc::gen::inRange(0, 4) == 0) facts.set(name, *rc::gen::arbitrary<bool>());
        const Difference difference = runner.tick(Instant(std::chrono::milliseconds(10 * i)));
        bool starts = false;
        for (const Change& change : difference.changes) {
            // Nothing can be delegated after the cycle guard has requested a reset.
            const auto* broken = std::get_if<RuleBroken>(&change);
            if (broken && broken->rule != Rule::not_while_resetting)
                RC_FAIL(describe(change, difference.tree));
            starts = starts || std::holds_alternative<Pushed>(change);
            if (std::holds_alternative<StackReset>(change)) ++resets;
        }
        if (runner.stack().size() < 2 || starts || resets > 0) continue;
        const TreeEntry& top = plan.entries[runner.stack().back()->number()];
        if (!waits(top)) RC_FAIL(top.id + " keeps control and does nothing");
    }
}

}  // namespace
}  // namespace caribou::behavior
