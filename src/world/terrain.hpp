#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/geometry.hpp"
#include "world/world_plan.hpp"

namespace caribou::world {

/// The objects on a floor: walls, which are fixed, and round objects, which can move. They are indexed by a
/// grid, so that the cost of a query does not depend on the size of the world.
class Terrain {
public:
    enum class Seen : bool { by_beams, over_looked };

    struct Round {
        Vec2 at;
        double radius = 0;
        Seen seen = Seen::by_beams;
        bool present = true;
    };

    struct Side {
        Vec2 from;
        Vec2 along;  ///< vector to its other end
        bool solid;  ///< if false, it only absorbs beams, without an echo
    };

    static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();
    static constexpr double no_echo = std::numeric_limits<double>::infinity();

    explicit Terrain(const WorldPlan& plan);

    std::size_t add_round(Round round);
    void move_round(std::size_t index, Vec2 to);
    /// An object that is not present is neither seen nor hit.
    void set_present(std::size_t index, bool present) { rounds_[index].present = present; }
    const Round& round(std::size_t index) const { return rounds_[index]; }

    /// Returns how far a beam gets, or no_echo if it hits nothing within `reach`. `way` is a unit vector. The
    /// round object `except` is ignored.
    double cast(Vec2 from, Vec2 way, double reach, std::size_t except = nothing) const;

    /// Calls `visit` with the nearest point of every solid side within `radius`. A side may be visited more
    /// than once.
    template <class Visit>
    void each_wall_near(Vec2 at, double radius, Visit visit) const;
    /// Calls `visit` with every present round object that overlaps the circle, except `except`. Each is
    /// visited once.
    template <class Visit>
    void each_round_near(Vec2 at, double radius, std::size_t except, Visit visit) const;

    std::span<const Side> sides() const { return sides_; }

private:
    struct Cell {
        std::uint32_t first_side = 0;
        std::uint32_t end_side = 0;
        std::vector<std::uint32_t> rounds{};
    };
    struct Block {
        std::int32_t left, bottom, right, top;
        friend bool operator==(const Block&, const Block&) = default;
    };

    static constexpr double cell_size = 0.5;

    std::int32_t clamp_column(double x) const;
    std::int32_t clamp_row(double y) const;
    Block block_of(Vec2 at, double radius) const;
    const Cell& cell(std::int32_t column, std::int32_t row) const {
        return cells_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                      static_cast<std::size_t>(column)];
    }
    void file_sides();
    void list_round(std::size_t index, Block block, bool add);
    double nearest_in(const Cell& cell, Vec2 from, Vec2 way, std::size_t except, bool& echo) const;

    std::int32_t columns_;
    std::int32_t rows_;
    std::vector<Side> sides_;
    std::vector<std::uint32_t> side_lists_;
    std::vector<Cell> cells_;
    std::vector<Round> rounds_;
    std::vector<Block> blocks_;
};

/// Returns the point of a side that is nearest to `at`.
inline Vec2 nearest_on(const Terrain::Side& side, Vec2 at) {
    const double squared = dot(side.along, side.along);
    const double share = squared > 0 ? dot(at - side.from, side.along) / squared : 0;
    return side.from + side.along * (share < 0 ? 0 : share > 1 ? 1 : share);
}

template <class Visit>
void Terrain::each_wall_near(Vec2 at, double radius, Visit visit) const {
    const Block block = block_of(at, radius);
    for (std::int32_t row = block.bottom; row <= block.top; ++row)
        for (std::int32_t column = block.left; column <= block.right; ++column) {
            const Cell& here = cell(column, row);
            for (std::uint32_t i = here.first_side; i < here.end_side; ++i) {
                const Side& side = sides_[side_lists_[i]];
                if (!side.solid) continue;
                const Vec2 point = nearest_on(side, at);
                const Vec2 gap = at - point;
                if (dot(gap, gap) < radius * radius) visit(point);
            }
        }
}

template <class Visit>
void Terrain::each_round_near(Vec2 at, double radius, std::size_t except, Visit visit) const {
    const Block block = block_of(at, radius);
    for (std::int32_t row = block.bottom; row <= block.top; ++row)
        for (std::int32_t column = block.left; column <= block.right; ++column)
            for (const std::uint32_t index : cell(column, row).rounds) {
                const Round& other = rounds_[index];
                if (index == except || !other.present) continue;
                // A round object is listed in several cells; visit it in the first one that both blocks
                // share.
                const Block& its = blocks_[index];
                if (column != std::max(block.left, its.left) || row != std::max(block.bottom, its.bottom))
                    continue;
                const double reach = radius + other.radius;
                const Vec2 gap = at - other.at;
                if (dot(gap, gap) < reach * reach) visit(std::size_t{index});
            }
}

}  // namespace caribou::world
