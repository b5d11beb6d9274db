#include "behavior/state_machine.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::behavior {

Result<void> StateMachine::add_state(std::string name, Behavior& behavior) {
    if (name.empty() || name == back)
        return fail(Code::invalid_argument, fmt::format("{}: a state cannot be called '{}'", id(), name));
    if (find(name)) return fail(Code::already_exists, fmt::format("{} has two states {}", id(), name));
    states_.push_back({std::move(name), add_child(behavior), {}});
    return {};
}

Result<void> StateMachine::add_transition(std::string_view from, Kind kind, ConditionPtr condition,
                                          std::string_view target, std::optional<Outcome::Kind> ended_as) {
    const auto source = find(from);
    const auto destination = target == back ? to_previous : find(target);
    if (!source || !destination)
        return fail(Code::not_found, fmt::format("{} has no state {}", id(), source ? target : from));
    if (!condition && kind != Kind::on_exit)
        return fail(Code::invalid_argument, fmt::format("{}: only on_exit needs no condition", id()));
    if (ended_as && kind != Kind::on_exit)
        return fail(Code::invalid_argument, fmt::format("{}: only on_exit depends on an outcome", id()));
    states_[*source].transitions.push_back({kind, std::move(condition), *destination, ended_as});
    return {};
}

std::string_view StateMachine::state_name() const {
    return current_ ? std::string_view(states_[*current_].name) : std::string_view();
}

std::optional<std::size_t> StateMachine::find(std::string_view name) const {
    for (std::size_t i = 0; i < states_.size(); ++i)
        if (states_[i].name == name) return i;
    return std::nullopt;
}

void StateMachine::init(const View&) {
    for (const State& state : states_)
        for (const Transition& transition : state.transitions)
            if (transition.condition) (void)name_condition(*transition.condition);
}

Wants StateMachine::could_start(const View& view) const {
    if (!states_.empty() && view.wants(child(states_[first_state()].child))) return true;
    return {Gate::delegates, "the behavior of its first state does not want control"};
}

void StateMachine::on_begin(Control& control) {
    if (states_.empty()) return;
    if (resume_ == Resume::no || !current_) previous_.reset();
    current_ = first_state();
    begin_state(control);
}

void StateMachine::begin_state(Control& control) {
    started_ = false;
    const Moment moment = control.moment();
    for (const Transition& transition : states_[*current_].transitions)
        if (transition.condition) transition.condition->start(moment);
}

void StateMachine::end_state() {
    if (!current_) return;
    for (const Transition& transition : states_[*current_].transitions)
        if (transition.condition) transition.condition->stop();
}

void StateMachine::on_end(const View&) { end_state(); }

bool StateMachine::is_possible(const Transition& transition, const Outcome* ended) const {
    if (transition.target == to_previous && !previous_) return false;
    switch (transition.kind) {
        case Kind::interrupting: return true;
        case Kind::when_idle: return !running();
        case Kind::on_exit: return ended && (!transition.ended_as || *transition.ended_as == ended->kind());
    }
    return false;
}

const StateMachine::Transition* StateMachine::next_transition(Control& control, const Outcome* ended) {
    const Transition* next = nullptr;
    for (const Transition& transition : states_[*current_].transitions) {
        const bool holds = !transition.condition || transition.condition->evaluate(control.moment());
        if (holds && !next && is_possible(transition, ended)) next = &transition;
    }
    return next;
}

void StateMachine::choose(Control& control, const Outcome* ended) {
    if (!current_) return;
    if (const Transition* taken = next_transition(control, ended)) {
        if (taken->condition) taken->condition->spend(control.moment());
        const std::size_t next = taken->target == to_previous ? *previous_ : taken->target;
        stop(control);
        end_state();
        previous_ = std::exchange(current_, next);
        begin_state(control);
    }
    const std::size_t child = states_[*current_].child;
    if (!running() && !started_ && ask(control, child)) started_ = start(control, child);
}

}  // namespace caribou::behavior
