#include "behavior/runner_picture.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/explain.hpp"
#include "behavior/tree_graph.hpp"

namespace caribou::behavior {
namespace {

bool is_worth_a_line(const Change& change) {
    return std::holds_alternative<Pushed>(change) || std::holds_alternative<Popped>(change) ||
           std::holds_alternative<StackReset>(change) || std::holds_alternative<BecameIdle>(change) ||
           std::holds_alternative<CycleFound>(change) || std::holds_alternative<RuleBroken>(change) ||
           std::holds_alternative<TreeChanged>(change);
}

std::string label_of(const TreeEntry& entry) {
    return entry.is_anonymous() ? entry.id.substr(entry.id.rfind('/') + 1) : entry.id;
}

data::BehaviorState state_of(const BehaviorRunner& runner, const Behavior& behavior, const TreeGraph& graph) {
    data::BehaviorState state{.active = behavior.state() == Behavior::State::active};
    state.in_scope = state.active || behavior.state() == Behavior::State::in_scope;
    for (const std::size_t parent : graph.parents_of(behavior.number()))
        if (runner.tree()[parent].state() == Behavior::State::active) ++state.scope;
    state.gate = to_string(Gate::none);
    if (state.active) return state;
    const Wants why = runner.why_not(behavior);
    state.gate = to_string(why.gate());
    if (!why) state.why = why_inactive(runner, behavior);
    return state;
}

}  // namespace

void RecentChanges::on_tick(const Difference& difference) {
    // Changes before a TreeChanged are described with the names of the old tree.
    const BehaviorTree* tree = difference.old_tree ? difference.old_tree : &difference.tree;
    for (const Change& change : difference.changes) {
        if (std::holds_alternative<TreeChanged>(change)) {
            tree = &difference.tree;
            actions_.clear();
        }
        if (const auto* started = std::get_if<ActionStarted>(&change))
            actions_[started->who] = std::string(started->name);
        if (const auto* ended = std::get_if<ActionEnded>(&change)) actions_.erase(ended->who);
        if (!is_worth_a_line(change)) continue;
        lines_.push_back({difference.tick, difference.now, describe(change, *tree)});
        if (lines_.size() > most) lines_.pop_front();
    }
}

data::Behaviors picture_of(const BehaviorRunner& runner, const TreePlan& plan, const RecentChanges& recent,
                           double zero) {
    data::Behaviors picture{.tick = runner.ticks(), .idle = runner.idle()};
    const BehaviorTree& tree = runner.tree();
    const TreeGraph graph = graph_of(tree, plan.base);
    for (const Behavior* const active : runner.stack()) picture.stack.push_back(active->id());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const Behavior& behavior = tree[i];
        data::BehaviorNode& node = picture.tree.emplace_back();
        node.id = node.label = behavior.id();
        if (const auto parents = graph.parents_of(i); !parents.empty())
            node.parent = tree[parents.front()].id();
        if (i < plan.entries.size()) {
            node.class_name = plan.entries[i].class_name;
            node.label = label_of(plan.entries[i]);
        }
        picture.states.push_back({behavior.id(), state_of(runner, behavior, graph)});
        for (const Condition* const each : behavior.conditions())
            picture.conditions.push_back({behavior.id(), each->number(), each->text(),
                                          each->answered() ? std::optional(each->last()) : std::nullopt,
                                          each->forced()});
    }
    for (const auto& [who, name] : recent.actions())
        if (who < tree.size()) picture.actions.push_back({tree[who].id(), name});
    for (const RecentChanges::Line& line : recent.lines())
        picture.recent.push_back({zero + to_seconds(line.at.time_since_epoch()), line.tick, line.text});
    return picture;
}

Result<std::string> force_condition(const BehaviorRunner& runner, std::string_view id, std::size_t number,
                                    std::optional<bool> answer) {
    const Behavior* const behavior = runner.tree().find(id);
    if (!behavior) {
        std::vector<std::string> ids;
        for (std::size_t i = 0; i < runner.tree().size(); ++i) ids.push_back(runner.tree()[i].id());
        return fail(Code::not_found, fmt::format("there is no behavior `{}`{}", id, instead_of(id, ids)));
    }
    const auto conditions = behavior->conditions();
    if (number >= conditions.size())
        return fail(Code::not_found,
                    fmt::format("{} has {} conditions, numbered from 0", id, conditions.size()));
    conditions[number]->force(answer);
    return fmt::format("`{}` of {} {}", conditions[number]->text(), id,
                       !answer   ? "answers for itself again"
                       : *answer ? "holds, whatever is true"
                                 : "does not hold, whatever is true");
}

}  // namespace caribou::behavior
