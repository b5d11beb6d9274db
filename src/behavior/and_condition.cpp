#include "behavior/and_condition.hpp"

namespace caribou::behavior {

const Condition& AndCondition::blame() const {
    for (const ConditionPtr& operand : parts())
        if (!last() && !operand->last()) return operand->blame();
    return *this;
}

}  // namespace caribou::behavior
