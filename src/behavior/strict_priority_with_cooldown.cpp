#include "behavior/strict_priority_with_cooldown.hpp"

namespace caribou::behavior {

void StrictPriorityWithCooldown::add(Behavior& child, CooldownOptions cooldown) {
    add_child(child);
    cooldowns_.emplace_back(cooldown);
}

void StrictPriorityWithCooldown::choose(Control& control, const Outcome*) {
    if (running() && interrupts_ == Interrupts::no) return;
    const std::size_t end = running().value_or(size());
    for (std::size_t i = 0; i < end; ++i) {
        if (!is_available(control, i) || !ask(control, i)) continue;
        cooldowns_[i].draw(control.random());
        if (start(control, i)) return;
    }
    if (!running()) end_unless_waiting(control);
}

bool StrictPriorityWithCooldown::is_available(const View& view, std::size_t i) const {
    return cooldowns_[i].over(view.now());
}

void StrictPriorityWithCooldown::on_child_ended(const View& view, std::size_t i) {
    cooldowns_[i].begin(view.now());
}

}  // namespace caribou::behavior
