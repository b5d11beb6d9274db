#pragma once

#include <string_view>
#include <vector>

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// What `and`, `or` and `not` share: they start, evaluate and stop all their operands.
class CompoundCondition : public Condition {
public:
    explicit CompoundCondition(std::vector<ConditionPtr> operands) : operands_(std::move(operands)) {}
    std::vector<Condition*> operands() const override;

protected:
    const std::vector<ConditionPtr>& parts() const { return operands_; }
    /// Every operand once; returns how many hold.
    std::size_t count_holding(const Moment& moment);
    /// `(a and b)`.
    std::string joined(std::string_view word) const;

    void on_start(const Moment& moment) override;
    void on_stop() override;

private:
    std::vector<ConditionPtr> operands_;
};

}  // namespace caribou::behavior
