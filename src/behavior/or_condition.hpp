#pragma once

#include "behavior/compound_condition.hpp"

namespace caribou::behavior {

/// | operands               | answer                              |
/// |------------------------|-------------------------------------|
/// | one holds              | true, after all were evaluated      |
/// | none holds, none given | false                               |
class OrCondition final : public CompoundCondition {
public:
    using CompoundCondition::CompoundCondition;
    std::string describe() const override { return parts().empty() ? "never" : joined("or"); }

protected:
    bool on_evaluate(const Moment& moment) override { return count_holding(moment) > 0; }
};

}  // namespace caribou::behavior
