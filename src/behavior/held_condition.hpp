#pragma once

#include <optional>

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// | operand                                | answer |
/// |----------------------------------------|--------|
/// | fails                                  | false  |
/// | has held without a gap for `duration`  | true   |
/// | has held, but for a shorter time       | false  |
class HeldCondition final : public Condition {
public:
    HeldCondition(ConditionPtr operand, Duration duration)
        : operand_(std::move(operand)), duration_(duration) {}
    std::string describe() const override;
    std::vector<Condition*> operands() const override { return {operand_.get()}; }
    /// Returns the operand that fails, or this condition if the time is the reason.
    const Condition& blame() const override { return operand_->last() ? *this : operand_->blame(); }

protected:
    void on_start(const Moment& moment) override;
    bool on_evaluate(const Moment& moment) override;
    void on_stop() override { operand_->stop(); }
    void on_spend(const Moment& moment) override { operand_->spend(moment); }

private:
    ConditionPtr operand_;
    Duration duration_;
    std::optional<Instant> since_;
};

}  // namespace caribou::behavior
