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

/// Undoes what was acquired. What it throws is reported.
using Undo = std::move_only_function<void()>;
/// Called when a timer is due, in the behavior's turn, before its update.
using TimerTask = std::move_only_function<void(Control& control)>;
/// Called with the outcome when control returns from a delegate. See Control::delegate.
using OnReturn = std::move_only_function<void(Control& control, const Outcome& outcome)>;

/// Whether Control::cancel_delegates calls the delegation's callback.
enum class Callback : std::uint8_t { stays_silent, fires };

/// What a behavior may see at any time. It cannot change anything with it.
///
/// Views, scopes and controls belong to their behavior for its whole life: keeping a reference is
/// safe, and a call at the wrong time is refused and reported like any other.
class View {
public:
    View() = default;
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    /// The time of this tick.
    Instant now() const;
    /// Ticks count from 1.
    std::uint64_t tick() const;
    const Facts& facts() const;
    bool is_active() const;
    bool is_in_scope() const;
    /// True if something is delegated: a behavior above it on the stack, or an action of its own.
    bool is_control_delegated() const;
    /// True if a delegation by it could be accepted now: it is on top of the stack, with nothing
    /// delegated, and nothing else forbids it.
    bool can_delegate() const;

protected:
    ~View() = default;

    friend class Behavior;
    friend class Lifecycle;
    Engine* engine_ = nullptr;
    Behavior* self_ = nullptr;
};

/// What a behavior may do as soon as it is in scope: acquire things, which the engine gives back.
/// What is acquired while active is undone by the deactivation, else by leaving scope; in reverse
/// order, after the behavior's own hook.
class Scope : public View {
public:
    /// For subscriptions, lights, locks: whatever has to be undone. Out of scope it is undone at once.
    void keep(Undo undo);
    /// Calls the task in the first tick at or after now() + delay.
    void after(Duration delay, TimerTask task);

protected:
    ~Scope() = default;
};

/// What a behavior may do in update, on_activated and the callbacks of its delegations. Each call
/// that is refused returns the reason, changes nothing, and is reported.
class Control final : public Scope {
public:
    /// The events since the last tick on the topics to which the behavior subscribed in init, in
    /// order of posting. Empty outside its update.
    std::span<const Event* const> events() const;
    /// Numbers from the runner's seed.
    Random& random();
    /// For conditions that the behavior owns itself; changes of their answers are reported.
    Moment moment();

    /// Asks a behavior that is in scope. Yes allows to delegate to it in this tick.
    Wants wants(Behavior& delegate);

    /// Pushes the delegate and tells it that it is active. The callback fires once, in the tick in
    /// which control returns: when the delegate has ended and the engine has left the hook in which
    /// it did. It does not fire if the delegate ended by cancel_self, if this behavior is deactivated
    /// first, or if it delegates anew before.
    Result<void> delegate(Behavior& delegate, OnReturn on_return = {});
    /// Starts the action. It must live until it ended or was cancelled. The callback as above.
    Result<void> delegate(Action& action, OnReturn on_return = {});
    /// The same for an action that nobody else keeps.
    Result<void> delegate(std::unique_ptr<Action> action, OnReturn on_return = {});

    /// Pops everything above this behavior, or cancels its action. If asked to, the callback fires
    /// before this returns, with cancelled. Nothing delegated: nothing happens.
    Result<void> cancel_delegates(Callback callback = Callback::stays_silent);
    /// Pops everything above this behavior, then itself. No callback fires; the delegator regains
    /// control in this tick.
    Result<void> cancel_self();
    /// As cancel_self, but with a result of its own, and the delegator's callback fires.
    Result<void> finish(Outcome outcome);
};

}  // namespace caribou::behavior
