#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "map/cost_map.hpp"

namespace caribou::map {

/// Spreads from a cell over all that a robot can reach: how many steps away everything is. One wave
/// answers many questions: what is reachable, which frontier is nearest, and the way there.
class Wave {
public:
    /// `costs` outlives the wave. A blocked start reaches nothing.
    void spread(const CostMap& costs, Cell start);

    bool reaches(Cell cell) const;
    /// Steps along the axes, each once for a plain cell, and more for dear ones.
    std::optional<std::uint32_t> steps_to(Cell cell) const;
    /// From the start to a cell that is reached.
    std::vector<Cell> way_to(Cell cell) const;
    /// All that is reached, the nearest first.
    const std::vector<std::uint32_t>& reached() const { return order_; }

private:
    const CostMap* costs_ = nullptr;
    Cell start_{};
    std::vector<std::uint32_t> steps_;
    std::vector<std::uint32_t> order_;
    std::vector<std::vector<std::uint32_t>> rings_;
};

/// Free cells that a robot can reach and that border on what nobody has looked at yet.
struct Frontier {
    std::vector<Cell> cells{};
    Cell nearest{};           ///< of them, to the wave's start
    std::uint32_t steps = 0;  ///< to that
};

/// What hangs together is one frontier; smaller ones than `least_cells` do not count. The nearest first.
std::vector<Frontier> frontiers(const OccupancyGrid& grid, const Wave& wave, std::size_t least_cells);

}  // namespace caribou::map
