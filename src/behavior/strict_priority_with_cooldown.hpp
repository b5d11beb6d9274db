#pragma once

#include <vector>

#include "behavior/cooldown.hpp"
#include "behavior/strict_priority.hpp"

namespace caribou::behavior {

/// Same as StrictPriority, but a child that has ended, in any way, is not asked again until its cooldown is
/// over. Cooldowns continue while the dispatcher is not active.
class StrictPriorityWithCooldown final : public Dispatcher {
public:
    explicit StrictPriorityWithCooldown(std::string id, Interrupts interrupts = Interrupts::yes)
        : Dispatcher(std::move(id)), interrupts_(interrupts) {}

    /// Adds a child, in order of descending priority.
    void add(Behavior& child, CooldownOptions cooldown);

protected:
    bool is_available(const View& view, std::size_t i) const override;
    void choose(Control& control, const Outcome* ended) override;
    void on_child_ended(const View& view, std::size_t i) override;

private:
    Interrupts interrupts_;
    std::vector<Cooldown> cooldowns_;
};

}  // namespace caribou::behavior
