#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "base/random.hpp"
#include "base/result.hpp"
#include "behavior/condition.hpp"
#include "behavior/event.hpp"
#include "behavior/outcome.hpp"
#include "behavior/wants.hpp"
#include "loop/time.hpp"

namespace caribou::behavior {

class Action;
class Behavior;
class Control;
class Engine;

/// Releases something that was acquired. Exceptions are reported.
using Undo = std::move_only_function<void()>;
/// Called when a timer expires, in the behavior's turn, before its update.
using TimerTask = std::move_only_function<void(Control& control)>;
/// Called with the outcome when control returns from a delegate. See Control::delegate.
using OnReturn = std::move_only_function<void(Control& control, const Outcome& outcome)>;

/// Whether Control::cancel_delegates calls the delegation's callback.
enum class Callback : std::uint8_t { stays_silent, fires };

/// Read-only access to the engine for a behavior, available at any time.
///
/// Views, scopes and controls belong to their behavior for its whole lifetime: keeping a reference is safe,
/// and a call at the wrong time is refused and reported like any other.
class View {
public:
    View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    /// Returns the time of this tick.
    Instant now() const;
    /// Returns the number of this tick, starting at 1.
    std::uint64_t tick() const;
    const Facts& facts() const;
    bool is_active() const;
    bool is_in_scope() const;
    /// Returns true if something is delegated: a behavior above it on the stack, or an action of its own.
    bool is_control_delegated() const;
    /// Returns true if a delegation by it would be accepted now: it is on top of the stack, has nothing
    /// delegated, and nothing else forbids it.
    bool can_delegate() const;
    /// Returns true if it is the base of the stack, or is asked in order to become it.
    bool is_base() const;
    /// Asks a behavior that is in scope. A yes permits delegation to it in this tick. Inside
    /// wants_to_be_activated it is legal only with OperationModifiers::asks_delegates; the delegate is then
    /// asked as if this behavior were active on top of the stack.
    Wants wants(Behavior& delegate) const;

protected:
    ~View() = default;

    friend class Behavior;
    friend class Lifecycle;
    Engine* engine_ = nullptr;
    Behavior* self_ = nullptr;
};

/// Adds what a behavior may do while it is in scope: acquire resources, which the engine releases. Resources
/// acquired while active are released on deactivation, all others on leaving scope; in reverse order, after
/// the behavior's own hook.
class Scope : public View {
public:
    /// Registers a function that releases a subscription, a light, a lock or any other resource. If out of
    /// scope, it is called at once.
    void keep(Undo undo);
    /// Calls the task in the first tick at or after now() + delay. Has no effect if out of scope.
    void after(Duration delay, TimerTask task);

protected:
    ~Scope() = default;
};

/// Adds what a behavior may do in update, on_activated and the callbacks of its delegations. A call that is
/// refused returns the reason, changes nothing, and is reported.
class Control final : public Scope {
public:
    /// Returns the events since the last tick on the topics to which the behavior subscribed in init, in
    /// order of posting. Empty outside its update.
    std::span<const Event* const> events() const;
    /// Returns the random numbers generated from the runner's seed.
    Random& random();
    /// Returns the moment for evaluating conditions that the behavior owns itself; changes of their answers
    /// are reported.
    Moment moment();

    /// Pushes the delegate and activates it. The callback is called once, in the tick in which control
    /// returns: after the delegate has ended and the engine has left the hook in which it ended. It is not
    /// called if the delegate ended by cancel_self, if this behavior is deactivated first, or if it delegates
    /// again before.
    Result<void> delegate(Behavior& delegate, OnReturn on_return = {});
    /// Starts the action, which must live until it has ended or was cancelled. Same callback as above.
    Result<void> delegate(Action& action, OnReturn on_return = {});
    /// Same as above, and takes ownership of the action, which must not be null.
    Result<void> delegate(std::unique_ptr<Action> action, OnReturn on_return = {});

    /// Pops everything above this behavior, or cancels its action. With Callback::fires, the callback is
    /// called with `cancelled` before this returns. Has no effect if nothing is delegated.
    Result<void> cancel_delegates(Callback callback = Callback::stays_silent);
    /// Pops everything above this behavior, then the behavior itself. No callback is called; the delegator
    /// regains control in this tick.
    Result<void> cancel_self();
    /// Same as cancel_self, but with an outcome, and the delegator's callback is called.
    Result<void> finish(Outcome outcome);
};

}  // namespace caribou::behavior
