#include "behavior/compound_condition.hpp"

namespace caribou::behavior {

std::vector<Condition*> CompoundCondition::operands() const {
    std::vector<Condition*> all;
    for (const ConditionPtr& operand : operands_) all.push_back(operand.get());
    return all;
}

std::size_t CompoundCondition::count_holding(const Moment& moment) {
    std::size_t holding = 0;
    for (const ConditionPtr& operand : operands_)
        if (operand->evaluate(moment)) ++holding;
    return holding;
}

std::string CompoundCondition::joined(std::string_view word) const {
    std::string text = "(";
    for (const ConditionPtr& operand : operands_) {
        if (text.size() > 1) text.append(" ").append(word).append(" ");
        text += operand->describe();
    }
    return text + ")";
}

void CompoundCondition::on_start(const Moment& moment) {
    for (const ConditionPtr& operand : operands_) operand->start(moment);
}

void CompoundCondition::on_spend(const Moment& moment) {
    for (const ConditionPtr& operand : operands_) operand->spend(moment);
}

void CompoundCondition::on_stop() {
    for (const ConditionPtr& operand : operands_) operand->stop();
}

}  // namespace caribou::behavior
