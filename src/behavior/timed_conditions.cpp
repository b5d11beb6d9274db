#include <fmt/format.h>

#include "behavior/cooldown_condition.hpp"
#include "behavior/held_condition.hpp"
#include "behavior/timer_condition.hpp"

namespace caribou::behavior {

std::string TimerCondition::describe() const { return fmt::format("after {} s", to_seconds(from_)); }

std::string HeldCondition::describe() const {
    return fmt::format("{} for {} s", operand_->describe(), to_seconds(duration_));
}

void HeldCondition::on_start(const Moment& moment) {
    since_.reset();
    operand_->start(moment);
}

bool HeldCondition::on_evaluate(const Moment& moment) {
    if (!operand_->evaluate(moment)) {
        since_.reset();
        return false;
    }
    if (!since_) since_ = moment.now;
    return moment.now - *since_ >= duration_;
}

std::string CooldownCondition::describe() const {
    return fmt::format("{} at most every {} s", operand_->describe(), to_seconds(cooldown_));
}

bool CooldownCondition::on_evaluate(const Moment& moment) {
    return operand_->evaluate(moment) && (!spent_ || moment.now - *spent_ >= cooldown_);
}

void CooldownCondition::on_spend(const Moment& moment) {
    spent_ = moment.now;
    operand_->spend(moment);
}

}  // namespace caribou::behavior
