#include "station/way_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "loop/duration_text.hpp"

namespace caribou::station {
namespace {

map::GridFrame frame_of(const WayFinderSettings& settings, const std::vector<Vec2>& area) {
    Vec2 low = area.front();
    Vec2 high = area.front();
    for (const Vec2& place : area) {
        low = {std::min(low.x, place.x), std::min(low.y, place.y)};
        high = {std::max(high.x, place.x), std::max(high.y, place.y)};
    }
    const Vec2 margin{settings.margin, settings.margin};
    return map::GridFrame::around(low - margin, high + margin, settings.cell);
}

}  // namespace

WayFinder::WayFinder(const WayFinderSettings& settings, const std::vector<Vec2>& area)
    : settings_(settings), grid_(frame_of(settings, area)) {}

void WayFinder::learn(const link::Telemetry& telemetry) {
    for (const auto& range : telemetry.ranges) reach_ = std::max(reach_, range.distance);
    for (const auto& [bearing, distance] : telemetry.ranges) {
        // A sensor without an echo reports its range.
        if (!(distance > 0) || distance >= reach_) continue;
        grid_.add({.from = telemetry.pose, .first_angle = bearing, .ranges = {&distance, 1}});
    }
    grid_.add_disc(position(telemetry.pose), settings_.radius);
}

void WayFinder::set_goal(Vec2 goal, Instant now) {
    goal_ = goal;
    guide_ = {};
    failed_.reset();
    last_good_ = now;
    next_plan_ = now;
    best_ = std::numeric_limits<double>::infinity();
    best_at_ = now;
}

bool WayFinder::needs_plan(const Pose& pose, Instant now) {
    if (guide_.empty()) return now >= next_plan_;
    if (now < next_plan_) return false;
    next_plan_ = now + settings_.replan_period;
    // A path is discarded only if it is found to be blocked.
    weigh();
    return !guide_.holds(*costs_, pose);
}

void WayFinder::weigh() {
    if (costs_ && costs_of_ == grid_.version()) return;
    costs_.emplace(grid_, map::CostSettings{.radius = settings_.radius, .unknown_passable = true});
    costs_of_ = grid_.version();
}

void WayFinder::plan(const Pose& pose, Instant now) {
    next_plan_ = now + settings_.replan_period;
    weigh();
    const map::GridFrame& frame = grid_.frame();
    map::Cell start = frame.cell_at(position(pose));
    // A robot that is closer to a wall than planned can still move away from it.
    if (!costs_->passable(start))
        start = costs_->nearest_passable(position(pose), 3 * settings_.radius).value_or(start);
    const map::Plan found = planner_.plan(grid_, *costs_, start, frame.cell_at(goal_));
    if (found != map::Plan::found) {
        failed_ = found;
        guide_ = {};
        return;
    }
    failed_.reset();
    std::vector<Vec2> points = map::smoothed(*costs_, planner_.path());
    if (!points.empty()) points.back() = goal_;
    constexpr double look_ahead = 0.35;
    guide_ = map::PathGuide(std::move(points), look_ahead, settings_.near);
}

WayFinder::Step WayFinder::next(const Pose& pose, Instant now) {
    const double left = distance(position(pose), goal_);
    if (left <= settings_.near) return {.arrived = true};
    constexpr double nearer = 0.05;
    if (left < best_ - nearer) {
        best_ = left;
        best_at_ = now;
    }
    if (now - best_at_ >= settings_.progress_limit)
        return {.given_up =
                    fmt::format("it has come no nearer for {}", duration_text(settings_.progress_limit))};
    if (needs_plan(pose, now)) plan(pose, now);
    if (guide_.empty()) return wait(now);
    last_good_ = now;
    return {.movement = steer(guide_.next(pose))};
}

WayFinder::Step WayFinder::wait(Instant now) const {
    const std::string why(failed_ ? map::sentence(*failed_) : "the way is being looked for");
    if (now - last_good_ >= settings_.patience) return {.given_up = why};
    return {.waits = why};
}

motion::MovementCommand WayFinder::steer(const map::Heading& heading) const {
    constexpr double sharp = 0.6;
    constexpr double slight = 0.12;
    const double turn = heading.turn;
    const auto levels = [](int right, int left) { return motion::MovementCommand::of(right, left).value(); };
    if (std::abs(turn) > sharp) return turn > 0 ? levels(1, -1) : levels(-1, 1);
    const int fast = heading.distance < 0.5 ? 1 : settings_.level;
    if (std::abs(turn) > slight) {
        const int inner = fast - 1;
        return turn > 0 ? levels(fast, inner) : levels(inner, fast);
    }
    return levels(fast, fast);
}

}  // namespace caribou::station
