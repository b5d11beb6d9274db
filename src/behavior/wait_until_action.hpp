#pragma once

#include <string_view>
#include <utility>

#include "behavior/action.hpp"
#include "behavior/class_registry.hpp"
#include "behavior/condition.hpp"

namespace caribou::behavior {

/// Succeeds as soon as a condition holds, at the earliest in the tick after its start.
class WaitUntilAction final : public Action {
public:
    /// `facts` must outlive it.
    WaitUntilAction(ConditionPtr condition, const Facts& facts)
        : condition_(std::move(condition)), facts_(facts) {}

    std::string_view name() const override { return "wait_until"; }
    void start(Instant now) override { condition_->start(moment(now)); }
    std::optional<Outcome> poll(Instant now) override;
    void cancel() override { condition_->stop(); }

private:
    Moment moment(Instant now) const { return {.now = now, .facts = facts_}; }

    ConditionPtr condition_;
    const Facts& facts_;
};

/// Registers the action `{"wait_until": condition}`. `facts` are those of the
/// runner, and must outlive the actions.
void register_wait_until(ClassRegistry& registry, const Facts& facts);

}  // namespace caribou::behavior
