#pragma once

#include <cstdint>
#include <string_view>

namespace caribou::behavior {

/// The rules of the engine. A broken rule is reported with the behavior and the tick (RuleBroken in
/// behavior/difference.hpp), the call is refused, and the engine continues. Recordings contain the numbers,
/// so new rules must be added at the end.
enum class Rule : std::uint8_t {
    init_once,            ///< init exactly once
    scope_after_init,     ///< enter scope only after init
    leave_what_entered,   ///< leave scope only as often as it was entered
    ask_in_scope,         ///< ask only behaviors in scope
    activate_in_scope,    ///< activate only behaviors in scope
    activate_inactive,    ///< activate only behaviors that are not active
    activate_after_yes,   ///< activate only behaviors that were asked and agreed in the same tick
    update_in_scope,      ///< update only behaviors in scope
    update_once,          ///< update exactly once per tick
    deactivate_active,    ///< deactivate only active behaviors
    in_control,           ///< delegate only from the top of the stack, with nothing delegated
    active_to_act,        ///< cancel and finish only while active
    declared_delegate,    ///< delegate only to behaviors listed by get_all_delegates
    own_tree,             ///< a delegate is another behavior of the same tree
    inside_tick,          ///< act only inside a tick
    not_while_asked,      ///< no delegating, cancelling or asking inside wants_to_be_activated
    not_while_changing,   ///< no delegating, cancelling or asking while the stack changes: in on_deactivated,
                          ///< the scope hooks and get_all_delegates
    not_while_resetting,  ///< no delegating between the request of a reset and the reset
    declare_before_run,   ///< no modifiers, conditions or subscriptions after init
    requirement,          ///< a RequirementGate refused the activation after the yes
    ensured,              ///< an active ancestor must ensure what the behavior needs
    depth_limit,          ///< RunnerLimits::depth
    delegation_limit,     ///< RunnerLimits::delegations_per_tick
    event_limit,          ///< RunnerLimits::events
    no_throw,             ///< user code must not throw
    last = no_throw,
};

/// Returns the name of the rule, such as `activate_after_yes`.
std::string_view to_string(Rule rule);
/// Returns the rule as a sentence for error messages.
std::string_view sentence(Rule rule);

}  // namespace caribou::behavior
