// The part of ThreadAi that drives to goals in place of the tree.

#include <utility>

#include "link/command.hpp"
#include "robot/thread_ai.hpp"

namespace caribou::robot {

void ThreadAi::go_to(const GoalPose& goal, GoalTold told) {
    const std::uint64_t stops = buffers_.stops.copy().count;
    strand_.post_here([this, goal, stops, told = std::move(told)] { begin_goal(goal, stops, told); });
}

void ThreadAi::begin_goal(const GoalPose& goal, std::uint64_t stops, GoalTold told) {
    using enum GoalNews::Kind;
    const double now = strand_.loop().clock().boot_seconds();
    // It may have waited while this thread was busy.
    if (const auto late = link::objection_to_start_age(from_seconds(now - goal.given.value_or(now))))
        return told({refused, late->text});
    if (!runs_ || !runner_) return told({refused, why_nothing_runs()});
    if (!navigator_) return told({refused, "this robot has no navigation"});
    if (round_->motion.stop) return told({refused, "the robot is stopped; release_stop first"});
    if (buffers_.stops.copy().count != stops)
        return told({refused, "a full stop was requested after it; give it again"});
    end_by_hand(fail(Code::wrong_state, "a goal has replaced it"));
    runner_->request_end("a goal was given");
    runner_->tick(strand_.loop().clock().now());
    goal_.emplace(Goal{GoalDrive(*navigator_, goal), std::move(told), stops});
    goal_->told({running});
}

void ThreadAi::step_goal(Instant now) {
    using enum GoalNews::Kind;
    std::optional<GoalNews> end;
    // A stop may be released before telemetry shows it.
    if (round_->motion.stop || buffers_.stops.copy().count != goal_->stops)
        end = {failed, "the robot was stopped"};
    else if (facts_.holds("dock_wanted"))
        end = {failed, "the robot was sent to its dock"};
    else if (round_->motion.battery >= motion::BatteryState::dock)
        end = {failed, "the battery is low; the behaviors go on"};
    else if (const auto outcome = goal_->drive.step(now))
        end = *outcome ? GoalNews{done} : GoalNews{failed, outcome->error().message};
    if (!end) return;
    wanted_ = {};
    end_goal(*end);
    std::ignore = runner_->set_base(base_);
}

void ThreadAi::end_goal(const GoalNews& news) {
    if (!goal_) return;
    const GoalTold told = std::move(goal_->told);
    goal_.reset();
    told(news);
}

void ThreadAi::set_pose(const Pose& pose, std::function<void(Result<void>)> told) {
    strand_.post_here([this, pose, told = std::move(told)] {
        told(navigator_ ? navigator_->set_pose(pose)
                        : fail(Code::unavailable, "this robot has no navigation"));
    });
}

}  // namespace caribou::robot
