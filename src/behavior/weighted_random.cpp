#include "behavior/weighted_random.hpp"

#include <utility>

namespace caribou::behavior {

WeightedRandom::WeightedRandom(std::string id) : Dispatcher(std::move(id)) { declare_repeat(); }

void WeightedRandom::add(Behavior& child, double weight, CooldownOptions cooldown) {
    add_child(child);
    tickets_.push_back({.weight = weight, .cooldown = Cooldown(cooldown)});
}

bool WeightedRandom::is_available(const View& view, std::size_t i) const {
    return tickets_[i].weight > 0 && tickets_[i].cooldown.over(view.now());
}

void WeightedRandom::choose(Control& control, const Outcome*) {
    if (running()) return;
    double total = 0;
    std::size_t last = size();
    for (std::size_t i = 0; i < size(); ++i) {
        Ticket& ticket = tickets_[i];
        ticket.drawn_from = is_available(control, i) && ask(control, i);
        if (!ticket.drawn_from) continue;
        total += ticket.weight;
        last = i;
    }
    if (last == size()) return end_unless_waiting(control);
    // The last one absorbs the rounding error.
    double drawn = control.random().unit() * total;
    std::size_t chosen = last;
    for (std::size_t i = 0; i < last; ++i) {
        if (!tickets_[i].drawn_from) continue;
        if (drawn < tickets_[i].weight) {
            chosen = i;
            break;
        }
        drawn -= tickets_[i].weight;
    }
    tickets_[chosen].cooldown.draw(control.random());
    start(control, chosen);
}

void WeightedRandom::on_child_ended(const View& view, std::size_t i) {
    tickets_[i].cooldown.begin(view.now());
}

}  // namespace caribou::behavior
