#include "map/cost_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace caribou::map {
namespace {

constexpr int straight_step = 10;
constexpr int slanted_step = 14;

}  // namespace

CostMap::CostMap(const OccupancyGrid& grid, CostSettings settings)
    : frame_(grid.frame()), settings_(settings), distances_(frame_.size()), costs_(frame_.size()) {
    if (settings.zones)
        for (const Zone& zone : *settings.zones)
            if (zone.kind == ZoneKind::keep_out) forbid(zone);
    measure(grid);
    // The cost of a cell depends only on its distance, which has few different values.
    const double span = std::max(1e-9, settings.comfort - settings.radius);
    std::vector<std::uint8_t> cost_at(std::size_t{*std::ranges::max_element(distances_)} + 1);
    for (std::size_t tenths = 0; tenths < cost_at.size(); ++tenths) {
        const double gap = static_cast<double>(tenths) * frame_.cell / straight_step;
        const double nearness = std::clamp((settings.comfort - gap) / span, 0.0, 1.0);
        if (gap >= settings.radius)
            cost_at[tenths] = static_cast<std::uint8_t>(std::lround(plain + (dearest - plain) * nearness));
    }
    for (std::size_t i = 0; i < costs_.size(); ++i)
        if (distances_[i] > 0 && (settings.unknown_passable || grid.at(i) == Occupancy::free))
            costs_[i] = cost_at[distances_[i]];
    if (settings.zones)
        for (const Zone& zone : *settings.zones)
            if (zone.kind == ZoneKind::speed) slow_down(zone);
}

template <class Act>
void CostMap::for_cells_of(const Zone& zone, Act act) const {
    if (zone.corners.empty()) return;
    Vec2 least = zone.corners.front();
    Vec2 greatest = least;
    for (const Vec2 corner : zone.corners) {
        least = {std::min(least.x, corner.x), std::min(least.y, corner.y)};
        greatest = {std::max(greatest.x, corner.x), std::max(greatest.y, corner.y)};
    }
    const Cell low = frame_.cell_at(least);
    const Cell high = frame_.cell_at(greatest);
    for (Cell cell{0, std::max(0, low.row)}; cell.row <= std::min(frame_.rows - 1, high.row); ++cell.row)
        for (cell.column = std::max(0, low.column); cell.column <= std::min(frame_.columns - 1, high.column);
             ++cell.column)
            if (signed_distance(zone.corners, frame_.middle(cell)) < frame_.cell * std::numbers::sqrt2 / 2)
                act(frame_.index(cell));
}

void CostMap::forbid(const Zone& zone) {
    forbidden_.resize(frame_.size());
    for_cells_of(zone, [&](std::size_t index) { forbidden_[index] = true; });
}

void CostMap::slow_down(const Zone& zone) {
    const double factor = std::clamp(settings_.cruise / zone.speed, 1.0, static_cast<double>(slowest));
    for_cells_of(zone, [&](std::size_t index) {
        costs_[index] = static_cast<std::uint8_t>(std::min<long>(most, std::lround(costs_[index] * factor)));
    });
}

