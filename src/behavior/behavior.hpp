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

/// One thing a robot can be about. The engine calls it as follows, and never otherwise:
///
/// | state        | what may come                                   | leads to     |
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
/// It is in scope as long as an active behavior lists it, however many do. It is active from being
/// delegated to until it ends, also while it has delegated to another. Whatever it throws ends it,
/// and only it: it is deactivated, its delegator regains control, and the error is reported.
class Behavior {
public:
    using State = Standing::State;

    /// The id is unique in its tree.
    explicit Behavior(std::string id);
    virtual ~Behavior();
    Behavior(const Behavior&) = delete;
    Behavior& operator=(const Behavior&) = delete;

    const std::string& id() const { return id_; }
    /// Its place in the order of declaration in its tree; from 0.
    std::uint32_t number() const { return standing_.number; }
    State state() const { return standing_.state; }
    const OperationModifiers& modifiers() const { return modifiers_; }

    /// Declarations, possible until its init is over; later they are refused and reported.
    /// declare replaces what was declared before: who adds to it begins with modifiers().
    Result<void> declare(OperationModifiers modifiers);
    /// Several: all of them must hold. Evaluated once per tick while in scope and not active.
    Result<void> wants_when(ConditionPtr condition);
    /// Several: one is enough. Evaluated before its update while active; if one holds, the behavior
    /// ends as cancelled, and its delegator's callback fires.
    Result<void> cancel_when(ConditionPtr condition);
    /// Asks for the events of a topic.
    Result<void> subscribe(std::string_view topic);

    /// Its conditions with all their operands; each stands at the place of its number.
    std::span<Condition* const> conditions() const { return conditions_; }

    /// Every behavior that it might delegate to. Read once when it is activated, and frozen until it
    /// is deactivated; tools may ask at any time.
    virtual void get_all_delegates(DelegateSet& delegates) const;

protected:
    /// Once, before everything else: conditions, subscriptions, what never changes.
    virtual void init(const View& view);
    /// It may be asked from now on: start what wants_to_be_activated relies on.
    virtual void on_entered_activatable_scope(Scope& scope);
    /// Whether it would like to have control. A yes promises nothing: start nothing here. Asked only
    /// if all other gates said yes.
    virtual Wants wants_to_be_activated(const View& view) const;
    /// It has control now. It may delegate at once, or end at once.
    virtual void on_activated(Control& control);
    /// Once per tick, be it active or only in scope.
    virtual void update(Control& control);
    /// Control came back: its delegate ended in any way but by cancel_delegates of its own. Comes
    /// after the delegation's callback, unless that has delegated again or ended this behavior.
    virtual void on_control_returned(Control& control, const Outcome& outcome);
    /// It lost control for good. Nothing can be delegated or cancelled here.
    virtual void on_deactivated(const View& view);
    /// Nobody can delegate to it any more: shut down what the scope needed.
    virtual void on_left_activatable_scope(const View& view);

    /// Gives a number to a condition that the behavior owns and evaluates itself, so that its changes
    /// can be reported. Until init is over, as the other declarations.
    Result<void> name_condition(Condition& condition);

private:
    friend class BehaviorTree;  // gives the number
    friend class Lifecycle;     // makes the calls

    Result<void> still_declaring() const;

    // First, because each tick touches it.
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
