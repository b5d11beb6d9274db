#include "behavior/rule.hpp"

namespace caribou::behavior {

std::string_view to_string(Rule rule) {
    switch (rule) {
        case Rule::init_once: return "init_once";
        case Rule::scope_after_init: return "scope_after_init";
        case Rule::leave_what_entered: return "leave_what_entered";
        case Rule::ask_in_scope: return "ask_in_scope";
        case Rule::activate_in_scope: return "activate_in_scope";
        case Rule::activate_inactive: return "activate_inactive";
        case Rule::activate_after_yes: return "activate_after_yes";
        case Rule::update_in_scope: return "update_in_scope";
        case Rule::update_once: return "update_once";
        case Rule::deactivate_active: return "deactivate_active";
        case Rule::in_control: return "in_control";
        case Rule::active_to_act: return "active_to_act";
        case Rule::declared_delegate: return "declared_delegate";
        case Rule::own_tree: return "own_tree";
        case Rule::inside_tick: return "inside_tick";
        case Rule::not_while_asked: return "not_while_asked";
        case Rule::not_while_changing: return "not_while_changing";
        case Rule::not_while_resetting: return "not_while_resetting";
        case Rule::declare_before_run: return "declare_before_run";
        case Rule::requirement: return "requirement";
        case Rule::ensured: return "ensured";
        case Rule::depth_limit: return "depth_limit";
        case Rule::delegation_limit: return "delegation_limit";
        case Rule::event_limit: return "event_limit";
        case Rule::no_throw: return "no_throw";
    }
    return "unknown";
}

std::string_view sentence(Rule rule) {
    switch (rule) {
        case Rule::init_once: return "init exactly once";
        case Rule::scope_after_init: return "enter scope only after init";
        case Rule::leave_what_entered: return "leave scope only as often as it was entered";
        case Rule::ask_in_scope: return "ask only what is in scope";
        case Rule::activate_in_scope: return "activate only what is in scope";
        case Rule::activate_inactive: return "activate only what is not active";
        case Rule::activate_after_yes:
            return "activate only a behavior that was asked and agreed in the same tick";
        case Rule::update_in_scope: return "update only what is in scope";
        case Rule::update_once: return "update exactly once per tick";
        case Rule::deactivate_active: return "deactivate only what is active";
        case Rule::in_control: return "delegate only from the top of the stack, with nothing delegated";
        case Rule::active_to_act: return "cancel and finish only while active";
        case Rule::declared_delegate: return "delegate only to what get_all_delegates listed";
        case Rule::own_tree: return "a delegate is another behavior of the same tree";
        case Rule::inside_tick: return "act only inside a tick, and run one tick at a time";
        case Rule::not_while_asked: return "delegate, cancel and ask nothing inside wants_to_be_activated";
        case Rule::not_while_changing: return "delegate, cancel and ask nothing while the stack changes";
        case Rule::not_while_resetting: return "delegate nothing until the reset that was asked for is done";
        case Rule::declare_before_run:
            return "declare modifiers, conditions and subscriptions before init ends";
        case Rule::requirement: return "activate only what the requirement gates allow";
        case Rule::ensured: return "an active ancestor must ensure what the behavior needs";
        case Rule::depth_limit: return "keep the stack below RunnerLimits::depth";
        case Rule::delegation_limit:
            return "delegate at most RunnerLimits::delegations_per_tick times in a tick";
        case Rule::event_limit: return "post at most RunnerLimits::events between two ticks";
        case Rule::no_throw: return "throw nothing";
    }
    return "unknown";
}

}  // namespace caribou::behavior
