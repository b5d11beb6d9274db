#include "behavior/dispatcher.hpp"

#include <algorithm>
#include <utility>

namespace caribou::behavior {

Dispatcher::Dispatcher(std::string id) : Behavior(std::move(id)) {
    OperationModifiers modifiers;
    modifiers.allowed_charging = modifiers.allowed_off_ground = modifiers.allowed_carrying = true;
    modifiers.asks_delegates = true;
    (void)declare(std::move(modifiers));  // cannot be refused: it is not in a runner yet
}

void Dispatcher::declare_repeat() {
    OperationModifiers with_repeat = modifiers();
    with_repeat.declares_repeat = true;
    (void)declare(std::move(with_repeat));  // cannot be refused: it is not in a runner yet
}

void Dispatcher::want_always() {
    OperationModifiers without_children = modifiers();
    without_children.asks_delegates = false;
    (void)declare(std::move(without_children));  // cannot be refused: it is not in a runner yet
}

Wants Dispatcher::wants_to_be_activated(const View& view) const {
    if (!modifiers().asks_delegates || view.is_base()) return true;
    return could_start(view);
}

Wants Dispatcher::could_start(const View& view) const {
    bool is_later = false;
    for (std::size_t i = 0; i < size(); ++i) {
        if (!is_available(view, i)) continue;
        const Wants wants = view.wants(child(i));
        if (wants) return true;
        is_later = is_later || wants.is_later();
    }
    if (is_later) return Wants::later("no child wants control yet", Gate::delegates);
    return {Gate::delegates, "no child wants control"};
}

void Dispatcher::end_unless_waiting(Control& control) {
    if (!modifiers().asks_delegates || control.is_base()) return;
    if (std::ranges::find(children_, control.tick(), &Child::started) != children_.end()) return;
    (void)control.finish(last_.value_or(Outcome::failed("no child wanted to be activated")));
}

std::size_t Dispatcher::add_child(Behavior& child) {
    children_.push_back({&child});
    return children_.size() - 1;
}

void Dispatcher::get_all_delegates(DelegateSet& delegates) const {
    for (const Child& child : children_) delegates.insert(*child.behavior);
}

Wants Dispatcher::ask(Control& control, std::size_t i) {
    if (children_[i].started == control.tick()) return Wants::no("it was started in this tick already");
    return control.wants(*children_[i].behavior);
}

bool Dispatcher::start(Control& control, std::size_t i) {
    stop(control);
    children_[i].started = control.tick();
    running_ = i;
    // A refusal is reported by the engine; the next choice may differ.
    if (!control.delegate(*children_[i].behavior)) running_.reset();
    return running_.has_value();
}

void Dispatcher::stop(Control& control) {
    if (!running_) return;
    (void)control.cancel_delegates();  // cannot be refused where choose() is called
    const std::size_t ended = *std::exchange(running_, std::nullopt);
    on_child_ended(control, ended);
}

void Dispatcher::on_activated(Control& control) {
    running_.reset();
    last_.reset();
    on_begin(control);
    choose(control, nullptr);
}

void Dispatcher::update(Control& control) {
    if (control.is_active()) choose(control, nullptr);
}

void Dispatcher::on_control_returned(Control& control, const Outcome& outcome) {
    if (running_) on_child_ended(control, *std::exchange(running_, std::nullopt));
    last_ = outcome;
    if (is_once_)
        (void)control.finish(outcome);  // cannot be refused here
    else
        choose(control, &outcome);
}

void Dispatcher::on_deactivated(const View& view) {
    if (running_) on_child_ended(view, *std::exchange(running_, std::nullopt));
    on_end(view);
}

}  // namespace caribou::behavior
