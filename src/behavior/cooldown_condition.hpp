#pragma once

#include <optional>

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// Permits what it guards at most once per cooldown. The cooldown starts when the answer has been acted on
/// (Condition::spend), so that a wish that was not granted costs nothing.
///
/// | operand | since it was last spent        | answer  |
/// |---------|--------------------------------|---------|
/// | fails   | any                            | false   |
/// | holds   | at least `cooldown`, or never  | true    |
/// | holds   | less than `cooldown`           | false   |
///
/// The cooldown continues across stop and start: it belongs to the object, not to one live period.
class CooldownCondition final : public Condition {
public:
    CooldownCondition(ConditionPtr operand, Duration cooldown)
        : operand_(std::move(operand)), cooldown_(cooldown) {}
    std::string describe() const override;
    std::vector<Condition*> operands() const override { return {operand_.get()}; }
    /// Returns the operand that fails, or this condition if the cooldown is the reason.
    const Condition& blame() const override { return operand_->last() ? *this : operand_->blame(); }

protected:
    void on_start(const Moment& moment) override { operand_->start(moment); }
    bool on_evaluate(const Moment& moment) override;
    void on_stop() override { operand_->stop(); }
    void on_spend(const Moment& moment) override;

private:
    ConditionPtr operand_;
    Duration cooldown_;
    std::optional<Instant> spent_;
};

}  // namespace caribou::behavior
