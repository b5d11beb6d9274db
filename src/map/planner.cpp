#include "map/planner.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/check.hpp"
#include "map/wave.hpp"

namespace caribou::map {
namespace {

struct Step {
    std::int32_t column;
    std::int32_t row;
    std::uint32_t price;
};
constexpr std::array<Step, 8> steps{
    {{1, 0, 10}, {-1, 0, 10}, {0, 1, 10}, {0, -1, 10}, {1, 1, 14}, {1, -1, 14}, {-1, 1, 14}, {-1, -1, 14}}};

/// Orders the heap by lowest estimate. Ties are broken by index, so that the result is the same on every
/// machine.
constexpr auto dearer = [](const auto& a, const auto& b) {
    return a.estimate != b.estimate ? a.estimate > b.estimate : a.index < b.index;
};

}  // namespace

std::string_view sentence(Plan plan) {
    switch (plan) {
        case Plan::searching: return "still searching";
        case Plan::found: return "there is a way";
        case Plan::start_outside: return "the robot is outside of the map";
        case Plan::goal_outside: return "the goal lies outside of the map";
        case Plan::start_blocked: return "by the map, the robot does not fit where it is";
        case Plan::start_forbidden: return "the robot is in a keep-out zone";
        case Plan::goal_occupied: return "an obstacle is at the goal";
        case Plan::goal_too_close: return "an obstacle is too close to the goal for the robot to fit";
        case Plan::goal_forbidden: return "the goal is in a keep-out zone";
        case Plan::goal_unknown: return "the goal is unexplored";
        case Plan::no_way: return "known obstacles cut the goal off";
        case Plan::only_past_zones: return "keep-out zones cut the goal off";
        case Plan::only_past_unknown: return "a path may exist, but only through unexplored space";
    }
    return "";
}

void Planner::reset() {
    open_.clear();
    expanded_ = 0;
    const std::size_t size = costs_->frame().size();
    if (searched_.size() != size || ++search_ == 0) {
        searched_.assign(size, 0);
        prices_.resize(size);
        came_by_.resize(size);
        search_ = 1;
    }
}

Plan Planner::begin(const OccupancyGrid& grid, const CostMap& costs, Cell start, Cell goal) {
    check(grid.frame() == costs.frame(), "costs are those of the grid");
    grid_ = &grid;
    costs_ = &costs;
    start_ = start;
    goal_ = goal;
    const GridFrame& frame = costs.frame();
    if (!frame.contains(start)) return state_ = Plan::start_outside;
    if (!frame.contains(goal)) return state_ = Plan::goal_outside;
    if (!costs.passable(start))
        return state_ = costs.keeps_out(start) ? Plan::start_forbidden : Plan::start_blocked;
    if (!costs.passable(goal))
        return state_ = costs.keeps_out(goal)                  ? Plan::goal_forbidden
                        : grid.at(goal) == Occupancy::occupied ? Plan::goal_occupied
                        : grid.at(goal) == Occupancy::unknown  ? Plan::goal_unknown
                                                               : Plan::goal_too_close;
    reset();
    const auto index = static_cast<std::uint32_t>(frame.index(start));
    searched_[index] = search_;
    prices_[index] = 0;
    open_.push_back({estimate(start), index});
    return state_ = Plan::searching;
}

std::uint32_t Planner::estimate(Cell from) const {
    const auto columns = static_cast<std::uint32_t>(std::abs(from.column - goal_.column));
    const auto rows = static_cast<std::uint32_t>(std::abs(from.row - goal_.row));
    return 10 * std::max(columns, rows) + 4 * std::min(columns, rows);
}

Plan Planner::step(std::size_t cells) {
    const GridFrame& frame = costs_->frame();
    const std::size_t goal = frame.index(goal_);
    for (; cells > 0 && state_ == Plan::searching; --cells) {
        if (open_.empty()) return state_ = why_not();
        const Open next = open_.front();
        std::ranges::pop_heap(open_, dearer);
        open_.pop_back();
        if (next.index == goal) return state_ = Plan::found;
        // A cell whose price has decreased is in the heap twice; the more expensive entry is stale.
        const Cell at = frame.cell_of(next.index);
        if (next.estimate != prices_[next.index] + estimate(at)) continue;
        ++expanded_;
        expand(next.index, at);
    }
    return state_;
}

void Planner::expand(std::uint32_t index, Cell at) {
    const GridFrame& frame = costs_->frame();
    const std::uint32_t price_here = prices_[index];
    // No cutting of corners: a diagonal step requires that both adjacent cells are passable.
    std::array<std::uint8_t, 8> costs{};
    for (std::size_t way = 0; way < 4; ++way)
        costs[way] = costs_->cost(Cell{at.column + steps[way].column, at.row + steps[way].row});
    for (std::uint8_t way = 0; way < steps.size(); ++way) {
        const Step& step = steps[way];
        const Cell to{at.column + step.column, at.row + step.row};
        if (way >= 4 && costs[step.column > 0 ? 0 : 1] != CostMap::blocked &&
            costs[step.row > 0 ? 2 : 3] != CostMap::blocked)
            costs[way] = costs_->cost(to);
        if (costs[way] == CostMap::blocked) continue;
        const auto to_index = static_cast<std::uint32_t>(frame.index(to));
        const std::uint32_t price = price_here + step.price * costs[way];
        if (searched_[to_index] == search_ && prices_[to_index] <= price) continue;
        searched_[to_index] = search_;
        prices_[to_index] = price;
        came_by_[to_index] = way;
        open_.push_back({price + estimate(to), to_index});
        std::ranges::push_heap(open_, dearer);
    }
}

Plan Planner::plan(const OccupancyGrid& grid, const CostMap& costs, Cell start, Cell goal) {
    begin(grid, costs, start, goal);
    return step(std::numeric_limits<std::size_t>::max());
}

Plan Planner::why_not() const {
    const auto is_reached_by = [this](const CostSettings& bold) {
        const CostMap costs(*grid_, bold);
        Wave wave;
        wave.spread(costs, start_);
        return wave.reaches(goal_);
    };
    CostSettings bold = costs_->settings();
    bold.unknown_passable = true;
    if (!costs_->settings().unknown_passable && is_reached_by(bold)) return Plan::only_past_unknown;
    bold.unknown_passable = costs_->settings().unknown_passable;
    const bool has_zones = std::exchange(bold.zones, nullptr) != nullptr;
    return has_zones && is_reached_by(bold) ? Plan::only_past_zones : Plan::no_way;
}

std::vector<Cell> Planner::path() const {
    check(state_ == Plan::found, "a path has been found");
    std::vector<Cell> cells{goal_};
    while (cells.back() != start_) {
        const Step& step = steps[came_by_[costs_->frame().index(cells.back())]];
        cells.push_back({cells.back().column - step.column, cells.back().row - step.row});
    }
    std::ranges::reverse(cells);
    return cells;
}

std::uint32_t Planner::path_cost() const {
    check(state_ == Plan::found, "a path has been found");
    return prices_[costs_->frame().index(goal_)];
}

}  // namespace caribou::map
