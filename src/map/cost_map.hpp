#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "map/grid.hpp"

namespace caribou::map {

struct CostSettings {
    double radius = 0.18;   ///< metres that the robot's middle keeps from what is occupied
    double comfort = 0.35;  ///< metres within which cells cost more
    bool unknown_passable = false;
};

/// Where a robot's middle may be, and how much it minds.
class CostMap {
public:
    static constexpr std::uint8_t blocked = 0;
    static constexpr std::uint8_t plain = 1;
    static constexpr std::uint8_t dearest = 4;  ///< a cell that just lets the robot pass

    CostMap(const OccupancyGrid& grid, CostSettings settings);

    const GridFrame& frame() const { return frame_; }
    const CostSettings& settings() const { return settings_; }
    /// How many times its length a cell costs; blocked, or outside, is 0.
    std::uint8_t cost(Cell cell) const {
        return frame_.contains(cell) ? costs_[frame_.index(cell)] : blocked;
    }
    std::uint8_t cost(std::size_t index) const { return costs_[index]; }
    bool passable(Cell cell) const { return cost(cell) != blocked; }
    /// Metres to the next occupied cell, from middle to middle, about; not more than `comfort` and a cell.
    double clearance(Cell cell) const;
    /// The passable cell nearest to a place, within some metres.
    std::optional<Cell> nearest_passable(Vec2 at, double within) const;
    /// Whether the straight way is passable and not dearer than `dear` anywhere.
    bool straight(Vec2 from, Vec2 to, std::uint8_t dear = dearest) const;

private:
    void measure(const OccupancyGrid& grid);

    GridFrame frame_;
    CostSettings settings_;
    std::vector<std::uint16_t> distances_;  ///< to what is occupied, in tenths of a cell
    std::vector<std::uint8_t> costs_;
};

}  // namespace caribou::map
