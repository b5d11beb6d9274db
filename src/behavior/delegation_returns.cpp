// The part of Delegation that handles actions and the return of control.
#include <utility>

#include "behavior/delegation.hpp"

namespace caribou::behavior {

Result<void> Delegation::delegate(Behavior& by, Action& action, std::unique_ptr<Action> owned,
                                  OnReturn on_return) {
    if (const std::optional<Rule> rule = forbids_delegation(by)) return journal_.refuse(by.number(), *rule);
    ++delegations_;
    Layer& layer = layers_.back();
    layer.returned.reset();
    layer.on_return = std::move(on_return);
    layer.action = &action;
    layer.owned = std::move(owned);
    journal_.note(ActionStarted{by.number(), journal_.keep(action.name())});
    const PhaseGuard guard(state_, Phase::changing);
    if (contain(journal_, by.number(), "an action's start", [&] { action.start(state_.now); })) return {};
    std::string why = journal_.last_throw();
    cancel_action(layer, by.number());
    layer.on_return = {};
    return fail(Code::refused, std::move(why));
}

void Delegation::cancel_action(Layer& layer, Who owner) {
    if (!layer.action) return;
    const PhaseGuard guard(state_, Phase::changing);
    Action& action = *std::exchange(layer.action, nullptr);
    contain(journal_, owner, "an action's cancel", [&] { action.cancel(); });
    layer.owned.reset();
    journal_.note(ActionEnded{owner, Outcome::Kind::cancelled, {}});
}

void Delegation::poll_action() {
    // Only the top can have an action: a behavior with an action has delegated, and cannot push.
    if (layers_.empty() || !layers_.back().action) return;
    Layer& layer = layers_.back();
    const Who owner = stack_.back()->number();
    std::optional<Outcome> outcome;
    {
        const PhaseGuard guard(state_, Phase::changing);
        auto polled =
            contain(journal_, owner, "an action's poll", [&] { return layer.action->poll(state_.now); });
        if (polled) {
            outcome = std::move(*polled);
        } else {
            outcome = Outcome::failed(journal_.last_throw());
            contain(journal_, owner, "an action's cancel", [&] { layer.action->cancel(); });
        }
    }
    if (!outcome) return;
    layer.action = nullptr;
    layer.owned.reset();
    journal_.note(ActionEnded{owner, outcome->kind(), journal_.keep(outcome->reason())});
    layer.returned = std::move(outcome);
    unwind();
}

void Delegation::take_turn(Behavior& behavior) {
    const std::uint64_t activation = Lifecycle::standing(behavior).activations;
    const Turn turn = lifecycle_.take_turn(behavior);
    if (same_activation(behavior, activation)) {
        if (turn == Turn::updated) layers_[place(behavior)].had_turn = true;
        if (turn == Turn::threw) end_after_throw(behavior, activation);
        if (turn == Turn::cancelled)
            end(behavior, Outcome::cancelled(lifecycle_.cancel_reason()), Callback::fires);
    }
    unwind();
}

bool Delegation::always_delegates_no_more() const {
    const Layer& top = layers_.back();
    return stack_.back()->modifiers().always_delegates && nothing_delegated() && (top.had_turn || top.last);
}

void Delegation::unwind() {
    while (!stack_.empty()) {
        if (layers_.back().returned) {
            return_control();
        } else if (always_delegates_no_more()) {
            end(*stack_.back(), layers_.back().last.value_or(Outcome::failed("it delegated nothing")),
                Callback::fires);
        } else {
            break;
        }
    }
    unsettled_ = false;
}

void Delegation::return_control() {
    Behavior& behavior = *stack_.back();
    Layer& layer = layers_.back();
    const std::uint64_t activation = Lifecycle::standing(behavior).activations;
    const Outcome outcome = *std::exchange(layer.returned, std::nullopt);
    OnReturn on_return = std::exchange(layer.on_return, {});
    layer.last = outcome;
    bool threw = on_return && !lifecycle_.call_back(behavior, on_return, outcome);
    // The callback may have done anything; on_control_returned is called only if there is still nothing
    // delegated.
    if (!threw && same_activation(behavior, activation) && !is_control_delegated(behavior) &&
        !layers_.back().returned)
        threw = !lifecycle_.tell_returned(behavior, outcome);
    if (threw) end_after_throw(behavior, activation);
}

}  // namespace caribou::behavior