void CostMap::measure(const OccupancyGrid& grid) {
    // Two passes, each propagating from neighbors already visited: exact along axes and diagonals, and within
    // a tenth elsewhere.
    const std::int32_t columns = frame_.columns;
    const std::int32_t rows = frame_.rows;
    const auto far =
        static_cast<std::uint16_t>(std::min(60'000.0, (settings_.comfort / frame_.cell + 1) * straight_step));
    Cell low{columns, rows};  // bounds of the occupied cells
    Cell high{-1, -1};
    for (Cell cell{0, 0}; cell.row < rows; ++cell.row)
        for (cell.column = 0; cell.column < columns; ++cell.column) {
            const std::size_t i = frame_.index(cell);
            const bool occupied = grid.at(i) == Occupancy::occupied || (!forbidden_.empty() && forbidden_[i]);
            distances_[i] = occupied ? std::uint16_t{0} : far;
            if (!occupied) continue;
            low = {std::min(low.column, cell.column), std::min(low.row, cell.row)};
            high = {std::max(high.column, cell.column), cell.row};
        }
    if (high.row < 0) return;
    // Cells farther from everything already have the maximum distance.
    const std::int32_t margin = far / straight_step + 1;
    low = {std::max(0, low.column - margin), std::max(0, low.row - margin)};
    high = {std::min(columns - 1, high.column + margin), std::min(rows - 1, high.row + margin)};
    const auto relax = [&](std::size_t index, std::size_t from, int step) {
        distances_[index] =
            static_cast<std::uint16_t>(std::min<int>(distances_[index], distances_[from] + step));
    };
    const auto width = static_cast<std::size_t>(columns);
    for (std::int32_t row = low.row; row <= high.row; ++row)
        for (std::int32_t column = low.column; column <= high.column; ++column) {
            const std::size_t i = frame_.index({column, row});
            if (column > low.column) relax(i, i - 1, straight_step);
            if (row == low.row) continue;
            relax(i, i - width, straight_step);
            if (column > low.column) relax(i, i - width - 1, slanted_step);
            if (column < high.column) relax(i, i - width + 1, slanted_step);
        }
    for (std::int32_t row = high.row; row >= low.row; --row)
        for (std::int32_t column = high.column; column >= low.column; --column) {
            const std::size_t i = frame_.index({column, row});
            if (column < high.column) relax(i, i + 1, straight_step);
            if (row == high.row) continue;
            relax(i, i + width, straight_step);
            if (column > low.column) relax(i, i + width - 1, slanted_step);
            if (column < high.column) relax(i, i + width + 1, slanted_step);
        }
}

double CostMap::clearance(Cell cell) const {
    return frame_.contains(cell) ? distances_[frame_.index(cell)] * frame_.cell / straight_step : 0;
}

double CostMap::clearance_at(Vec2 at) const {
    const Cell low = frame_.cell_at(at - Vec2{frame_.cell / 2, frame_.cell / 2});
    const Vec2 offset = at - frame_.middle(low);
    const double u = offset.x / frame_.cell;
    const double v = offset.y / frame_.cell;
    const auto at_cell = [&](std::int32_t right, std::int32_t up) {
        return clearance(Cell{low.column + right, low.row + up});
    };
    return (at_cell(0, 0) * (1 - u) + at_cell(1, 0) * u) * (1 - v) +
           (at_cell(0, 1) * (1 - u) + at_cell(1, 1) * u) * v;
}

std::optional<Cell> CostMap::nearest_passable(Vec2 at, double within) const {
    const Vec2 reach{within, within};
    const Cell low = frame_.cell_at(at - reach);
    const Cell high = frame_.cell_at(at + reach);
    std::optional<Cell> nearest;
    double gap = within;
    for (std::int32_t row = low.row; row <= high.row; ++row)
        for (std::int32_t column = low.column; column <= high.column; ++column) {
            const Cell cell{column, row};
            if (!passable(cell)) continue;
            if (const double to = distance(frame_.middle(cell), at); to <= gap) {
                gap = to;
                nearest = cell;
            }
        }
    return nearest;
}

void CostMap::block(Vec2 at, double radius) {
    const Vec2 reach{radius, radius};
    const Cell low = frame_.cell_at(at - reach);
    const Cell high = frame_.cell_at(at + reach);
    for (std::int32_t row = low.row; row <= high.row; ++row)
        for (std::int32_t column = low.column; column <= high.column; ++column)
            if (const Cell cell{column, row};
                frame_.contains(cell) && distance(frame_.middle(cell), at) <= radius)
                costs_[frame_.index(cell)] = blocked;
}

bool CostMap::straight(Vec2 from, Vec2 to, std::uint8_t dear) const {
    const auto steps = static_cast<int>(std::ceil(distance(from, to) / (frame_.cell / 2))) + 1;
    // In a cell this far from everything, every point keeps the minimum distance.
    const double wide = settings_.radius + frame_.cell;
    for (int i = 0; i <= steps; ++i) {
        const Vec2 at = from + (to - from) * (static_cast<double>(i) / steps);
        const Cell cell = frame_.cell_at(at);
        const std::uint8_t here = cost(cell);
        if (here == blocked || here > dear) return false;
        if (clearance(cell) < wide && clearance_at(at) < settings_.radius - 1e-9) return false;
    }
    return true;
}

}  // namespace caribou::map
