#include "behavior/runner_picture.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/json_text.hpp"
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

RunnerPicture::Sleeper state_of(const BehaviorRunner& runner, const Behavior& behavior,
                                const TreeGraph& graph) {
    RunnerPicture::Sleeper state{behavior.id()};
    state.active = behavior.state() == Behavior::State::active;
    state.in_scope = state.active || behavior.state() == Behavior::State::in_scope;
    for (const std::size_t parent : graph.parents_of(behavior.number()))
        if (runner.tree()[parent].state() == Behavior::State::active) ++state.scope;
    if (state.active) return state;
    const Wants why = runner.why_not(behavior);
    state.gate = why.gate();
    if (!why) state.why = sentence({behavior.number(), why.gate(), why.why_not()});
    return state;
}

std::string truth_or_null(const std::optional<bool>& truth) {
    return truth ? fmt::format("{}", *truth) : "null";
}

template <class Items, class Write>
std::string json_list(const Items& items, Write write) {
    std::string text;
    for (const auto& item : items) text.append(text.empty() ? "" : ",").append(write(item));
    return text;
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

RunnerPicture picture_of(const BehaviorRunner& runner, const TreePlan& plan, const RecentChanges& recent) {
    RunnerPicture picture{.tick = runner.ticks(), .idle = runner.idle()};
    const BehaviorTree& tree = runner.tree();
    const TreeGraph graph = graph_of(tree, plan.base);
    for (const Behavior* const active : runner.stack()) picture.stack.push_back(active->id());
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const Behavior& behavior = tree[i];
        RunnerPicture::Node& node = picture.tree.emplace_back(RunnerPicture::Node{behavior.id()});
        node.label = node.id;
        if (const auto parents = graph.parents_of(i); !parents.empty())
            node.parent = tree[parents.front()].id();
        if (i < plan.entries.size()) {
            node.class_name = plan.entries[i].class_name;
            node.label = label_of(plan.entries[i]);
        }
        picture.states.push_back(state_of(runner, behavior, graph));
        for (const Condition* const each : behavior.conditions())
            picture.conditions.push_back({behavior.id(), each->number(), each->text(),
                                          each->answered() ? std::optional(each->last()) : std::nullopt,
                                          each->forced()});
    }
    for (const auto& [who, name] : recent.actions())
        if (who < tree.size()) picture.actions.push_back({tree[who].id(), name});
    picture.recent.assign(recent.lines().begin(), recent.lines().end());
    return picture;
}

std::string to_json(const RunnerPicture& picture, double zero) {
    const auto node = [](const RunnerPicture::Node& n) {
        return fmt::format(R"({{"id":{},"parent":{},"class":{},"label":{}}})", json_quoted(n.id),
                           n.parent ? json_quoted(*n.parent) : "null", json_quoted(n.class_name),
                           json_quoted(n.label));
    };
    const auto state = [](const RunnerPicture::Sleeper& s) {
        return fmt::format(R"({}:{{"scope":{},"in_scope":{},"active":{},"gate":"{}","why":{}}})",
                           json_quoted(s.id), s.scope, s.in_scope, s.active, to_string(s.gate),
                           json_quoted(s.why));
    };
    const auto question = [](const RunnerPicture::Question& q) {
        return fmt::format(R"({{"behavior":{},"number":{},"text":{},"holds":{},"forced":{}}})",
                           json_quoted(q.behavior), q.number, json_quoted(q.text), truth_or_null(q.holds),
                           truth_or_null(q.forced));
    };
    const auto action = [](const RunnerPicture::RunningAction& a) {
        return fmt::format(R"({{"behavior":{},"name":{}}})", json_quoted(a.behavior), json_quoted(a.name));
    };
    const auto line = [&](const RecentChanges::Line& l) {
        return fmt::format(R"({{"at":{},"tick":{},"text":{}}})",
                           json_fixed(zero + to_seconds(l.at.time_since_epoch()), 3), l.tick,
                           json_quoted(l.text));
    };
    return fmt::format(R"({{"tick":{},"idle":{},"tree":[{}],"stack":[{}],"states":{{{}}},"conditions":[{}],)"
                       R"("actions":[{}],"recent":[{}]}})",
                       picture.tick, picture.idle, json_list(picture.tree, node),
                       json_list(picture.stack, json_quoted), json_list(picture.states, state),
                       json_list(picture.conditions, question), json_list(picture.actions, action),
                       json_list(picture.recent, line));
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
