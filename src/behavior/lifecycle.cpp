#include "behavior/lifecycle.hpp"

#include <algorithm>
#include <utility>

#include "behavior/engine.hpp"
#include "behavior/tree.hpp"

namespace caribou::behavior {

using State = Behavior::State;

void Lifecycle::attach(Behavior& behavior, Engine& engine) {
    behavior.control_.engine_ = &engine;
    behavior.control_.self_ = &behavior;
}

bool Lifecycle::init(Behavior& behavior) {
    Standing& standing = behavior.standing_;
    if (standing.state != State::created) {
        journal_.broken(behavior.number(), Rule::init_once, "it is initialised already");
        return false;
    }
    const PhaseGuard guard(state_, Phase::changing);
    standing.broken = !run(behavior, "init", [&] { behavior.init(behavior.control_); });
    number_conditions(behavior);
    for (const std::string& topic : behavior.topics_) standing.topics.push_back(events_.topic(topic));
    standing.attentive = !behavior.wants_conditions_.empty() || !behavior.cancel_conditions_.empty() ||
                         !standing.topics.empty();
    standing.state = State::out_of_scope;
    return !standing.broken;
}

void Lifecycle::number_conditions(Behavior& behavior) {
    std::uint32_t next = 0;
    const auto add = [&](auto& self, Condition& condition) -> void {
        behavior.conditions_.push_back(&condition);
        for (Condition* operand : condition.operands()) self(self, *operand);
    };
    const auto number = [&](Condition& condition) {
        run(behavior, "a condition's description", [&] {
            condition.number(next);
            add(add, condition);
        });
    };
    for (const ConditionPtr& condition : behavior.wants_conditions_) number(*condition);
    for (const ConditionPtr& condition : behavior.cancel_conditions_) number(*condition);
    for (Condition* condition : behavior.named_conditions_) number(*condition);
}

bool Lifecycle::enter_scope(Behavior& behavior) {
    Standing& standing = behavior.standing_;
    if (standing.state == State::created) {
        journal_.broken(behavior.number(), Rule::scope_after_init, "it was never initialised");
        return false;
    }
    if (++standing.scope > 1) return true;
    const PhaseGuard guard(state_, Phase::changing);
    standing.state = State::in_scope;
    standing.answered = false;
    list(behavior);
    journal_.note(Entered{behavior.number()});
    run(behavior, "the sensor switch", [&] { sensors_.want(behavior.modifiers_.sensors_in_scope); });
    start(behavior, behavior.wants_conditions_);
    run(behavior, "on_entered_activatable_scope",
        [&] { behavior.on_entered_activatable_scope(behavior.control_); });
    if (behavior.modifiers_.asks_delegates) link(behavior);
    return true;
}

/// Brings the delegates of a behavior into scope. One that is on the way from the behavior that entered first
/// is left out, so that a cycle of delegates ends; it is in scope as long as this one.
void Lifecycle::link(Behavior& behavior) {
    DelegateSet& linked = behavior.standing_.linked;
    linked.clear();
    if (linking_ >= link_depth_) return;
    if (!run(behavior, "get_all_delegates", [&] { behavior.get_all_delegates(linked); })) linked.clear();
    behavior.standing_.linking = true;
    ++linking_;
    const BehaviorTree& tree = behavior.control_.engine_->tree();
    linked.keep_if(
        [&](const Behavior& delegate) { return tree.owns(delegate) && !delegate.standing_.linking; });
    for (Behavior* delegate : linked) enter_scope(*delegate);
    --linking_;
    behavior.standing_.linking = false;
}

void Lifecycle::unlink(Behavior& behavior) {
    const DelegateSet& linked = behavior.standing_.linked;
    for (std::size_t i = linked.size(); i > 0; --i) leave_scope(linked[i - 1]);
}

bool Lifecycle::leave_scope(Behavior& behavior) {
    Standing& standing = behavior.standing_;
    const bool last_of_active = standing.scope == 1 && standing.state == State::active;
    if (standing.scope == 0 || last_of_active) {
        journal_.broken(behavior.number(), Rule::leave_what_entered,
                        last_of_active ? "it is active" : "it is not in scope");
        return false;
    }
    if (standing.scope > 1) {
        --standing.scope;
        return true;
    }
    const PhaseGuard guard(state_, Phase::changing);
    if (behavior.modifiers_.asks_delegates) unlink(behavior);
    run(behavior, "on_left_activatable_scope",
        [&] { behavior.on_left_activatable_scope(behavior.control_); });
    standing.scope = 0;
    standing.state = State::out_of_scope;
    standing.said_yes = 0;
    unsorted_ = true;
    undo(behavior, standing.of_scope);
    stop(behavior, behavior.wants_conditions_);
    run(behavior, "the sensor switch", [&] { sensors_.release(behavior.modifiers_.sensors_in_scope); });
    journal_.note(Left{behavior.number()});
    return true;
}

std::optional<Rule> Lifecycle::forbids_activation(const Behavior& behavior) const {
    const Standing& standing = behavior.standing_;
    if (standing.scope == 0) return Rule::activate_in_scope;
    if (standing.state == State::active) return Rule::activate_inactive;
    if (standing.said_yes != state_.tick) return Rule::activate_after_yes;
    return std::nullopt;
}

bool Lifecycle::freeze_delegates(Behavior& behavior, const BehaviorTree& tree) {
    const PhaseGuard guard(state_, Phase::changing);
    DelegateSet& delegates = behavior.standing_.delegates;
    delegates.clear();
    if (!run(behavior, "get_all_delegates", [&] { behavior.get_all_delegates(delegates); })) {
        delegates.clear();
        return false;
    }
    delegates.keep_if([&](const Behavior& delegate) {
        if (&delegate != &behavior && tree.owns(delegate)) return true;
        journal_.broken(behavior.number(), Rule::own_tree, delegate.id());
        return false;
    });
    return true;
}

bool Lifecycle::activate(Behavior& behavior, std::uint32_t layer) {
    if (const std::optional<Rule> rule = forbids_activation(behavior)) {
        journal_.broken(behavior.number(), *rule, {});
        return false;
    }
    Standing& standing = behavior.standing_;
    standing.state = State::active;
    ++standing.activations;
    standing.layer = layer;
    standing.answered = false;
    standing.said_yes = 0;  // an answer serves for one activation
    spend(behavior, behavior.wants_conditions_);
    stop(behavior, behavior.wants_conditions_);
    start(behavior, behavior.cancel_conditions_);
    run(behavior, "the sensor switch", [&] { sensors_.want(behavior.modifiers_.sensors_while_active); });
    return true;
}

bool Lifecycle::tell_activated(Behavior& behavior) {
    return run(behavior, "on_activated", [&] { behavior.on_activated(behavior.control_); });
}

bool Lifecycle::deactivate(Behavior& behavior, const Outcome& outcome) {
    Standing& standing = behavior.standing_;
    if (standing.state != State::active) {
        journal_.broken(behavior.number(), Rule::deactivate_active, {});
        return false;
    }
    const PhaseGuard guard(state_, Phase::changing);
    run(behavior, "on_deactivated", [&] { behavior.on_deactivated(behavior.control_); });
    standing.state = State::in_scope;
    standing.ended = {outcome, state_.now};
    undo(behavior, standing.of_activation);
    stop(behavior, behavior.cancel_conditions_);
    run(behavior, "the sensor switch", [&] { sensors_.release(behavior.modifiers_.sensors_while_active); });
    standing.evaluated = 0;
    start(behavior, behavior.wants_conditions_);
    return true;
}

bool Lifecycle::tell_returned(Behavior& behavior, const Outcome& outcome) {
    return run(behavior, "on_control_returned",
               [&] { behavior.on_control_returned(behavior.control_, outcome); });
}

bool Lifecycle::call_back(Behavior& behavior, OnReturn& on_return, const Outcome& outcome) {
    return run(behavior, "a delegation's callback", [&] { on_return(behavior.control_, outcome); });
}

void Lifecycle::start(Behavior& behavior, std::vector<ConditionPtr>& conditions) {
    for (const ConditionPtr& condition : conditions)
        run(behavior, "a condition", [&] { condition->start(moment_of(behavior)); });
}

void Lifecycle::stop(Behavior& behavior, std::vector<ConditionPtr>& conditions) {
    for (const ConditionPtr& condition : conditions) run(behavior, "a condition", [&] { condition->stop(); });
}

void Lifecycle::spend(Behavior& behavior, std::vector<ConditionPtr>& conditions) {
    for (const ConditionPtr& condition : conditions)
        run(behavior, "a condition", [&] { condition->spend(moment_of(behavior)); });
}

void Lifecycle::undo(Behavior& behavior, Standing::Belongings& belongings) {
    belongings.timers.clear();
    while (!belongings.kept.empty()) {
        Undo last = std::move(belongings.kept.back());
        belongings.kept.pop_back();
        run(behavior, "undoing what it acquired", [&] { last(); });
    }
}

void Lifecycle::list(Behavior& behavior) {
    unsorted_ = true;
    if (std::exchange(behavior.standing_.listed, true)) return;
    in_scope_.push_back(&behavior);
}

void Lifecycle::sort_scope() {
    if (!std::exchange(unsorted_, false)) return;
    std::erase_if(in_scope_, [](Behavior* behavior) {
        const bool gone = behavior->standing_.scope == 0;
        if (gone) behavior->standing_.listed = false;
        return gone;
    });
    std::ranges::sort(in_scope_, {}, [](const Behavior* behavior) { return behavior->number(); });
}

}  // namespace caribou::behavior
