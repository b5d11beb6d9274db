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

/// The result of a behavior's turn in a tick.
enum class Turn : std::uint8_t {
    updated,
    refused,    ///< it was not its turn; reported
    gone,       ///< it left scope in a timer's task, before its update
    threw,      ///< reported
    cancelled,  ///< a cancel condition holds; it was not updated
};

/// Makes the calls of a behavior, and only legal ones: an illegal call is reported and refused. Handles one
/// behavior at a time; the order of calls to several behaviors is decided elsewhere.
///
/// | call         | legal when                                              | hook runs             |
/// |--------------|---------------------------------------------------------|-----------------------|
/// | init         | created                                                 | always                |
/// | enter_scope  | after init; enters its delegates, too, if it asks them  | 0 -> 1                |
/// | leave_scope  | entered more often than left; not the last time while   | 1 -> 0                |
/// |              | active                                                  |                       |
/// | ask_itself   | in scope                                                | always                |
/// | activate     | in scope, not active, agreed in this tick               | in tell_activated     |
/// | take_turn    | in scope, not updated in this tick                      | unless cancelled      |
/// | deactivate   | active                                                  | always                |
class Lifecycle {
public:
    /// `link_depth` limits how many behaviors, each a delegate of the one before, enter scope at once.
    Lifecycle(TickState& state, Journal& journal, SensorModes& sensors, Events& events,
              std::size_t link_depth)
        : state_(state),
          journal_(journal),
          sensors_(sensors),
          events_(events),
          link_depth_(link_depth),
          witness_(journal) {}

    static const Standing& standing(const Behavior& behavior) { return behavior.standing_; }

    void attach(Behavior& behavior, Engine& engine);
    bool init(Behavior& behavior);
    bool enter_scope(Behavior& behavior);
    bool leave_scope(Behavior& behavior);

    /// Returns the behavior's own answer; no if it throws.
    Wants ask_itself(Behavior& behavior);
    /// Evaluates the wants conditions, unless that was done in this tick. Returns the one that fails, or
    /// null.
    const Condition* failing_condition(Behavior& behavior);
    /// Records the combined answer of all gates.
    void answer(Behavior& behavior, Wants answer);

    /// Returns the rule that forbids activating the behavior now, or nullopt.
    std::optional<Rule> forbids_activation(const Behavior& behavior) const;
    /// Reads its delegates and fixes them. Returns false if it threw. Delegates that are the behavior itself
    /// or not in this tree are reported and left out.
    bool freeze_delegates(Behavior& behavior, const BehaviorTree& tree);
    /// Makes the behavior active at this position of the stack, without calling on_activated yet. Returns
    /// false if a rule forbids it.
    bool activate(Behavior& behavior, std::uint32_t layer);
    /// Calls on_activated. Returns false if it threw.
    bool tell_activated(Behavior& behavior);
    bool deactivate(Behavior& behavior, const Outcome& outcome);

    /// Calls on_control_returned. Returns false if it threw.
    bool tell_returned(Behavior& behavior, const Outcome& outcome);
    bool call_back(Behavior& behavior, OnReturn& on_return, const Outcome& outcome);

    /// Runs the conditions, timers, events and update of this tick.
    Turn take_turn(Behavior& behavior) {
        Standing& standing = behavior.standing_;
        // Inline up to here: most turns in most ticks are updates of behaviors without conditions, topics or
        // timers.
        if (standing.attentive || standing.scope == 0 || standing.updated == state_.tick) [[unlikely]]
            return take_long_turn(behavior);
        standing.updated = state_.tick;
        return update(behavior);
    }
    /// Returns the description of the condition after Turn::cancelled.
    const std::string& cancel_reason() const { return cancel_reason_; }
    /// Returns the events visible to the behavior, which are none outside its update.
    std::span<const Event* const> events_of(const Behavior& behavior) const;
    Moment moment_of(const Behavior& behavior);

    void keep(Behavior& behavior, Undo undo);
    void after(Behavior& behavior, Duration delay, TimerTask task);

    /// Returns all behaviors in scope, and possibly some that have left since the last call of sort_scope().
    std::span<Behavior* const> in_scope() const { return in_scope_; }
    /// Removes behaviors that have left scope, and sorts the others in the order of declaration.
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
    void link(Behavior& behavior);
    void unlink(Behavior& behavior);
    void number_conditions(Behavior& behavior);
    void start(Behavior& behavior, std::vector<ConditionPtr>& conditions);
    void stop(Behavior& behavior, std::vector<ConditionPtr>& conditions);
    void spend(Behavior& behavior, std::vector<ConditionPtr>& conditions);
    void undo(Behavior& behavior, Standing::Belongings& belongings);
    Turn update(Behavior& behavior) {
        return run(behavior, "update", [&] { behavior.update(behavior.control_); }) ? Turn::updated
                                                                                    : Turn::threw;
    }
    Turn take_long_turn(Behavior& behavior);
    /// Returns Turn::updated if none of its conditions ends it.
    Turn ask_cancel_conditions(Behavior& behavior);
    bool run_timers(Behavior& behavior, Standing::Belongings& belongings);

    TickState& state_;
    Journal& journal_;
    SensorModes& sensors_;
    Events& events_;
    std::size_t link_depth_;
    std::size_t linking_ = 0;  ///< number of behaviors, each a delegate of the one before, in link()
    Witness witness_;
    std::vector<Behavior*> in_scope_;
    bool unsorted_ = false;
    std::string cancel_reason_;
    const Behavior* at_turn_ = nullptr;
    std::span<const Event* const> turn_events_;
};

}  // namespace caribou::behavior
