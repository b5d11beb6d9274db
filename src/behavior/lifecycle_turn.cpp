// The part of Lifecycle that runs in every tick: conditions, timers, events, questions, the update.
#include <algorithm>
#include <utility>

#include "behavior/lifecycle.hpp"

namespace caribou::behavior {

using State = Behavior::State;

Turn Lifecycle::take_long_turn(Behavior& behavior) {
    Standing& standing = behavior.standing_;
    if (standing.scope == 0 || standing.updated == state_.tick) {
        const Rule rule = standing.scope == 0 ? Rule::update_in_scope : Rule::update_once;
        journal_.broken(behavior.number(), rule, {});
        return Turn::refused;
    }
    if (standing.state == State::active) {
        if (const Turn turn = ask_cancel_conditions(behavior); turn != Turn::updated) return turn;
    } else {
        failing_condition(behavior);
    }
    standing.updated = state_.tick;
    if (!standing.of_activation.timers.empty() && !run_timers(behavior, standing.of_activation))
        return Turn::threw;
    if (!standing.of_scope.timers.empty() && !run_timers(behavior, standing.of_scope)) return Turn::threw;
    if (standing.scope == 0) return Turn::gone;
    const bool has_events = events_.any() && !standing.topics.empty();
    turn_events_ = has_events ? events_.select(standing.topics) : std::span<const Event* const>();
    at_turn_ = &behavior;
    const Turn turn = update(behavior);
    at_turn_ = nullptr;
    return turn;
}

Turn Lifecycle::ask_cancel_conditions(Behavior& behavior) {
    const Condition* holding = nullptr;
    bool threw = false;
    for (const ConditionPtr& condition : behavior.cancel_conditions_) {
        const auto holds =
            run(behavior, "a condition", [&] { return condition->evaluate(moment_of(behavior)); });
        if (holds.value_or(false) && !holding) holding = condition.get();
        threw = threw || !holds;
    }
    if (!holding) return threw ? Turn::threw : Turn::updated;
    cancel_reason_ = holding->text();
    spend(behavior, behavior.cancel_conditions_);
    return Turn::cancelled;
}

const Condition* Lifecycle::failing_condition(Behavior& behavior) {
    Standing& standing = behavior.standing_;
    if (standing.evaluated == state_.tick) return standing.failing;
    standing.evaluated = state_.tick;
    standing.failing = nullptr;
    for (const ConditionPtr& condition : behavior.wants_conditions_) {
        const auto holds =
            run(behavior, "a condition", [&] { return condition->evaluate(moment_of(behavior)); });
        if (!holds.value_or(false) && !standing.failing)
            standing.failing = holds ? &condition->blame() : condition.get();
    }
    return standing.failing;
}

bool Lifecycle::run_timers(Behavior& behavior, Standing::Belongings& belongings) {
    // A task may set timers, or end the behavior and remove all timers, so the list is searched again each
    // time.
    for (;;) {
        auto& timers = belongings.timers;
        auto first = timers.end();
        for (auto timer = timers.begin(); timer != timers.end(); ++timer)
            if (timer->due <= state_.now && timer->since < state_.tick &&
                (first == timers.end() || timer->due < first->due))
                first = timer;
        if (first == timers.end()) return true;
        TimerTask task = std::move(first->task);
        timers.erase(first);
        if (!run(behavior, "a timer's task", [&] { task(behavior.control_); })) return false;
    }
}

Wants Lifecycle::ask_itself(Behavior& behavior) {
    if (behavior.standing_.scope == 0) {
        journal_.broken(behavior.number(), Rule::ask_in_scope, {});
        return {Gate::scope, "no active behavior lists it"};
    }
    const PhaseGuard guard(state_, Phase::asking);
    return run(behavior, "wants_to_be_activated",
               [&] { return behavior.wants_to_be_activated(behavior.control_); })
        .value_or(Wants(Gate::behavior, "it threw when it was asked"));
}

void Lifecycle::answer(Behavior& behavior, Wants answer) {
    Standing& standing = behavior.standing_;
    standing.said_yes = answer ? state_.tick : 0;
    if (standing.answered && standing.answer == answer) return;
    standing.answered = true;
    standing.answer = answer;
    if (answer)
        journal_.note(Willing{behavior.number()});
    else
        journal_.note(Refused{behavior.number(), answer.gate(), answer.why_not()});
}

std::span<const Event* const> Lifecycle::events_of(const Behavior& behavior) const {
    return at_turn_ == &behavior ? turn_events_ : std::span<const Event* const>();
}

Moment Lifecycle::moment_of(const Behavior& behavior) {
    witness_.who = behavior.number();
    return {.now = state_.now, .facts = state_.facts, .witness = &witness_};
}

void Lifecycle::keep(Behavior& behavior, Undo undo) {
    Standing& standing = behavior.standing_;
    if (standing.scope == 0) {
        run(behavior, "undoing what it acquired", [&] { undo(); });
        return;
    }
    (standing.state == State::active ? standing.of_activation : standing.of_scope)
        .kept.push_back(std::move(undo));
}

void Lifecycle::after(Behavior& behavior, Duration delay, TimerTask task) {
    Standing& standing = behavior.standing_;
    if (standing.scope == 0) return;
    standing.attentive = true;
    (standing.state == State::active ? standing.of_activation : standing.of_scope)
        .timers.push_back({state_.now + delay, state_.tick, std::move(task)});
}

void Lifecycle::Witness::condition_changed(const Condition& condition, bool holds) {
    journal_.note(ConditionChanged{who, condition.number(), holds});
}

}  // namespace caribou::behavior
