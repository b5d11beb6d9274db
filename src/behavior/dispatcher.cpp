#include "behavior/dispatcher.hpp"

#include <utility>

namespace caribou::behavior {

Dispatcher::Dispatcher(std::string id) : Behavior(std::move(id)) {
    OperationModifiers modifiers;
    modifiers.allowed_charging = modifiers.allowed_off_ground = modifiers.allowed_carrying = true;
    (void)declare(std::move(modifiers));  // cannot be refused: it is not in a runner yet
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
    on_begin(control);
    choose(control, nullptr);
}

void Dispatcher::update(Control& control) {
    if (control.is_active()) choose(control, nullptr);
}

void Dispatcher::on_control_returned(Control& control, const Outcome& outcome) {
    if (running_) on_child_ended(control, *std::exchange(running_, std::nullopt));
    choose(control, &outcome);
}

void Dispatcher::on_deactivated(const View& view) {
    if (running_) on_child_ended(view, *std::exchange(running_, std::nullopt));
    on_end(view);
}

}  // namespace caribou::behavior
