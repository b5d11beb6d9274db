#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "behavior/behavior.hpp"
#include "behavior/difference.hpp"
#include "behavior/facts.hpp"
#include "behavior/requirement_gate.hpp"
#include "behavior/sensor_modes.hpp"
#include "behavior/tree.hpp"
#include "loop/clock.hpp"

namespace caribou::behavior {

struct RunnerLimits {
    std::size_t depth = 256;                 ///< of the stack
    std::size_t delegations_per_tick = 256;  ///< ends loops that the cycle guard does not detect
    std::size_t events = 1024;               ///< waiting for the next tick
};

/// Monitors how long ticks take. Off unless there is a clock and a budget.
struct OverrunOptions {
    const Clock* clock = nullptr;  ///< read twice per tick, and twice per update while timing
    Duration budget{0};
    std::size_t timed_ticks = 50;  ///< number of ticks for which behaviors are timed after an overrun
};

struct RunnerOptions {
    std::uint64_t seed = 1;  ///< for all random numbers
    /// Id of the behavior to which the cycle guard resets; if empty, the base of that moment.
    std::string safe_behavior{};
    RunnerLimits limits{};
    OverrunOptions overrun{};
};

/// Runs a tree of behaviors: maintains the stack of active behaviors and makes their calls once per tick, in
/// exactly the order of this table. The same tree, facts, events, seed and instants result in the same calls.
///
/// | step | in a tick                                                                           |
/// |------|-------------------------------------------------------------------------------------|
/// | 1    | a requested stack reset or new tree takes effect; a base that is not active is      |
/// |      | asked, and pushed if it agrees                                                      |
/// | 2    | actions are polled; the outcome of an ended one goes to the behavior that owns it   |
/// | 3    | the stack is updated from base to top, including behaviors pushed on the way        |
/// | 4    | behaviors in scope that were not updated are updated, in the order of declaration   |
/// | 5    | within 1 to 4, whenever the engine has left a hook in which something ended:        |
/// |      | control returns down the stack, as far as possible                                  |
/// | 6    | observers are notified                                                              |
///
/// Push X: X's delegates are read and fixed; X is appended; its delegates enter scope in order of
/// declaration; X's on_activated is called. Pop X: its delegates leave scope in reverse order; X's
/// on_deactivated is called, and the resources it acquired are released; X is removed from the stack.
///
/// Not thread-safe; all calls must come from one thread. Reads no clock except OverrunOptions::clock.
/// Allocates no memory in a tick once its containers have grown.
class BehaviorRunner {
public:
    /// Initializes all behaviors, in the order of declaration. A behavior whose init throws is reported in
    /// the first tick and never activated. `facts` must outlive the runner.
    BehaviorRunner(std::unique_ptr<BehaviorTree> tree, const Facts& facts, RunnerOptions options = {});
    /// Deactivates everything, top first.
    ~BehaviorRunner();
    BehaviorRunner(const BehaviorRunner&) = delete;
    BehaviorRunner& operator=(const BehaviorRunner&) = delete;

    /// Takes effect in the next tick: the base enters scope, and is asked in every tick until it agrees.
    /// Fails with wrong_state if another base is active (request_reset() replaces it), and with not_found if
    /// there is no such id.
    Result<void> set_base(std::string_view id);

    /// Empties the stack at the beginning of the next tick and asks `base`, or the current base if empty.
    /// Until then all delegations are refused. Fails with not_found if there is no such id, and with
    /// wrong_state if there is no base or a new tree has been requested.
    Result<void> request_reset(std::string why, std::string_view base = {});

    /// Empties the stack at the beginning of the next tick, and removes the base: nothing runs until a new
    /// one is set. No effect if there is no base.
    void request_end(std::string why);

    /// In the next tick, empties the stack and replaces the tree, with the base of that id. The old tree is
    /// kept until the tick after, for observers. Fails with not_found if the id is not in the new tree; the
    /// old one remains.
    Result<void> request_tree(std::unique_ptr<BehaviorTree> tree, std::string_view base);

    /// Posts an event, which subscribers receive in their update in the next tick.
    void post(std::string_view topic, Value value);

    /// Runs one tick. The returned difference is valid until the next one. A call from inside a tick is
    /// refused and reported, and returns the difference of the current tick so far.
    Difference tick(Instant now);

    /// Returns whether no base is set: the last one has ended, or there never was one.
    bool idle() const;
    /// Returns the active behaviors, base first.
    std::span<Behavior* const> stack() const;
    const BehaviorTree& tree() const;
    std::uint64_t ticks() const;
    /// Returns the number of ticks that overran their budget.
    std::uint64_t overruns() const;
    /// Returns the last answer of the behavior since it entered scope, without asking it again. Being out of
    /// scope and not having been asked are reported as refusals; Gate::active means that it is active.
    Wants why_not(const Behavior& behavior) const;
    /// Returns how the last activation of the behavior ended, or null if none has. Valid until the next tick.
    const BehaviorEnd* last_end(const Behavior& behavior) const;
    /// Returns the instant of the latest tick.
    Instant now() const;

    /// Observers, gates and the switch must outlive the runner or be removed. An observer may add and remove
    /// observers when it is notified: one that is added is notified from the next tick on, one that is
    /// removed not any more.
    void add_observer(Observer& observer);
    void remove_observer(Observer& observer);
    /// The others must not be called from inside a tick.
    void add_gate(RequirementGate& gate);
    void remove_gate(RequirementGate& gate);
    void set_sensor_switch(SensorSwitch* sensor_switch);
    const SensorModes& sensor_modes() const;

    /// The calls of a behavior, as made through its Control.
    Wants wants(Behavior& by, Behavior& delegate);
    Result<void> delegate(Behavior& by, Behavior& delegate, OnReturn on_return = {});
    Result<void> cancel_delegates(Behavior& by, Callback callback = Callback::stays_silent);
    Result<void> cancel_self(Behavior& by);
    bool is_control_delegated(const Behavior& by) const;
    bool can_delegate(const Behavior& by) const;

private:
    std::unique_ptr<Engine> engine_;
};

}  // namespace caribou::behavior
