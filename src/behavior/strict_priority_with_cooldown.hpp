#pragma once

#include <vector>

#include "behavior/cooldown.hpp"
#include "behavior/strict_priority.hpp"

namespace caribou::behavior {

/// As StrictPriority, but a child rests after it ended, however it ended, and is not asked until its
/// cooldown is over. Cooldowns go on while the dispatcher is not active.
class StrictPriorityWithCooldown final : public Dispatcher {
public:
    explicit StrictPriorityWithCooldown(std::string id, Interrupts interrupts = Interrupts::yes)
        : Dispatcher(std::move(id)), interrupts_(interrupts) {}

    /// From the highest priority to the lowest.
    void add(Behavior& child, CooldownOptions cooldown);

protected:
    void choose(Control& control, const Outcome* ended) override;
    void on_child_ended(const View& view, std::size_t i) override;

private:
    Interrupts interrupts_;
    std::vector<Cooldown> cooldowns_;
};

}  // namespace caribou::behavior
