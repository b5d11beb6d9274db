#include "behavior/delegation.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace caribou::behavior {

Delegation::Delegation(TickState& state, Journal& journal, Lifecycle& lifecycle, Gatekeeper& gatekeeper,
                       RunnerLimits limits, Listener& listener)
    : state_(state),
      journal_(journal),
      lifecycle_(lifecycle),
      gatekeeper_(gatekeeper),
      limits_(limits),
      listener_(listener) {}

std::optional<Rule> Delegation::forbids_calls() const {
    switch (state_.phase) {
        case Phase::outside: return Rule::inside_tick;
        case Phase::open: return std::nullopt;
        case Phase::asking: return Rule::not_while_asked;
        case Phase::changing: return Rule::not_while_changing;
    }
    return std::nullopt;
}

bool Delegation::nothing_delegated() const { return layers_.back().action == nullptr; }

std::optional<Rule> Delegation::forbids_delegation(const Behavior& by) const {
    if (const std::optional<Rule> rule = forbids_calls()) return rule;
    if (closed_) return Rule::not_while_resetting;
    if (!on_stack(by) || stack_.back() != &by || !nothing_delegated()) return Rule::in_control;
    if (delegations_ >= limits_.delegations_per_tick) return Rule::delegation_limit;
    return std::nullopt;
}

bool Delegation::is_control_delegated(const Behavior& by) const {
    return on_stack(by) && (stack_.back() != &by || !nothing_delegated());
}

bool Delegation::can_delegate(const Behavior& by) const { return !forbids_delegation(by); }

Result<void> Delegation::push_base(Behavior& base, const BehaviorTree& tree) {
    return push(base, nobody, {}, tree);
}

Result<void> Delegation::delegate(Behavior& by, Behavior& delegate, OnReturn on_return,
                                  const BehaviorTree& tree) {
    if (const std::optional<Rule> rule = forbids_delegation(by)) return journal_.refuse(by.number(), *rule);
    if (!Lifecycle::standing(by).delegates.contains(delegate))
        return journal_.refuse(by.number(), Rule::declared_delegate, delegate.id());
    return push(delegate, by.number(), std::move(on_return), tree);
}

Result<void> Delegation::push(Behavior& behavior, Who by, OnReturn on_return, const BehaviorTree& tree) {
    if (const std::optional<Rule> rule = lifecycle_.forbids_activation(behavior))
        return journal_.refuse(by, *rule, behavior.id());
    if (stack_.size() >= limits_.depth) return journal_.refuse(by, Rule::depth_limit, behavior.id());
    if (const Wants admitted = gatekeeper_.admit(behavior, stack_); !admitted)
        return journal_.refuse(by, Rule::requirement, admitted.why_not());
    if (!lifecycle_.freeze_delegates(behavior, tree)) {
        gatekeeper_.release(behavior);
        return fail(Code::refused, journal_.last_throw());
    }

    ++delegations_;
    if (!layers_.empty()) {
        // A callback that has not been called yet belongs to a previous delegate.
        layers_.back().returned.reset();
        layers_.back().on_return = std::move(on_return);
        if (stack_.back()->modifiers().declares_repeat) cycle_guard_.repeat_declared();
    }
    lifecycle_.activate(behavior, static_cast<std::uint32_t>(stack_.size()));
    stack_.push_back(&behavior);
    layers_.emplace_back();
    journal_.note(Pushed{behavior.number(), by});
    for (Behavior* delegate : Lifecycle::standing(behavior).delegates) lifecycle_.enter_scope(*delegate);
    if (const auto cycle = cycle_guard_.pushed(behavior.number(), state_.tick)) {
        cycle_guard_.reset();
        in_cycle_ = true;
        listener_.on_cycle(*cycle);
    }
    const PhaseGuard guard(state_, Phase::open);
    const std::uint64_t activation = Lifecycle::standing(behavior).activations;
    if (!lifecycle_.tell_activated(behavior)) end_after_throw(behavior, activation);
    return {};
}

/// The guard that ends a cycle must not hide why the behavior has failed each time.
Outcome Delegation::with_cause(const Behavior& behavior, const Outcome& outcome) const {
    constexpr Duration recent = std::chrono::seconds(1);
    const std::optional<BehaviorEnd>& before = Lifecycle::standing(behavior).ended;
    if (!in_cycle_ || outcome.kind() == Outcome::Kind::succeeded || !before ||
        before->outcome.kind() != Outcome::Kind::failed || state_.now - before->at > recent)
        return outcome;
    const std::string& cause = before->outcome.reason();
    if (outcome.kind() == Outcome::Kind::failed) return Outcome::failed(cause);
    return Outcome::cancelled(outcome.reason() + "; before that it failed: " + cause);
}

void Delegation::pop(const Outcome& how) {
    const PhaseGuard guard(state_, Phase::changing);
    Behavior& behavior = *stack_.back();
    const Outcome outcome = with_cause(behavior, how);
    cancel_action(layers_.back(), behavior.number());
    const DelegateSet& delegates = Lifecycle::standing(behavior).delegates;
    for (std::size_t i = delegates.size(); i > 0; --i) lifecycle_.leave_scope(delegates[i - 1]);
    lifecycle_.deactivate(behavior, outcome);
    stack_.pop_back();
    layers_.pop_back();
    gatekeeper_.release(behavior);
    walk_ = std::min(walk_, stack_.size());
    unsettled_ = true;
    cycle_guard_.popped();
    journal_.note(Popped{behavior.number(), outcome.kind(), journal_.keep(outcome.reason())});
}

void Delegation::clear(const Outcome& outcome) {
    while (!stack_.empty()) pop(outcome);
    cycle_guard_.reset();
    in_cycle_ = false;
}

void Delegation::end_after_throw(Behavior& behavior, std::uint64_t activation) {
    // It may have ended already, in the hook that threw.
    if (same_activation(behavior, activation))
        end(behavior, Outcome::failed(journal_.last_throw()), Callback::fires);
}

void Delegation::end(Behavior& behavior, const Outcome& outcome, Callback callback) {
    const std::size_t depth = place(behavior);
    while (stack_.size() > depth + 1) pop(Outcome::cancelled());
    pop(outcome);
    if (stack_.empty()) {
        listener_.on_base_ended();
        return;
    }
    Layer& delegator = layers_.back();
    delegator.returned = outcome;
    if (callback == Callback::stays_silent) delegator.on_return = {};
}

Result<void> Delegation::cancel_delegates(Behavior& by, Callback callback) {
    if (const std::optional<Rule> rule = forbids_calls()) return journal_.refuse(by.number(), *rule);
    if (!on_stack(by)) return journal_.refuse(by.number(), Rule::active_to_act);
    if (!is_control_delegated(by)) return {};
    const std::size_t depth = place(by);
    while (stack_.size() > depth + 1) pop(Outcome::cancelled());
    cancel_action(layers_.back(), by.number());
    OnReturn on_return = std::exchange(layers_.back().on_return, {});
    layers_.back().last = Outcome::cancelled();
    const std::uint64_t activation = Lifecycle::standing(by).activations;
    if (callback == Callback::fires && on_return &&
        !lifecycle_.call_back(by, on_return, Outcome::cancelled()))
        end_after_throw(by, activation);
    return {};
}

Result<void> Delegation::finish(Behavior& by, Outcome outcome, Callback callback) {
    if (const std::optional<Rule> rule = forbids_calls()) return journal_.refuse(by.number(), *rule);
    if (!on_stack(by)) return journal_.refuse(by.number(), Rule::active_to_act);
    end(by, outcome, callback);
    return {};
}

}  // namespace caribou::behavior
