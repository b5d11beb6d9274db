#include "map/grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/check.hpp"

namespace caribou::map {
namespace {

constexpr int hit_odds = 24;
constexpr int miss_odds = -6;

}  // namespace

GridFrame GridFrame::around(Vec2 low, Vec2 high, double cell) {
    const auto cells = [&](double metres) {
        return static_cast<std::int32_t>(std::clamp(std::ceil(metres / cell - 1e-9), 1.0, 4000.0));
    };
    return {low, cell, cells(high.x - low.x), cells(high.y - low.y)};
}

Cell GridFrame::cell_at(Vec2 at) const {
    const auto number = [&](double metres) {
        // Clamped to fit an integer; far outside is equivalent to just outside.
        return static_cast<std::int32_t>(std::clamp(std::floor(metres / cell), -1e6, 1e6));
    };
    return {number(at.x - low.x), number(at.y - low.y)};
}

OccupancyGrid::OccupancyGrid(GridFrame frame) : frame_(frame) {
    check(frame.cell > 0 && frame.columns > 0 && frame.rows > 0 &&
              frame.size() <= static_cast<std::size_t>(GridFrame::max_cells),
          "a grid has cells, and at most max_cells");
    odds_.resize(frame.size());
    touched_.resize(frame.size());
}

OccupancyGrid::OccupancyGrid(GridFrame frame, std::vector<std::int8_t> odds) : OccupancyGrid(frame) {
    check(odds.size() == frame.size() &&
              std::ranges::all_of(odds, [](int each) { return each >= least_odds && each <= most_odds; }),
          "each cell has its log-odds");
    odds_ = std::move(odds);
}

void OccupancyGrid::set(Cell cell, Occupancy occupancy) {
    if (!frame_.contains(cell)) return;
    put(frame_.index(cell), occupancy == Occupancy::unknown ? 0
                            : occupancy == Occupancy::free  ? least_odds
                                                            : most_odds);
}

void OccupancyGrid::replace(OccupancyGrid by) {
    by.version_ = version_ + 1;
    *this = std::move(by);
}

void OccupancyGrid::put(std::size_t index, int odds) {
    const Occupancy before = at(index);
    odds_[index] = static_cast<std::int8_t>(odds);
    if (at(index) != before) ++version_;
}

void OccupancyGrid::hit(Cell cell) {
    if (!frame_.contains(cell)) return;
    const std::size_t index = frame_.index(cell);
    if (touched_[index] == scan_) return;
    touched_[index] = scan_;
    // 0 means unknown, so it is not a valid result of an observation.
    const int odds = std::min(most_odds, odds_[index] + hit_odds);
    put(index, odds == 0 ? 1 : odds);
}

void OccupancyGrid::miss(Cell cell) {
    if (!frame_.contains(cell)) return;
    const std::size_t index = frame_.index(cell);
    if (touched_[index] == scan_) return;
    touched_[index] = scan_;
    const int odds = std::max(least_odds, odds_[index] + miss_odds);
    put(index, odds == 0 ? -1 : odds);
}

void OccupancyGrid::add(const ScanView& scan) {
    if (++scan_ == 0) {
        std::ranges::fill(touched_, std::uint16_t{0});
        scan_ = 1;
    }
    const Vec2 from = position(scan.from);
    const auto end_of = [&](std::size_t beam) {
        const double angle =
            scan.from.heading + scan.first_angle + scan.angle_step * static_cast<double>(beam);
        return from + towards(angle) * static_cast<double>(scan.ranges[beam]);
    };
    // Mark all ends first, so that no passing beam clears a cell in which another one ends.
    std::vector<Vec2> ends;
    ends.reserve(scan.ranges.size());
    for (std::size_t beam = 0; beam < scan.ranges.size(); ++beam)
        if (std::isfinite(scan.ranges[beam]) && scan.ranges[beam] >= 0) ends.push_back(end_of(beam));
    for (const Vec2 end : ends) hit(frame_.cell_at(end));
    for (const Vec2 end : ends) clear_way(from, end);
}

void OccupancyGrid::clear_way(Vec2 from, Vec2 to) {
    Cell at = frame_.cell_at(from);
    const Cell last = frame_.cell_at(to);
    const Vec2 way = to - from;
    const std::int32_t column_step = way.x < 0 ? -1 : 1;
    const std::int32_t row_step = way.y < 0 ? -1 : 1;
    constexpr double never = std::numeric_limits<double>::infinity();
    // Fractions of the beam: up to the next border, and between borders.
    const double column_width = way.x == 0 ? never : frame_.cell / std::abs(way.x);
    const double row_width = way.y == 0 ? never : frame_.cell / std::abs(way.y);
    const Vec2 corner = frame_.middle(at) + Vec2{column_step * 0.5, row_step * 0.5} * frame_.cell;
    double next_column = way.x == 0 ? never : (corner.x - from.x) / way.x;
    double next_row = way.y == 0 ? never : (corner.y - from.y) / way.y;
    for (std::int32_t left = std::abs(last.column - at.column) + std::abs(last.row - at.row); left > 0;
         --left) {
        miss(at);
        if (next_column < next_row) {
            at.column += column_step;
            next_column += column_width;
        } else {
            at.row += row_step;
            next_row += row_width;
        }
    }
}

void OccupancyGrid::add_disc(Vec2 at, double radius) {
    const Vec2 reach{radius, radius};
    const Cell low = frame_.cell_at(at - reach);
    const Cell high = frame_.cell_at(at + reach);
    for (std::int32_t row = low.row; row <= high.row; ++row)
        for (std::int32_t column = low.column; column <= high.column; ++column)
            if (const Cell cell{column, row}; distance(frame_.middle(cell), at) <= radius)
                set(cell, Occupancy::free);
}

std::size_t OccupancyGrid::count(Occupancy occupancy) const {
    std::size_t total = 0;
    for (std::size_t i = 0; i < odds_.size(); ++i)
        if (at(i) == occupancy) ++total;
    return total;
}

}  // namespace caribou::map
