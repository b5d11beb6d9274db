#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "behavior/condition.hpp"
#include "behavior/control.hpp"
#include "behavior/delegate_set.hpp"
#include "behavior/modifiers.hpp"
#include "behavior/standing.hpp"
#include "behavior/wants.hpp"

namespace caribou::behavior {

/// One activity of a robot. The engine calls it as follows, and never otherwise:
///
/// | state        | possible calls                                  | next state   |
/// |--------------|-------------------------------------------------|--------------|
/// | created      | init                                            | out_of_scope |
/// | out_of_scope | on_entered_activatable_scope                    | in_scope     |
/// | in_scope     | wants_to_be_activated (any number), update (one | in_scope     |
/// |              | per tick)                                       |              |
/// |              | on_activated, after a yes in the same tick      | active       |
/// |              | on_left_activatable_scope                       | out_of_scope |
/// | active       | update (one per tick), callbacks                | active       |
/// |              | on_deactivated                                  | in_scope     |
///
/// It is in scope as long as a behavior lists it that is active, or that is in scope and asks its delegates
/// (OperationModifiers::asks_delegates). It is active from the delegation to it
/// until it ends, including while it has delegated to another. An exception ends only the behavior that
/// threw: it is deactivated, its delegator regains control, and the error is reported.
class Behavior {
public:
    using State = Standing::State;

    /// `id` must be unique in its tree.
    explicit Behavior(std::string id);
    virtual ~Behavior();
    Behavior(const Behavior&) = delete;
    Behavior& operator=(const Behavior&) = delete;

    const std::string& id() const { return id_; }
    /// Returns its position in the order of declaration in its tree, starting at 0.
    std::uint32_t number() const { return standing_.number; }
    State state() const { return standing_.state; }
    const OperationModifiers& modifiers() const { return modifiers_; }

    /// Declarations are allowed until init has returned; later ones are refused and reported. declare()
    /// replaces earlier modifiers; to extend them, start from modifiers().
    Result<void> declare(OperationModifiers modifiers);
    /// Adds a condition for activation; if there are several, all must hold. Evaluated once per tick while in
    /// scope and not active.
    Result<void> wants_when(ConditionPtr condition);
    /// Adds a condition for cancellation; if there are several, one suffices. Evaluated before its update
    /// while active; if one holds, the behavior ends as cancelled, and its delegator's callback is called.
    Result<void> cancel_when(ConditionPtr condition);
    /// Subscribes to the events of a topic.
    Result<void> subscribe(std::string_view topic);

    /// Returns its conditions with all their operands, indexed by their numbers.
    std::span<Condition* const> conditions() const { return conditions_; }
    /// Returns the conditions of wants_when(), in order.
    std::span<const ConditionPtr> wants_conditions() const { return wants_conditions_; }

    /// Inserts every behavior to which it might delegate. Called once when it is activated, and the result is
    /// fixed until it is deactivated; tools may call it at any time.
    virtual void get_all_delegates(DelegateSet& delegates) const;

protected:
    /// Called once, before everything else. Declare conditions, subscriptions and everything constant here.
    virtual void init(const View& view);
    /// Called when it enters scope, after which it may be asked. Start here what wants_to_be_activated relies
    /// on.
    virtual void on_entered_activatable_scope(Scope& scope);
    /// Returns whether it wants control. A yes does not guarantee activation, so nothing may be started here.
    /// Called only if all other gates have agreed.
    virtual Wants wants_to_be_activated(const View& view) const;
    /// Called when it receives control. It may delegate or end at once.
    virtual void on_activated(Control& control);
    /// Called once per tick while it is active or in scope.
    virtual void update(Control& control);
    /// Called when control has returned because its delegate ended in any way other than its own
    /// cancel_delegates(). Follows the delegation's callback, unless that has delegated again or ended this
    /// behavior.
    virtual void on_control_returned(Control& control, const Outcome& outcome);
    /// Called when it has lost control for good. Nothing can be delegated or cancelled here.
    virtual void on_deactivated(const View& view);
    /// Called when no active behavior can delegate to it any more. Shut down what was needed in scope.
    virtual void on_left_activatable_scope(const View& view);

    /// Assigns a number to a condition that the behavior owns and evaluates itself, so that its changes are
    /// reported. Allowed until init has returned, like the other declarations.
    Result<void> name_condition(Condition& condition);

private:
    friend class BehaviorTree;  // assigns the number
    friend class Lifecycle;     // makes the calls

    Result<void> still_declaring() const;

    // First, because it is accessed in every tick.
    Standing standing_;
    Control control_;
    std::string id_;
    OperationModifiers modifiers_;
    std::vector<ConditionPtr> wants_conditions_;
    std::vector<ConditionPtr> cancel_conditions_;
    std::vector<Condition*> named_conditions_;
    std::vector<Condition*> conditions_;
    std::vector<std::string> topics_;
};

}  // namespace caribou::behavior
