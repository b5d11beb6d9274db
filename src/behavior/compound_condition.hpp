#pragma once

#include <string_view>
#include <vector>

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// Base of `and` and `or`: starts, evaluates and stops all operands.
class CompoundCondition : public Condition {
public:
    explicit CompoundCondition(std::vector<ConditionPtr> operands) : operands_(std::move(operands)) {}
    std::vector<Condition*> operands() const override;

protected:
    const std::vector<ConditionPtr>& parts() const { return operands_; }
    /// Evaluates every operand once. Returns how many hold.
    std::size_t count_holding(const Moment& moment);
    /// Returns the operands joined by `word`: `(a and b)`.
    std::string joined(std::string_view word) const;

    void on_start(const Moment& moment) override;
    void on_stop() override;
    void on_spend(const Moment& moment) override;

private:
    std::vector<ConditionPtr> operands_;
};

}  // namespace caribou::behavior
