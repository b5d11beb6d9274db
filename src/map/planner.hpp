#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "map/cost_map.hpp"

namespace caribou::map {

/// How a search ended, or why it could not begin.
enum class Plan : std::uint8_t {
    searching,
    found,
    start_outside,      ///< of the grid
    goal_outside,       ///< of the grid
    start_blocked,      ///< the robot stands where it does not fit in
    goal_occupied,      ///< something stands there
    goal_too_close,     ///< something stands so near that the robot does not fit in
    goal_unknown,       ///< nobody has looked there yet
    no_way,             ///< what is known shuts it off
    only_past_unknown,  ///< there may be a way where nobody has looked yet
};
/// For people: why a goal cannot be reached.
std::string_view sentence(Plan plan);

/// Finds the cheapest way between two cells (A*), as much at a time as it is told. Keeps its memory from
/// search to search.
class Planner {
public:
    /// Both outlive the search.
    Plan begin(const OccupancyGrid& grid, const CostMap& costs, Cell start, Cell goal);
    /// Looks at so many cells at most.
    Plan step(std::size_t cells);
    /// The same at once.
    Plan plan(const OccupancyGrid& grid, const CostMap& costs, Cell start, Cell goal);

    Plan state() const { return state_; }
    /// From start to goal, both included. Only if found.
    std::vector<Cell> path() const;
    /// A step along the axes costs 10, a slanted one 14, each times the cost of its cell.
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
    std::vector<std::uint32_t> searched_;  ///< by which search its price is
    std::vector<std::uint32_t> prices_;
    std::vector<std::uint8_t> came_by_;
};

}  // namespace caribou::map
