#include "behavior/condition.hpp"

namespace caribou::behavior {

void Condition::start(const Moment& moment) {
    live_ = true;
    answer_ = Answer::none;
    on_start(moment);
}

bool Condition::evaluate(const Moment& moment) {
    const bool says = on_evaluate(moment);
    const bool holds = forced_.value_or(says);
    const Answer answer = holds ? Answer::holds : Answer::fails;
    if (answer != answer_) {
        answer_ = answer;
        if (moment.witness) moment.witness->condition_changed(*this, holds);
    }
    return holds;
}

void Condition::stop() {
    if (!live_) return;
    live_ = false;
    answer_ = Answer::none;
    on_stop();
}

void Condition::spend(const Moment& moment) {
    if (live_ && last()) on_spend(moment);
}

void Condition::number(std::uint32_t& next) {
    number_ = next++;
    text_ = describe();
    for (Condition* operand : operands()) operand->number(next);
}

}  // namespace caribou::behavior
