#include "map/wave.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.hpp"

namespace caribou::map {
namespace {

constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<Cell, 4> sides{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr std::array<Cell, 8> around{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

Cell operator+(Cell a, Cell b) { return {a.column + b.column, a.row + b.row}; }

}  // namespace

void Wave::spread(const CostMap& costs, Cell start) {
    costs_ = &costs;
    start_ = start;
    const GridFrame& frame = costs.frame();
    steps_.assign(frame.size(), never);
    order_.clear();
    if (!costs.passable(start)) return;
    // Cells at equal distance form a ring (bucket); no step is longer than the most expensive cell.
    rings_.resize(CostMap::most + 1);
    for (auto& ring : rings_) ring.clear();
    steps_[frame.index(start)] = 0;
    rings_[0].push_back(static_cast<std::uint32_t>(frame.index(start)));
    for (std::uint32_t step = 0, empty = 0; empty <= CostMap::most; ++step) {
        auto& ring = rings_[step % rings_.size()];
        empty = ring.empty() ? empty + 1 : 0;
        for (std::size_t i = 0; i < ring.size(); ++i) {
            const std::uint32_t index = ring[i];
            if (steps_[index] != step) continue;
            order_.push_back(index);
            const Cell at = frame.cell_of(index);
            for (const Cell side : sides) {
                const Cell to = at + side;
                const std::uint8_t cost = costs.cost(to);
                if (cost == CostMap::blocked) continue;
                const auto to_index = static_cast<std::uint32_t>(frame.index(to));
                if (steps_[to_index] <= step + cost) continue;
                steps_[to_index] = step + cost;
                rings_[(step + cost) % rings_.size()].push_back(to_index);
            }
        }
        ring.clear();
    }
}

bool Wave::reaches(Cell cell) const {
    return costs_ && costs_->frame().contains(cell) && steps_[costs_->frame().index(cell)] != never;
}

std::optional<std::uint32_t> Wave::steps_to(Cell cell) const {
    if (!reaches(cell)) return std::nullopt;
    return steps_[costs_->frame().index(cell)];
}

std::vector<Cell> Wave::way_to(Cell cell) const {
    check(reaches(cell), "a way leads to what is reached");
    std::vector<Cell> cells{cell};
    while (cells.back() != start_) {
        Cell next = cells.back();
        std::uint32_t least = steps_[costs_->frame().index(next)];
        for (const Cell side : sides)
            if (const auto steps = steps_to(cells.back() + side); steps && *steps < least) {
                least = *steps;
                next = cells.back() + side;
            }
        cells.push_back(next);
    }
    std::ranges::reverse(cells);
    return cells;
}

std::vector<Frontier> frontiers(const OccupancyGrid& grid, const Wave& wave, std::size_t least_cells) {
    const GridFrame& frame = grid.frame();
    const auto borders = [&](Cell cell) {
        return grid.at(cell) == Occupancy::free && std::ranges::any_of(sides, [&](Cell side) {
                   return frame.contains(cell + side) && grid.at(cell + side) == Occupancy::unknown;
               });
    };
    std::vector<Frontier> found;
    std::vector<bool> taken(frame.size());
    for (const std::uint32_t index : wave.reached()) {
        const Cell cell = frame.cell_of(index);
        if (taken[index] || !borders(cell)) continue;
        Frontier frontier{.cells = {cell}, .nearest = cell, .steps = *wave.steps_to(cell)};
        taken[index] = true;
        for (std::size_t i = 0; i < frontier.cells.size(); ++i)
            for (const Cell side : around) {
                const Cell next = frontier.cells[i] + side;
                if (!wave.reaches(next) || taken[frame.index(next)] || !borders(next)) continue;
                taken[frame.index(next)] = true;
                frontier.cells.push_back(next);
            }
        if (frontier.cells.size() >= least_cells) found.push_back(std::move(frontier));
    }
    return found;
}

}  // namespace caribou::map
