#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/zone.hpp"
#include "map/grid.hpp"

namespace caribou::map {

struct CostSettings {
    double radius = 0.18;   ///< minimum distance in meters between the robot's center and an occupied cell
    double comfort = 0.35;  ///< distance in meters below which cells cost more
    bool unknown_passable = false;
    /// A keep-out zone counts as occupied. A speed zone costs as much more as it is slower than `cruise`.
    /// Null: none.
    std::shared_ptr<const std::vector<Zone>> zones{};
    double cruise = 0.45;  ///< m/s
};

/// The cost of every cell for the robot's center.
class CostMap {
public:
    static constexpr std::uint8_t blocked = 0;
    static constexpr std::uint8_t plain = 1;
    static constexpr std::uint8_t dearest = 4;  ///< the cost of a cell that the robot just fits into
    static constexpr std::uint8_t slowest = 6;  ///< factor of a speed zone at most
    static constexpr std::uint8_t most = dearest * slowest;

    CostMap(const OccupancyGrid& grid, CostSettings settings);

    const GridFrame& frame() const { return frame_; }
    const CostSettings& settings() const { return settings_; }
    /// Returns the factor by which the length of a step into the cell is multiplied, or 0 if it is blocked or
    /// outside.
    std::uint8_t cost(Cell cell) const {
        return frame_.contains(cell) ? costs_[frame_.index(cell)] : blocked;
    }
    std::uint8_t cost(std::size_t index) const { return costs_[index]; }
    bool passable(Cell cell) const { return cost(cell) != blocked; }
    /// Returns whether a keep-out zone has a part of the cell.
    bool keeps_out(Cell cell) const {
        return !forbidden_.empty() && frame_.contains(cell) && forbidden_[frame_.index(cell)];
    }
    /// Returns the approximate distance in meters to the nearest occupied cell, from center to center,
    /// limited to about `comfort` plus one cell.
    double clearance(Cell cell) const;
    /// The same for any point, interpolated between the centers of cells.
    double clearance_at(Vec2 at) const;
    /// Returns the passable cell nearest to a point, or nullopt if there is none within `within` meters.
    std::optional<Cell> nearest_passable(Vec2 at, double within) const;
    /// Blocks all cells whose center is within `radius` meters of a point.
    void block(Vec2 at, double radius);
    /// Returns whether the robot fits on the straight line: all cells on it are passable and cost at most
    /// `dear`, and every point of it keeps the minimum distance. In a passable cell only the center is known
    /// to keep it.
    bool straight(Vec2 from, Vec2 to, std::uint8_t dear = most) const;

private:
    void measure(const OccupancyGrid& grid);
    void forbid(const Zone& zone);
    void slow_down(const Zone& zone);
    /// Calls `act` with each cell of which the zone has a part.
    template <class Act>
    void for_cells_of(const Zone& zone, Act act) const;

    GridFrame frame_;
    CostSettings settings_;
    std::vector<std::uint16_t> distances_;  ///< to the nearest occupied cell, in tenths of a cell
    std::vector<std::uint8_t> costs_;
    std::vector<bool> forbidden_;  ///< by keep-out zones; empty: none
};

}  // namespace caribou::map
