#pragma once

#include <optional>

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// At most once per cooldown, however often its operand holds.
///
/// | operand | since the last time it went from false to true here | answer |
/// |---------|------------------------------------------------------|--------|
/// | fails   | any                                                  | false  |
/// | holds   | it holds without a gap since then                    | true   |
/// | holds   | at least `cooldown`, or never before                 | true, and the cooldown begins |
/// | holds   | less than `cooldown`                                 | false  |
///
/// The cooldown outlives stop and start: it belongs to the object, not to one time of being live.
class CooldownCondition final : public Condition {
public:
    CooldownCondition(ConditionPtr operand, Duration cooldown)
        : operand_(std::move(operand)), cooldown_(cooldown) {}
    std::string describe() const override;
    std::vector<Condition*> operands() const override { return {operand_.get()}; }
    /// What keeps the operand from holding, or the time.
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
