#pragma once

#include "behavior/compound_condition.hpp"

namespace caribou::behavior {

/// | operands                | answer                                 | blame()              |
/// |-------------------------|----------------------------------------|----------------------|
/// | all hold, or none given | true                                   | itself               |
/// | one fails               | false, after all were evaluated        | the first that fails |
class AndCondition final : public CompoundCondition {
public:
    using CompoundCondition::CompoundCondition;
    std::string describe() const override { return parts().empty() ? "always" : joined("and"); }
    const Condition& blame() const override;

protected:
    bool on_evaluate(const Moment& moment) override { return count_holding(moment) == parts().size(); }
};

}  // namespace caribou::behavior
