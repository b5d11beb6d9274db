#pragma once

#include <cstdint>
#include <string_view>

namespace caribou::behavior {

/// The rules of the engine. A broken one is reported with the behavior and the tick
/// (RuleBroken in behavior/difference.hpp), the call is refused, and the engine goes on. Recordings
/// hold their numbers: new ones go to the end.
enum class Rule : std::uint8_t {
    init_once,            ///< init exactly once
    scope_after_init,     ///< enter scope only after init
    leave_what_entered,   ///< leave scope only as often as it was entered
    ask_in_scope,         ///< ask only what is in scope
    activate_in_scope,    ///< activate only what is in scope
    activate_inactive,    ///< activate only what is not active
    activate_after_yes,   ///< activate only what was asked and said yes in this same tick
    update_in_scope,      ///< update only what is in scope
    update_once,          ///< update exactly once per tick
    deactivate_active,    ///< deactivate only what is active
    in_control,           ///< delegate only from the top of the stack, with nothing delegated
    active_to_act,        ///< cancel and finish only while active
    declared_delegate,    ///< delegate only to what get_all_delegates listed
    own_tree,             ///< a delegate is another behavior of the same tree
    inside_tick,          ///< act only inside a tick
    not_while_asked,      ///< nothing is delegated, cancelled or asked inside wants_to_be_activated
    not_while_changing,   ///< nothing is delegated, cancelled or asked while the stack changes: in
                          ///< on_deactivated, in the scope hooks, in get_all_delegates
    not_while_resetting,  ///< nothing is delegated between the asking for a reset and the reset
    declare_before_run,   ///< modifiers, conditions and subscriptions end with init
    requirement,          ///< a RequirementGate refused the activation after the yes
    ensured,              ///< an active ancestor ensures what the behavior needs
    depth_limit,          ///< RunnerLimits::depth
    delegation_limit,     ///< RunnerLimits::delegations_per_tick
    event_limit,          ///< RunnerLimits::events
    no_throw,             ///< user code does not throw
    last = no_throw,
};

/// The rule's name: `activate_after_yes`.
std::string_view to_string(Rule rule);
/// The rule as a sentence: "activate only what was asked and said yes in this same tick".
std::string_view sentence(Rule rule);

}  // namespace caribou::behavior
