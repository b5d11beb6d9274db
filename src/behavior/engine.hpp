#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/delegation.hpp"
#include "behavior/events.hpp"
#include "behavior/gatekeeper.hpp"
#include "behavior/journal.hpp"
#include "behavior/lifecycle.hpp"
#include "behavior/overrun_watch.hpp"
#include "behavior/runner.hpp"
#include "behavior/tick_state.hpp"

namespace caribou::behavior {

/// Implementation of BehaviorRunner and of all Controls. Defines the order of a tick; the rules are in its
/// parts.
///
/// | part       | decides                                                  |
/// |------------|----------------------------------------------------------|
/// | Lifecycle  | which calls of one behavior are legal                    |
/// | Gatekeeper | which behaviors may be activated                         |
/// | Delegation | how the stack changes, and how control returns           |
/// | CycleGuard | what is a cycle                                          |
/// | Journal    | nothing: it records what happened                        |
class Engine final : public Delegation::Listener {
public:
    Engine(std::unique_ptr<BehaviorTree> tree, const Facts& facts, RunnerOptions options);
    ~Engine() override;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    Result<void> set_base(std::string_view id);
    Result<void> request_reset(std::string why, std::string_view base);
    void request_end(std::string why);
    Result<void> request_tree(std::unique_ptr<BehaviorTree> tree, std::string_view base);
    void post(std::string_view topic, Value value);
    Difference tick(Instant now);

    Wants wants(Behavior& by, Behavior& delegate);
    Result<void> delegate(Behavior& by, Behavior& delegate, OnReturn on_return);
    /// Reports the broken rule and returns the error for the caller.
    std::unexpected<Error> refuse(Who who, Rule rule, std::string_view why) {
        return journal_.refuse(who, rule, why);
    }

    bool is_base(const Behavior& behavior) const { return base_ == &behavior; }
    bool idle() const { return base_ == nullptr && !reset_; }
    Wants why_not(const Behavior& behavior) const;
    Instant now() const { return state_.now; }
    const BehaviorTree& tree() const { return *tree_; }
    const OverrunWatch& overruns() const { return watch_; }
    TickState& state() { return state_; }
    Lifecycle& lifecycle() { return lifecycle_; }
    Gatekeeper& gatekeeper() { return gatekeeper_; }
    Delegation& delegation() { return delegation_; }
    SensorModes& sensors() { return sensors_; }
    void add_observer(Observer& observer) { observers_.push_back(&observer); }
    void remove_observer(Observer& observer);

private:
    struct Reset {
        std::string why;
        std::string base;                      ///< empty for none
        std::unique_ptr<BehaviorTree> tree{};  ///< null to keep the current one
    };

    void on_base_ended() override;
    void on_cycle(const CycleFound& cycle) override;

    void init_tree();
    void do_reset();
    void drop_base();
    void start_base();
    void walk_stack();
    void update_scope();
    void take_turn(Behavior& behavior);
    Difference difference() const;
    void tell_observers();

    RunnerOptions options_;
    std::unique_ptr<BehaviorTree> tree_;
    std::unique_ptr<BehaviorTree> old_tree_;  ///< kept until the next tick, for the observers
    TickState state_;
    Journal journal_;
    SensorModes sensors_;
    Events events_;
    bool reported_lost_event_ = false;  ///< since the last tick
    Lifecycle lifecycle_;
    Gatekeeper gatekeeper_;
    Delegation delegation_;
    OverrunWatch watch_;
    std::vector<Observer*> observers_;  ///< null: removed while they are notified
    bool is_telling_ = false;           ///< the observers
    std::optional<Reset> reset_;
    Behavior* base_ = nullptr;
};

}  // namespace caribou::behavior
