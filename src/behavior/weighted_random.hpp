#pragma once

#include <string>
#include <vector>

#include "behavior/cooldown.hpp"
#include "behavior/dispatcher.hpp"

namespace caribou::behavior {

/// While no child runs, draws one of those that want control, with probabilities proportional to their
/// weights.
///
/// | child               | takes part in the draw                     |
/// |---------------------|--------------------------------------------|
/// | weight <= 0, or NaN | never                                      |
/// | cooldown not over   | no, and is not asked                       |
/// | does not want       | no                                         |
/// | otherwise           | yes                                        |
///
/// Ends if none can be drawn, unless it is the base.
///
/// All eligible children are asked before each draw, even if the result is certain. The random numbers come
/// from the runner's seed. A running child is never interrupted. Cooldowns as in StrictPriorityWithCooldown.
/// Chance may draw short children in any order, so this declares a repeat.
class WeightedRandom final : public Dispatcher {
public:
    explicit WeightedRandom(std::string id);

    void add(Behavior& child, double weight, CooldownOptions cooldown = {});

protected:
    bool is_available(const View& view, std::size_t i) const override;
    void choose(Control& control, const Outcome* ended) override;
    void on_child_ended(const View& view, std::size_t i) override;

private:
    struct Ticket {
        double weight;
        Cooldown cooldown;
        bool drawn_from = false;
    };
    std::vector<Ticket> tickets_;
};

}  // namespace caribou::behavior
