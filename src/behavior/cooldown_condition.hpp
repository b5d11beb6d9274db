#pragma once

#include <optional>

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// Holds at most once per cooldown, regardless of how often its operand holds.
///
/// | operand | since the last time it went from false to true here  | answer                         |
/// |---------|------------------------------------------------------|--------------------------------|
/// | fails   | any                                                  | false                          |
/// | holds   | it has held without a gap since then                 | true                           |
/// | holds   | at least `cooldown`, or never before                 | true, and the cooldown starts  |
/// | holds   | less than `cooldown`                                 | false                          |
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
    void on_start(const Moment& moment) override;
    bool on_evaluate(const Moment& moment) override;
    void on_stop() override { operand_->stop(); }

private:
    ConditionPtr operand_;
    Duration cooldown_;
    std::optional<Instant> fired_;
    bool held_ = false;
};

}  // namespace caribou::behavior
