#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "behavior/engine_classes.hpp"
#include "behavior/state_machine.hpp"
#include "behavior/tree_plan.hpp"

namespace caribou::behavior {
namespace {

using Kind = Parameter::Kind;

/// In a file, the target `back` is written as this word.
constexpr std::string_view back_word = "back";

StateMachine::Kind kind_of(std::string_view word) {
    if (word == "interrupting") return StateMachine::Kind::interrupting;
    return word == "when_idle" ? StateMachine::Kind::when_idle : StateMachine::Kind::on_exit;
}

std::optional<Outcome::Kind> outcome_of(const Arguments& transition) {
    if (!transition.has("outcome")) return std::nullopt;
    const std::string word = transition.text("outcome");
    if (word == "succeeded") return Outcome::Kind::succeeded;
    return word == "failed" ? Outcome::Kind::failed : Outcome::Kind::cancelled;
}

struct StateEntry {
    std::string name;
    std::vector<std::string> targets;
};

void read_transitions(const ChildPlan& child, StateEntry& state, std::vector<std::string>& sentences) {
    const auto* transitions = given<std::vector<PartPlan>>(child.values, "transitions");
    if (!transitions) return;
    for (const PartPlan& transition : *transitions) {
        const std::string* target = given<std::string>(transition.values, "to");
        const std::string* kind = given<std::string>(transition.values, "kind");
        if (!target || !kind) continue;  // reported as missing
        state.targets.push_back(*target);
        if (*kind != "on_exit" && !transition.values.contains("when"))
            sentences.push_back(
                fmt::format("the transition from `{}` to `{}` needs `when`: only on_exit can go without",
                            state.name, *target));
        if (*kind != "on_exit" && transition.values.contains("outcome"))
            sentences.push_back(
                fmt::format("the transition from `{}` to `{}` has an `outcome`: only on_exit can have one",
                            state.name, *target));
    }
}

/// Returns the names of the states that can be reached from the first one.
std::set<std::string> reached(const std::vector<StateEntry>& states) {
    std::set<std::string> seen;
    std::vector<std::string> next{states.front().name};
    while (!next.empty()) {
        const std::string name = std::move(next.back());
        next.pop_back();
        if (!seen.insert(name).second) continue;
        const auto state = std::ranges::find(states, name, &StateEntry::name);
        if (state != states.end()) next.insert(next.end(), state->targets.begin(), state->targets.end());
    }
    return seen;
}

std::vector<std::string> find_contradictions(const TreeEntry& entry) {
    std::vector<std::string> sentences;
    std::vector<StateEntry> states;
    std::vector<std::string> names{std::string(back_word)};
    for (const ChildPlan& child : entry.children) {
        const std::string* name = given<std::string>(child.values, "state");
        if (!name) return sentences;  // reported as missing
        if (std::ranges::find(names, *name) != names.end())
            sentences.push_back(*name == back_word
                                    ? "no state can be called `back`: it is where one came from"
                                    : fmt::format("two states are called `{}`", *name));
        names.push_back(*name);
        read_transitions(child, states.emplace_back(StateEntry{*name, {}}), sentences);
    }
    for (const StateEntry& state : states)
        for (const std::string& target : state.targets)
            if (std::ranges::find(names, target) == names.end())
                sentences.push_back(fmt::format("the state `{}` leads to `{}`, which is not a state{}",
                                                state.name, target, instead_of(target, names)));
    if (states.empty() || !sentences.empty()) return sentences;
    const std::set<std::string> seen = reached(states);
    for (const StateEntry& state : states)
        if (!seen.contains(state.name))
            sentences.push_back(fmt::format("no transition leads to the state `{}`", state.name));
    return sentences;
}

Result<void> link_states(StateMachine& machine, std::span<const LinkedChild> children) {
    for (const LinkedChild& child : children)
        if (auto added = machine.add_state(child.arguments.text("state"), child.behavior); !added)
            return added;
    for (const LinkedChild& child : children)
        for (const Arguments& transition : child.arguments.records("transitions")) {
            const std::string target = transition.text("to");
            auto added = machine.add_transition(
                child.arguments.text("state"), kind_of(transition.text("kind")), transition.condition("when"),
                target == back_word ? StateMachine::back : target, outcome_of(transition));
            if (!added) return added;
        }
    return {};
}

Parameter transitions_parameter() {
    return {.name = "transitions",
            .kind = Kind::records,
            .about = "where it leads; the first that holds is taken",
            .fields = {{.name = "to", .kind = Kind::text, .about = "a state, or `back`", .required = true},
                       {.name = "kind",
                        .kind = Kind::word,
                        .about = "when its condition is looked at",
                        .required = true,
                        .words = {"interrupting", "when_idle", "on_exit"}},
                       {.name = "outcome",
                        .kind = Kind::word,
                        .about = "how the behavior must have ended, for on_exit; if left out, in any way",
                        .words = {"succeeded", "failed", "cancelled"}},
                       {.name = "when",
                        .kind = Kind::condition,
                        .about = "the condition; may be left out for on_exit"}}};
}

}  // namespace

void register_state_machine(ClassRegistry& registry) {
    registry.add(BehaviorClass{
        .name = "state_machine",
        .about = "one child per state, and transitions between the states; begins with the first",
        .parameters = {{.name = "resume",
                        .kind = Kind::flag,
                        .about = "begins where it was when it was last active",
                        .fallback = false}},
        .min_children = 1,
        .max_children = std::numeric_limits<std::size_t>::max(),
        .child_parameters =
            {{.name = "state", .kind = Kind::text, .about = "the name of the state", .required = true},
             transitions_parameter()},
        .contradictions = find_contradictions,
        .make =
            [](std::string id, const Arguments& arguments) {
                const bool resumes = arguments.flag("resume");
                return std::make_unique<StateMachine>(
                    std::move(id), resumes ? StateMachine::Resume::yes : StateMachine::Resume::no);
            },
        .link = link_as<StateMachine>(link_states)});
}

}  // namespace caribou::behavior
