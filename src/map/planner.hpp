#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "map/cost_map.hpp"

namespace caribou::map {

/// The outcome of a search, or the reason why it could not start.
enum class Plan : std::uint8_t {
    searching,
    found,
    start_outside,      ///< of the grid
    goal_outside,       ///< of the grid
    start_blocked,      ///< the robot does not fit where it is
    start_forbidden,    ///< the robot is in a keep-out zone
    goal_occupied,      ///< the goal is in an occupied cell
    goal_too_close,     ///< the robot does not fit between the goal and a nearby obstacle
    goal_forbidden,     ///< the goal is in a keep-out zone, or next to one
    goal_unknown,       ///< the goal has not been observed yet
    no_way,             ///< the goal is enclosed by known obstacles
    only_past_zones,    ///< keep-out zones enclose the goal
    only_past_unknown,  ///< a path may exist, but only through cells not observed yet
};
/// Returns a message for users that explains the outcome.
std::string_view sentence(Plan plan);
/// Returns whether zones that people have drawn are the reason.
constexpr bool is_by_zones(Plan plan) {
    return plan == Plan::start_forbidden || plan == Plan::goal_forbidden || plan == Plan::only_past_zones;
}

/// Finds the cheapest path between two cells (A*), in steps of limited size. Reuses its memory between
/// searches.
class Planner {
public:
    /// Starts a search. The grid and the costs must outlive it and have the same frame.
    Plan begin(const OccupancyGrid& grid, const CostMap& costs, Cell start, Cell goal);
    /// Processes at most `cells` entries of the open list. Returns the state.
    Plan step(std::size_t cells);
    /// Runs a whole search at once.
    Plan plan(const OccupancyGrid& grid, const CostMap& costs, Cell start, Cell goal);

    Plan state() const { return state_; }
    /// Returns the path from start to goal, both included. Requires that a path was found.
    std::vector<Cell> path() const;
    /// Returns the cost of the path: 10 per straight step and 14 per diagonal one, multiplied by the cost of
    /// the cell entered.
    std::uint32_t path_cost() const;
    std::size_t expanded() const { return expanded_; }

private:
    struct Open {
        std::uint32_t estimate;
        std::uint32_t index;
    };

    void reset();
    void expand(std::uint32_t index, Cell at);
    std::uint32_t estimate(Cell from) const;
    Plan why_not() const;

    const OccupancyGrid* grid_ = nullptr;
    const CostMap* costs_ = nullptr;
    Cell start_{};
    Cell goal_{};
    Plan state_ = Plan::searching;
    std::size_t expanded_ = 0;
    std::uint32_t search_ = 0;
    std::vector<Open> open_;
    std::vector<std::uint32_t> searched_;  ///< number of the search that set the price of each cell
    std::vector<std::uint32_t> prices_;
    std::vector<std::uint8_t> came_by_;
};

}  // namespace caribou::map
