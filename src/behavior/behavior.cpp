#include "behavior/behavior.hpp"

#include <utility>

#include "behavior/engine.hpp"

namespace caribou::behavior {

Behavior::Behavior(std::string id) : id_(std::move(id)) {}
Behavior::~Behavior() = default;

Result<void> Behavior::declare(OperationModifiers modifiers) {
    if (auto may = still_declaring(); !may) return may;
    modifiers_ = std::move(modifiers);
    return {};
}

Result<void> Behavior::wants_when(ConditionPtr condition) {
    if (auto may = still_declaring(); !may) return may;
    if (!condition) return fail(Code::invalid_argument, id_ + ": wants_when needs a condition");
    wants_conditions_.push_back(std::move(condition));
    return {};
}

Result<void> Behavior::cancel_when(ConditionPtr condition) {
    if (auto may = still_declaring(); !may) return may;
    if (!condition) return fail(Code::invalid_argument, id_ + ": cancel_when needs a condition");
    cancel_conditions_.push_back(std::move(condition));
    return {};
}

Result<void> Behavior::subscribe(std::string_view topic) {
    if (auto may = still_declaring(); !may) return may;
    topics_.emplace_back(topic);
    return {};
}

Result<void> Behavior::name_condition(Condition& condition) {
    if (auto may = still_declaring(); !may) return may;
    named_conditions_.push_back(&condition);
    return {};
}

Result<void> Behavior::still_declaring() const {
    if (state() == State::created) return {};
    return control_.engine_->refuse(number(), Rule::declare_before_run, id_);
}

void Behavior::get_all_delegates(DelegateSet&) const {}
void Behavior::init(const View&) {}
void Behavior::on_entered_activatable_scope(Scope&) {}
Wants Behavior::wants_to_be_activated(const View&) const { return true; }
void Behavior::on_activated(Control&) {}
void Behavior::update(Control&) {}
void Behavior::on_control_returned(Control&, const Outcome&) {}
void Behavior::on_deactivated(const View&) {}
void Behavior::on_left_activatable_scope(const View&) {}

std::string_view to_string(Standing::State state) {
    switch (state) {
        case Standing::State::created: return "created";
        case Standing::State::out_of_scope: return "out_of_scope";
        case Standing::State::in_scope: return "in_scope";
        case Standing::State::active: return "active";
    }
    return "unknown";
}

}  // namespace caribou::behavior
