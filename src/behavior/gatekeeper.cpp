#include "behavior/gatekeeper.hpp"

#include <algorithm>
#include <utility>

namespace caribou::behavior {
namespace {

const Wants gate_threw{Gate::requirement, "a requirement gate threw"};

}  // namespace

void Gatekeeper::begin_tick() {
    charging_ = state_.facts.holds(fact_charging);
    off_ground_ = state_.facts.holds(fact_off_ground);
    carrying_ = state_.facts.holds(fact_carrying);
}

void Gatekeeper::remove(RequirementGate& gate) {
    std::erase_if(gates_, [&](const Door& door) { return door.gate == &gate; });
}

Wants Gatekeeper::ask(Behavior& behavior, std::span<Behavior* const> stack) {
    const Standing& standing = Lifecycle::standing(behavior);
    if (standing.scope == 0) return lifecycle_.ask_itself(behavior);  // refused and reported there
    if (standing.state == Behavior::State::active) return {Gate::active, "it is active already"};
    const PhaseGuard guard(state_, Phase::asking);
    const Wants answer = first_no(behavior, stack);
    const bool is_news = !standing.answered || standing.answer != answer;
    if (is_news && answer.gate() == Gate::ensured)
        journal_.broken(behavior.number(), Rule::ensured, answer.why_not());
    lifecycle_.answer(behavior, answer);
    return answer;
}

Wants Gatekeeper::first_no(Behavior& behavior, std::span<Behavior* const> stack) {
    if (Lifecycle::standing(behavior).broken) return {Gate::broken, "its init threw"};
    if (const Wants allowed = circumstances(behavior.modifiers()); !allowed) return allowed;
    if (const Wants allowed = ensured(behavior, stack); !allowed) return allowed;
    for (const Door& door : gates_) {
        const Wants allowed = contain(journal_, behavior.number(), "a requirement gate", [&] {
                                  return door.gate->may_want(behavior, stack);
                              }).value_or(gate_threw);
        if (!allowed) return {Gate::requirement, allowed.why_not()};
    }
    if (const Condition* failing = lifecycle_.failing_condition(behavior))
        return {Gate::condition, failing->text()};
    const Question question{&behavior, stack, question_};
    question_ = &question;
    const Wants own = lifecycle_.ask_itself(behavior);
    question_ = question.outer;
    return own;
}

Wants Gatekeeper::ask_inside(Behavior& by, Behavior& delegate) {
    if (Lifecycle::standing(delegate).scope == 0) return {Gate::scope, "it is nested too deeply"};
    for (const Question* question = question_; question; question = question->outer)
        if (question->asked == &delegate) return {Gate::delegates, "it is being asked already"};
    if (!question_->outer) path_.assign(question_->stack.begin(), question_->stack.end());
    path_.push_back(&by);
    const Wants answer = ask(delegate, path_);
    path_.pop_back();
    return answer;
}

Wants Gatekeeper::circumstances(const OperationModifiers& modifiers) const {
    if (charging_ && !modifiers.allowed_charging) return {Gate::circumstances, fact_charging};
    if (off_ground_ && !modifiers.allowed_off_ground) return {Gate::circumstances, fact_off_ground};
    if (carrying_ && !modifiers.allowed_carrying) return {Gate::circumstances, fact_carrying};
    return true;
}

Wants Gatekeeper::ensured(const Behavior& behavior, std::span<Behavior* const> stack) {
    for (const std::string& needed : behavior.modifiers().needs_ensured) {
        const bool found = std::ranges::any_of(stack, [&](const Behavior* active) {
            return std::ranges::find(active->modifiers().ensures, needed) !=
                   active->modifiers().ensures.end();
        });
        if (!found) return {Gate::ensured, needed};
    }
    return true;
}

Wants Gatekeeper::admit(Behavior& behavior, std::span<Behavior* const> stack) {
    const PhaseGuard guard(state_, Phase::changing);
    for (Door& door : gates_) {
        const Wants admitted = contain(journal_, behavior.number(), "a requirement gate", [&] {
                                   return door.gate->may_activate(behavior, stack);
                               }).value_or(gate_threw);
        if (!admitted) {
            release(behavior);
            return {Gate::requirement, admitted.why_not()};
        }
        door.admitted.push_back(&behavior);
    }
    return true;
}

void Gatekeeper::release(Behavior& behavior) {
    const PhaseGuard guard(state_, Phase::changing);
    for (Door& door : gates_)
        if (std::erase(door.admitted, &behavior) > 0)
            contain(journal_, behavior.number(), "a requirement gate",
                    [&] { door.gate->on_deactivated(behavior); });
}

}  // namespace caribou::behavior
