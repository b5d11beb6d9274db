#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "map/cost_map.hpp"

namespace caribou::map {

/// Computes the distance from one cell to all cells that a robot can reach (Dijkstra). A single run
/// determines what is reachable, which frontier is nearest, and the paths there.
class Wave {
public:
    /// Computes all distances. `costs` must outlive the wave. If the start is blocked, no cell is reachable.
    void spread(const CostMap& costs, Cell start);

    bool reaches(Cell cell) const;
    /// Returns the cost of the cheapest path, or nullopt if the cell is not reachable. Steps along the axes
    /// count as the cost of the cell entered, which is 1 for a plain one.
    std::optional<std::uint32_t> steps_to(Cell cell) const;
    /// Returns the path from the start to a reachable cell, both included.
    std::vector<Cell> way_to(Cell cell) const;
    /// Returns the indices of all reachable cells, nearest first.
    const std::vector<std::uint32_t>& reached() const { return order_; }

private:
    const CostMap* costs_ = nullptr;
    Cell start_{};
    std::vector<std::uint32_t> steps_;
    std::vector<std::uint32_t> order_;
    std::vector<std::vector<std::uint32_t>> rings_;
};

/// A connected set of free, reachable cells that border on unobserved ones.
struct Frontier {
    std::vector<Cell> cells{};
    Cell nearest{};           ///< the cell nearest to the wave's start
    std::uint32_t steps = 0;  ///< distance to that cell
};

/// Returns all frontiers of at least `least_cells` cells, nearest first. Cells that touch, also diagonally,
/// belong to the same frontier.
std::vector<Frontier> frontiers(const OccupancyGrid& grid, const Wave& wave, std::size_t least_cells);

}  // namespace caribou::map
