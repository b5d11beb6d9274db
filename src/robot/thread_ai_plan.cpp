// The part of ThreadAi that describes what the robot does.

#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/geometry.hpp"
#include "robot/activity.hpp"
#include "robot/thread_ai.hpp"

namespace caribou::robot {
namespace {

/// Returns the condition by which the topmost of these behaviors that has one wanted control.
std::string_view reason_of(std::span<behavior::Behavior* const> stack) {
    for (const behavior::Behavior* const each : stack | std::views::reverse)
        if (!each->wants_conditions().empty()) return each->wants_conditions().front()->text();
    return {};
}

}  // namespace

std::string ThreadAi::sentence(Instant now) const {
    const behavior::Behavior& top = *runner_->stack().back();
    // The navigator knows which action of a sequence is running, but not actions that do not drive.
    std::string_view action = navigator_ ? navigator_->action(now) : std::string_view();
    if (const auto started = recent_.actions().find(top.number());
        action.empty() && started != recent_.actions().end())
        action = started->second;
    Activity activity{.behavior = top.id(),
                      .behavior_class = plan_.entries.at(top.number()).class_name,
                      .action = action,
                      .because = reason_of(runner_->stack()),
                      .battery = link::level_text(round_->summary.battery),
                      .battery_low = !facts_.holds("dock_wanted")};
    if (!navigator_) return sentence_of(activity);
    activity.on_charger = navigator_->on_charger();
    activity.knows_dock = navigator_->dock().has_value();
    activity.lifted = navigator_->lifted();
    activity.leaves_zone = navigator_->leaves_zone(now);
    activity.zone = activity.leaves_zone ? navigator_->closed_in() : closed_in_;
    if (const auto course = navigator_->course(now)) {
        Vec2 at = position(navigator_->pose());
        activity.distance = 0;
        for (const Vec2 next : course->path) *activity.distance += distance(std::exchange(at, next), next);
    }
    return sentence_of(activity);
}

std::string ThreadAi::plan(Instant now) const {
    if (goal_) return plan_json("Driving to a goal", navigator_->course(now));
    if (!runs_ || !runner_ || runner_->stack().empty()) return plan_json("", std::nullopt);
    return plan_json(sentence(now), navigator_->course(now));
}

std::string ThreadAi::doing() const {
    if (!runs_ || runner_->stack().empty()) return "Nothing: " + why_nothing_runs();
    return sentence(strand_.loop().clock().now());
}

}  // namespace caribou::robot
