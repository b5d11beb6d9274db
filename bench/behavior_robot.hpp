#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "behavior/runner.hpp"

namespace caribou::bench {

/// Counts its updates; `plain` does the same in an ordinary virtual function.
class CountingBehavior : public behavior::Behavior {
public:
    using Behavior::Behavior;
    virtual void plain(behavior::Control*) { ++updates_; }
    std::uint64_t updates() const { return updates_; }
    std::vector<Behavior*> delegates;

    void get_all_delegates(behavior::DelegateSet& set) const override {
        for (Behavior* delegate : delegates) set.insert(*delegate);
    }

protected:
    void update(behavior::Control&) override { ++updates_; }

private:
    std::uint64_t updates_ = 0;
};

/// The size and shape of a benchmark robot.
struct RobotShape {
    std::size_t depth = 13;      ///< of the stack
    std::size_t in_scope = 200;  ///< total
    std::size_t in_tree = 200;   ///< total; the excess is never in scope
    /// the stack consists of dispatchers that evaluate their children in every tick
    bool dispatchers = false;
    bool busy = false;  ///< at the top of the stack, a behavior begins and another ends in every tick
};

/// A runner with its tree, ticking in virtual time.
class Robot {
public:
    explicit Robot(const RobotShape& shape);

    /// Advances the virtual time by a millisecond and updates the tree.
    void tick() { runner_->tick(now_ += std::chrono::milliseconds(1)); }
    /// Makes one plain virtual call to each behavior in scope.
    void plain_round() {
        for (CountingBehavior* behavior : in_scope_) behavior->plain(nullptr);
    }
    std::size_t in_scope() const { return in_scope_.size(); }
    behavior::BehaviorRunner& runner() { return *runner_; }

private:
    behavior::Facts facts_;
    std::unique_ptr<behavior::BehaviorRunner> runner_;
    std::vector<CountingBehavior*> in_scope_;
    Instant now_{};
};

}  // namespace caribou::bench
