#include "world/terrain.hpp"

#include <algorithm>
#include <cmath>

namespace caribou::world {
namespace {

void add_box(std::vector<Terrain::Side>& sides, const Area& area, bool solid) {
    const Vec2 size = area.high - area.low;
    sides.push_back({area.low, {size.x, 0}, solid});
    sides.push_back({area.low, {0, size.y}, solid});
    sides.push_back({area.high, {-size.x, 0}, solid});
    sides.push_back({area.high, {0, -size.y}, solid});
}

/// Returns the distance along the beam at which it meets a side, or infinity if it does not. The side is
/// slightly extended at both ends, so that no beam passes through a corner.
double meeting(Vec2 from, Vec2 way, const Terrain::Side& side) {
    constexpr double spare = 1e-9;
    const Vec2 gap = side.from - from;
    double slant = cross(way, side.along);
    double share = cross(gap, way);         // position along the side, times slant
    double ahead = cross(gap, side.along);  // distance along the beam, times slant
    if (slant < 0) {
        slant = -slant;
        share = -share;
        ahead = -ahead;
    }
    // Most sides are missed; avoid the division for those.
    if (slant == 0 || ahead < 0 || share < -spare * slant || share > (1 + spare) * slant)
        return Terrain::no_echo;
    return ahead / slant;
}

double meeting(Vec2 from, Vec2 way, const Terrain::Round& round) {
    const Vec2 gap = round.at - from;
    const double ahead = dot(gap, way);
    const double aside = cross(way, gap);
    const double square = round.radius * round.radius - aside * aside;
    if (square < 0) return Terrain::no_echo;
    const double half = std::sqrt(square);
    if (ahead + half < 0) return Terrain::no_echo;
    return std::max(0.0, ahead - half);
}

}  // namespace

Terrain::Terrain(const WorldPlan& plan)
    : columns_(static_cast<std::int32_t>(plan.size.x / cell_size) + 1),
      rows_(static_cast<std::int32_t>(plan.size.y / cell_size) + 1),
      cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {
    add_box(sides_, {{0, 0}, plan.size}, true);
    for (const Wall& wall : plan.walls) sides_.push_back({wall.from, wall.to - wall.from, true});
    for (const Area& box : plan.boxes) add_box(sides_, box, true);
    for (const Area& area : plan.unknown) add_box(sides_, area, false);
    file_sides();
}

void Terrain::file_sides() {
    // Add each side to all cells that its bounding box overlaps and that it comes near.
    std::vector<std::vector<std::uint32_t>> lists(cells_.size());
    for (std::size_t index = 0; index < sides_.size(); ++index) {
        const Side& side = sides_[index];
        const Vec2 end = side.from + side.along;
        const Vec2 middle = (side.from + end) * 0.5;
        const Block block{clamp_column(std::min(side.from.x, end.x) - 1e-6),
                          clamp_row(std::min(side.from.y, end.y) - 1e-6),
                          clamp_column(std::max(side.from.x, end.x) + 1e-6),
                          clamp_row(std::max(side.from.y, end.y) + 1e-6)};
        const double whole = length(side.along);
        for (std::int32_t row = block.bottom; row <= block.top; ++row)
            for (std::int32_t column = block.left; column <= block.right; ++column) {
                const Vec2 centre{(column + 0.5) * cell_size, (row + 0.5) * cell_size};
                const double aside = std::abs(cross(side.along, centre - middle));
                if (aside > whole * cell_size * 0.7072) continue;
                lists[static_cast<std::size_t>(row * columns_ + column)].push_back(
                    static_cast<std::uint32_t>(index));
            }
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        cells_[i].first_side = static_cast<std::uint32_t>(side_lists_.size());
        side_lists_.insert(side_lists_.end(), lists[i].begin(), lists[i].end());
        cells_[i].end_side = static_cast<std::uint32_t>(side_lists_.size());
    }
}

std::int32_t Terrain::clamp_column(double x) const {
    return std::clamp(static_cast<std::int32_t>(std::floor(x / cell_size)), 0, columns_ - 1);
}

std::int32_t Terrain::clamp_row(double y) const {
    return std::clamp(static_cast<std::int32_t>(std::floor(y / cell_size)), 0, rows_ - 1);
}

Terrain::Block Terrain::block_of(Vec2 at, double radius) const {
    return {clamp_column(at.x - radius), clamp_row(at.y - radius), clamp_column(at.x + radius),
            clamp_row(at.y + radius)};
}

void Terrain::list_round(std::size_t index, Block block, bool add) {
    for (std::int32_t row = block.bottom; row <= block.top; ++row)
        for (std::int32_t column = block.left; column <= block.right; ++column) {
            auto& list = cells_[static_cast<std::size_t>(row * columns_ + column)].rounds;
            if (add)
                list.push_back(static_cast<std::uint32_t>(index));
            else
                std::erase(list, static_cast<std::uint32_t>(index));
        }
}

std::size_t Terrain::add_round(Round round) {
    rounds_.push_back(round);
    blocks_.push_back(block_of(round.at, round.radius));
    list_round(rounds_.size() - 1, blocks_.back(), true);
    return rounds_.size() - 1;
}

void Terrain::move_round(std::size_t index, Vec2 to) {
    rounds_[index].at = to;
    const Block block = block_of(to, rounds_[index].radius);
    if (block == blocks_[index]) return;
    list_round(index, blocks_[index], false);
    blocks_[index] = block;
    list_round(index, block, true);
}

double Terrain::nearest_in(const Cell& cell, Vec2 from, Vec2 way, std::size_t except, bool& echo) const {
    double nearest = no_echo;
    for (std::uint32_t i = cell.first_side; i < cell.end_side; ++i) {
        const Side& side = sides_[side_lists_[i]];
        const double at = meeting(from, way, side);
        if (at >= nearest) continue;
        nearest = at;
        echo = side.solid;
    }
    for (const std::uint32_t index : cell.rounds) {
        const Round& round = rounds_[index];
        if (index == except || !round.present || round.seen == Seen::over_looked) continue;
        const double at = meeting(from, way, round);
        if (at >= nearest) continue;
        nearest = at;
        echo = true;
    }
    return nearest;
}

double Terrain::cast(Vec2 from, Vec2 way, double reach, std::size_t except) const {
    std::int32_t column = clamp_column(from.x);
    std::int32_t row = clamp_row(from.y);
    const std::int32_t column_step = way.x < 0 ? -1 : 1;
    const std::int32_t row_step = way.y < 0 ? -1 : 1;
    // Distance along the beam to the next column border, and between borders; likewise for rows.
    const double column_width = way.x == 0 ? no_echo : cell_size / std::abs(way.x);
    const double row_width = way.y == 0 ? no_echo : cell_size / std::abs(way.y);
    double next_column = way.x == 0 ? no_echo : ((column + (way.x > 0 ? 1 : 0)) * cell_size - from.x) / way.x;
    double next_row = way.y == 0 ? no_echo : ((row + (way.y > 0 ? 1 : 0)) * cell_size - from.y) / way.y;
    for (;;) {
        bool echo = false;
        const double nearest = nearest_in(cell(column, row), from, way, except, echo);
        const double border = std::min(next_column, next_row);
        // Objects beyond the border may be hidden by an object in the next cell.
        if (nearest <= border + 1e-6) return echo && nearest <= reach ? nearest : no_echo;
        if (border > reach) return no_echo;
        if (next_column < next_row) {
            column += column_step;
            next_column += column_width;
        } else {
            row += row_step;
            next_row += row_width;
        }
        if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return no_echo;
    }
}

}  // namespace caribou::world
