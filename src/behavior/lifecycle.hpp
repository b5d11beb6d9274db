#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "behavior/behavior.hpp"
#include "behavior/events.hpp"
#include "behavior/journal.hpp"
#include "behavior/sensor_modes.hpp"
#include "behavior/tick_state.hpp"

namespace caribou::behavior {

/// How a behavior's turn in a tick went.
enum class Turn : std::uint8_t {
    updated,
    refused,    ///< it was not its turn; reported
    gone,       ///< it left scope in a timer's task, before its update
    threw,      ///< reported
    cancelled,  ///< a cancel condition holds; it was not updated
};

/// Makes the calls of a behavior, and only legal ones: an illegal one is reported and refused. Knows
/// one behavior at a time; in which order several are called is not decided here.
///
/// | call         | legal when                                              | hook runs             |
/// |--------------|---------------------------------------------------------|-----------------------|
/// | init         | created                                                 | always                |
/// | enter_scope  | after init                                              | 0 -> 1                |
/// | leave_scope  | entered more often than left; not the last time while   | 1 -> 0                |
/// |              | active                                                  |                       |
/// | ask_itself   | in scope                                                | always                |
/// | activate     | in scope, not active, said yes in this tick             | in tell_activated     |
/// | take_turn    | in scope, not updated in this tick                      | unless cancelled      |
/// | deactivate   | active                                                  | always                |
class Lifecycle {
public:
    Lifecycle(TickState& state, Journal& journal, SensorModes& sensors, Events& events)
        : state_(state), journal_(journal), sensors_(sensors), events_(events), witness_(journal) {}

    static const Standing& standing(const Behavior& behavior) { return behavior.standing_; }

    void attach(Behavior& behavior, Engine& engine);
    bool init(Behavior& behavior);
    bool enter_scope(Behavior& behavior);
    bool leave_scope(Behavior& behavior);

    /// Returns the behavior's own answer; no if it throws.
    Wants ask_itself(Behavior& behavior);
    /// Evaluates the wants conditions, unless they were in this tick. The one that says no, or null.
    const Condition* failing_condition(Behavior& behavior);
    /// Notes the answer of all gates together.
    void answer(Behavior& behavior, Wants answer);

    /// Which rule forbids to activate it now, if any.
    std::optional<Rule> forbids_activation(const Behavior& behavior) const;
    /// Reads its delegates and freezes them. False: it threw. Who is not another of this tree's is
    /// reported and left out.
    bool freeze_delegates(Behavior& behavior, const BehaviorTree& tree);
    /// It is active, at this place of the stack; it is not told yet. False: a rule forbids it.
    bool activate(Behavior& behavior, std::uint32_t layer);
    /// False: it threw.
    bool tell_activated(Behavior& behavior);
    bool deactivate(Behavior& behavior);

    /// False: it threw.
    bool tell_returned(Behavior& behavior, const Outcome& outcome);
    bool call_back(Behavior& behavior, OnReturn& on_return, const Outcome& outcome);

    /// Conditions, timers, events and the update of this tick.
    Turn take_turn(Behavior& behavior) {
        Standing& standing = behavior.standing_;
        // Inline up to here: most turns of most ticks are an update of somebody who only waits.
        if (standing.attentive || standing.scope == 0 || standing.updated == state_.tick) [[unlikely]]
            return take_long_turn(behavior);
        standing.updated = state_.tick;
        return update(behavior);
    }
    /// After Turn::cancelled: the condition.
    const std::string& cancel_reason() const { return cancel_reason_; }
    /// What the behavior's update can see of the events.
    std::span<const Event* const> events_of(const Behavior& behavior) const;
    Moment moment_of(const Behavior& behavior);

    void keep(Behavior& behavior, Undo undo);
    void after(Behavior& behavior, Duration delay, TimerTask task);

    /// All behaviors in scope, and perhaps some that have left since the last call of sort_scope.
    std::span<Behavior* const> in_scope() const { return in_scope_; }
    /// Drops who has left, and puts the others in the order of declaration.
    void sort_scope();

private:
    class Witness final : public ConditionWitness {
    public:
        explicit Witness(Journal& journal) : journal_(journal) {}
        void condition_changed(const Condition& condition, bool holds) override;
        Who who = nobody;

    private:
        Journal& journal_;
    };

    template <class Code>
    auto run(const Behavior& behavior, std::string_view where, Code&& code) {
        return contain(journal_, behavior.number(), where, std::forward<Code>(code));
    }
    void list(Behavior& behavior);
    void number_conditions(Behavior& behavior);
    void start(Behavior& behavior, std::vector<ConditionPtr>& conditions);
    void stop(Behavior& behavior, std::vector<ConditionPtr>& conditions);
    void undo(Behavior& behavior, Standing::Belongings& belongings);
    Turn update(Behavior& behavior) {
        return run(behavior, "update", [&] { behavior.update(behavior.control_); }) ? Turn::updated
                                                                                    : Turn::threw;
    }
    Turn take_long_turn(Behavior& behavior);
    bool cancel_condition_holds(Behavior& behavior);
    bool run_timers(Behavior& behavior, Standing::Belongings& belongings);

    TickState& state_;
    Journal& journal_;
    SensorModes& sensors_;
    Events& events_;
    Witness witness_;
    std::vector<Behavior*> in_scope_;
    bool unsorted_ = false;
    std::string cancel_reason_;
    const Behavior* at_turn_ = nullptr;
    std::span<const Event* const> turn_events_;
};

}  // namespace caribou::behavior
