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
    std::size_t delegations_per_tick = 256;  ///< ends loops that the cycle guard does not see
    std::size_t events = 1024;               ///< that wait for the next tick
};

/// Watches how long ticks take. Off unless there is a clock and a budget.
struct OverrunOptions {
    const Clock* clock = nullptr;  ///< read twice per tick, and twice per update while timing
    Duration budget{0};
    std::size_t timed_ticks = 50;  ///< for how long behaviors are timed after an overrun
};

struct RunnerOptions {
    std::uint64_t seed = 1;  ///< of everything random
    /// The id of the behavior to which the cycle guard resets; empty: the base of that moment.
    std::string safe_behavior{};
    RunnerLimits limits{};
    OverrunOptions overrun{};
};

/// Runs a tree of behaviors: keeps the stack of active ones and makes their calls, in exactly the
/// order of this table, once per tick. The same tree, facts, events, seed and instants give the same
/// calls.
///
/// | step | what happens in a tick                                                              |
/// |------|-------------------------------------------------------------------------------------|
/// | 1    | a stack reset, or a new tree, that was asked for is done; a base that is not active |
/// |      | is asked, and pushed if it says yes                                                 |
/// | 2    | actions are polled; what ended is handed to the behavior that owns it               |
/// | 3    | the stack is updated from base to top, also what is pushed on the way               |
/// | 4    | what is in scope and was not updated is updated, in the order of declaration        |
/// | 5    | inside 1 to 4, whenever the engine is back from a hook in which something ended:    |
/// |      | control returns down the stack, as far as it goes                                   |
/// | 6    | observers are told                                                                  |
///
/// Push X: X's delegates are read and frozen; X is appended; its delegates enter scope in order of
/// declaration; X is told. Pop X: its delegates leave scope in reverse order; X is told, what it had
/// acquired is undone; X leaves the stack.
///
/// Lives on one thread. Reads no clock but OverrunOptions::clock. Allocates nothing in a tick once
/// its containers have grown.
class BehaviorRunner {
public:
    /// Initialises all behaviors, in the order of declaration; one that throws there is reported in
    /// the first tick, and never activated. The facts outlive the runner.
    BehaviorRunner(std::unique_ptr<BehaviorTree> tree, const Facts& facts, RunnerOptions options = {});
    /// Deactivates everything, top first.
    ~BehaviorRunner();
    BehaviorRunner(const BehaviorRunner&) = delete;
    BehaviorRunner& operator=(const BehaviorRunner&) = delete;

    /// Takes effect in the next tick: the base comes into scope, and is asked in every tick until it
    /// says yes. wrong_state: another base is active; request_reset replaces it. not_found: no such id.
    Result<void> set_base(std::string_view id);

    /// In the next tick, before all else, the stack is emptied, and `base` (empty: the same as
    /// now) is asked. Until then nothing is delegated. not_found: no such id.
    Result<void> request_reset(std::string why, std::string_view base = {});

    /// In the next tick the stack is emptied, the old tree is destroyed and this one takes its place,
    /// with the base of that id. not_found: it is not in the new tree; the old one stays.
    Result<void> request_tree(std::unique_ptr<BehaviorTree> tree, std::string_view base);

    /// Hands an event to the subscribers' next update: in the next tick.
    void post(std::string_view topic, Value value);

    /// Runs one tick. What it returns is valid until the next. Not to be called from inside a tick:
    /// refused and reported, the difference of the running tick so far is returned.
    Difference tick(Instant now);

    /// No base is set: the last one has ended, or there never was one.
    bool idle() const;
    /// The active behaviors, base first.
    std::span<Behavior* const> stack() const;
    const BehaviorTree& tree() const;
    std::uint64_t ticks() const;
    /// How many ticks overran their budget.
    std::uint64_t overruns() const;
    /// The last answer of the behavior since it came into scope, without asking it again; out of
    /// scope and not yet asked are answers, too. For the yes of an active one: Gate::active.
    Wants why_not(const Behavior& behavior) const;

    /// Observers, gates and the switch outlive the runner, or are removed. Not from inside a tick.
    void add_observer(Observer& observer);
    void remove_observer(Observer& observer);
    void add_gate(RequirementGate& gate);
    void remove_gate(RequirementGate& gate);
    void set_sensor_switch(SensorSwitch* sensor_switch);
    const SensorModes& sensor_modes() const;

    /// The calls of a behavior, as its Control makes them.
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
