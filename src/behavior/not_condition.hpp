#pragma once

#include "behavior/condition.hpp"

namespace caribou::behavior {

/// | operand | answer |
/// |---------|--------|
/// | holds   | false  |
/// | fails   | true   |
class NotCondition final : public Condition {
public:
    explicit NotCondition(ConditionPtr operand) : operand_(std::move(operand)) {}
    std::string describe() const override { return "not " + operand_->describe(); }
    std::vector<Condition*> operands() const override { return {operand_.get()}; }

protected:
    void on_start(const Moment& moment) override { operand_->start(moment); }
    bool on_evaluate(const Moment& moment) override { return !operand_->evaluate(moment); }
    void on_stop() override { operand_->stop(); }
    void on_spend(const Moment& moment) override { operand_->spend(moment); }

private:
    ConditionPtr operand_;
};

}  // namespace caribou::behavior
