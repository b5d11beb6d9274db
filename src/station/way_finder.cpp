#include "station/way_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

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
    : settings_(settings),
      grid_(frame_of(settings, area)),
      pursuit_({.speed = motion::MotionSettings{}.speed_of(settings.level)}) {}

void WayFinder::take_map(const wire::Grid& map) {
    if (map_time_ == map.time || map.cells.empty() || !(map.cell > 0)) return;
    map_time_ = map.time;
    const map::GridFrame frame{.low = {map.x, map.y},
                               .cell = map.cell,
                               .columns = static_cast<std::int32_t>(map.columns),
                               .rows = static_cast<std::int32_t>(map.rows)};
    if (frame != grid_.frame()) {
        grid_ = map::OccupancyGrid(frame);
        costs_.reset();
    }
    for (std::size_t i = 0; i < map.cells.size(); ++i) {
        const std::int8_t cell = map.cells[i];
        grid_.set(frame.cell_of(i), cell < 0    ? map::Occupancy::unknown
                                    : cell < 50 ? map::Occupancy::free
                                                : map::Occupancy::occupied);
    }
}

void WayFinder::take_zones(std::shared_ptr<const std::vector<Zone>> zones) {
    if (zones == zones_) return;
    zones_ = std::move(zones);
    costs_.reset();
}

void WayFinder::learn(const link::Telemetry& telemetry) {
    if (map_time_) return;
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
    map::CostSettings settings{.radius = settings_.radius,
                               .comfort = settings_.radius + 0.17,
                               .zones = zones_,
                               .cruise = motion::MotionSettings{}.speed_of(settings_.level)};
    known_costs_.emplace(grid_, settings);
    settings.unknown_passable = true;
    costs_.emplace(grid_, settings);
    costs_of_ = grid_.version();
}

map::Cell WayFinder::goal_cell(Vec2 goal) const {
    const map::Cell cell = grid_.frame().cell_at(goal);
    if (costs_->passable(cell)) return cell;
    return costs_->nearest_passable(goal, settings_.near).value_or(cell);
}

map::Plan WayFinder::search(Vec2 from, Vec2 goal) {
    weigh();
    const map::Cell end = goal_cell(goal);
    map::Plan found = map::Plan::searching;
    for (const map::CostMap* costs : {&*known_costs_, &*costs_}) {
        // A robot that is closer to a wall than planned can still drive away from it.
        map::Cell start = grid_.frame().cell_at(from);
        if (!costs->passable(start))
            start = costs->nearest_passable(from, 3 * settings_.radius).value_or(start);
        found = planner_.plan(grid_, *costs, start, end);
        if (found == map::Plan::found) break;
    }
    return found;
}

std::optional<map::Plan> WayFinder::objection_to(Vec2 goal) {
    weigh();
    const map::Cell cell = grid_.frame().cell_at(goal);
    if (!grid_.frame().contains(cell)) return map::Plan::goal_outside;
    if (costs_->passable(goal_cell(goal))) return std::nullopt;
    if (costs_->keeps_out(cell)) return map::Plan::goal_forbidden;
    return grid_.at(cell) == map::Occupancy::occupied ? map::Plan::goal_occupied : map::Plan::goal_too_close;
}

std::optional<map::Plan> WayFinder::objection_to(Vec2 from, Vec2 goal) {
    if (const auto objection = objection_to(goal)) return objection;
    const map::Plan found = search(from, goal);
    return found == map::Plan::found ? std::nullopt : std::optional(found);
}

void WayFinder::plan(const Pose& pose, Instant now) {
    next_plan_ = now + settings_.replan_period;
    const map::Plan found = search(position(pose), goal_);
    if (found != map::Plan::found) {
        failed_ = found;
        guide_ = {};
        return;
    }
    failed_.reset();
    std::vector<Vec2> points = map::smoothed(*costs_, planner_.path());
    // Without its last bit the path is still near enough, and it stays passable.
    if (points.size() < 2 || costs_->straight(points[points.size() - 2], goal_)) points.back() = goal_;
    constexpr double look_ahead = 0.35;
    guide_ = map::PathGuide(std::move(points), look_ahead, settings_.near);
    pursuit_.restart();
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
    if (!costs_) weigh();
    const map::Heading heading = guide_.next(*costs_, pose);
    return {.motion = pursuit_.next(&*costs_, pose, heading.aim, heading.distance)};
}

WayFinder::Step WayFinder::wait(Instant now) const {
    const std::string why(failed_ ? map::sentence(*failed_) : "the way is being looked for");
    if (now - last_good_ >= settings_.patience) return {.given_up = why};
    return {.waits = why};
}

}  // namespace caribou::station
