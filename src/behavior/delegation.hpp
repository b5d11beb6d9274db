#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "behavior/action.hpp"
#include "behavior/cycle_guard.hpp"
#include "behavior/gatekeeper.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree.hpp"

namespace caribou::behavior {

/// The stack of active behaviors, and the only place where it changes: delegations, their ends, and the
/// return of control. Each change is complete before the next one can be requested.
class Delegation {
public:
    /// Notified of events that concern the runner.
    class Listener {
    public:
        virtual ~Listener() = default;
        /// Called when the base was popped; the stack is empty.
        virtual void on_base_ended() = 0;
        virtual void on_cycle(const CycleFound& cycle) = 0;
    };

    Delegation(TickState& state, Journal& journal, Lifecycle& lifecycle, Gatekeeper& gatekeeper,
               RunnerLimits limits, Listener& listener);

    std::span<Behavior* const> stack() const { return stack_; }
    void begin_tick() { delegations_ = 0; }
    /// While closed, every delegation is refused.
    void set_closed(bool closed) { closed_ = closed; }

    /// Pushes a base that has answered yes. The stack must be empty.
    Result<void> push_base(Behavior& base, const BehaviorTree& tree);
    /// Pops everything. No callbacks are called.
    void clear(const Outcome& outcome);

    Result<void> delegate(Behavior& by, Behavior& delegate, OnReturn on_return, const BehaviorTree& tree);
    Result<void> delegate(Behavior& by, Action& action, std::unique_ptr<Action> owned, OnReturn on_return);
    Result<void> cancel_delegates(Behavior& by, Callback callback);
    Result<void> finish(Behavior& by, Outcome outcome, Callback callback);
    bool is_control_delegated(const Behavior& by) const;
    bool can_delegate(const Behavior& by) const;
    /// Returns the rule that forbids all calls by behaviors at this point, or nullopt.
    std::optional<Rule> forbids_calls() const;

    /// Polls the action on top, if there is one.
    void poll_action();
    /// Gives the behavior its turn, handles the result, and returns control as far as possible.
    void take_turn(Behavior& behavior);
    /// Returns control down the stack: calls callbacks, and ends behaviors with always_delegates that no
    /// longer delegate, until nothing is left to return. Bounded by the depth of the stack and the limit on
    /// delegations.
    void unwind();
    /// Returns whether something ended since the last unwind().
    bool unsettled() const { return unsettled_; }

    /// Walks the stack from base to top: returns the next behavior, or null at the end. Pops move the walk
    /// back.
    Behavior* next_of_walk() { return walk_ < stack_.size() ? stack_[walk_++] : nullptr; }
    void begin_walk() { walk_ = 0; }

private:
    /// What one active behavior has delegated. The layer above it, if any, is its delegate.
    struct Layer {
        OnReturn on_return{};
        Action* action = nullptr;
        std::unique_ptr<Action> owned{};
        std::optional<Outcome> returned{};  ///< outcome of an ended delegate; control is still to be returned
        std::optional<Outcome> last{};      ///< outcome of the last delegate that ended
        bool had_turn = false;              ///< was updated since it was activated
    };

    std::optional<Rule> forbids_delegation(const Behavior& by) const;
    bool on_stack(const Behavior& by) const { return place(by) < stack_.size() && stack_[place(by)] == &by; }
    /// Returns whether `by` is still in the given activation. Hooks can do anything, including ending a
    /// behavior and activating it again.
    bool same_activation(const Behavior& by, std::uint64_t activation) const {
        return on_stack(by) && Lifecycle::standing(by).activations == activation;
    }
    void end_after_throw(Behavior& behavior, std::uint64_t activation);
    std::size_t place(const Behavior& by) const { return Lifecycle::standing(by).layer; }
    Result<void> push(Behavior& behavior, Who by, OnReturn on_return, const BehaviorTree& tree);
    Outcome with_cause(const Behavior& behavior, const Outcome& outcome) const;
    void pop(const Outcome& how);
    void end(Behavior& behavior, const Outcome& outcome, Callback callback);
    void cancel_action(Layer& layer, Who owner);
    void return_control();
    bool always_delegates_no_more() const;
    bool nothing_delegated() const;

    TickState& state_;
    Journal& journal_;
    Lifecycle& lifecycle_;
    Gatekeeper& gatekeeper_;
    RunnerLimits limits_;
    Listener& listener_;
    CycleGuard cycle_guard_;
    bool in_cycle_ = false;  ///< the guard has found one, and the reset has not ended it yet
    std::vector<Behavior*> stack_;
    std::vector<Layer> layers_;  ///< one per element of stack_
    std::size_t walk_ = 0;
    std::size_t delegations_ = 0;
    bool closed_ = false;
    bool unsettled_ = false;
};

}  // namespace caribou::behavior
