#include "behavior/replay_state.hpp"

namespace caribou::behavior {

void ReplayState::forget(Who who) {
    refused.erase(who);
    const auto from = conditions.lower_bound({who, 0});
    conditions.erase(from, conditions.upper_bound({who, UINT32_MAX}));
}

bool ReplayState::apply(const Change& change) {
    if (const auto* pushed = std::get_if<Pushed>(&change)) {
        if (!in_scope.contains(pushed->who) || is_active(pushed->who)) return false;
        forget(pushed->who);
        stack.push_back(pushed->who);
    } else if (const auto* popped = std::get_if<Popped>(&change)) {
        if (stack.empty() || stack.back() != popped->who) return false;
        forget(popped->who);
        stack.pop_back();
    } else if (const auto* entered = std::get_if<Entered>(&change)) {
        return in_scope.insert(entered->who).second;
    } else if (const auto* left = std::get_if<Left>(&change)) {
        if (is_active(left->who) || in_scope.erase(left->who) == 0) return false;
        forget(left->who);
    } else if (const auto* no = std::get_if<Refused>(&change)) {
        refused.insert_or_assign(no->who, *no);
    } else if (const auto* yes = std::get_if<Willing>(&change)) {
        refused.erase(yes->who);
    } else if (const auto* condition = std::get_if<ConditionChanged>(&change)) {
        conditions.insert_or_assign({condition->who, condition->number}, condition->holds);
    } else if (std::holds_alternative<TreeChanged>(change)) {
        return stack.empty() && in_scope.empty();
    }
    return true;
}

}  // namespace caribou::behavior
