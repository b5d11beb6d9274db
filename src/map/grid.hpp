#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/geometry.hpp"

/// Mapping and path planning: the robot's knowledge of the floor, and paths on it.
namespace caribou::map {

struct Cell {
    std::int32_t column = 0;
    std::int32_t row = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Position, resolution and size of a grid. The size is fixed: data outside is discarded.
struct GridFrame {
    Vec2 low{};  ///< the outer corner of cell (0, 0), in meters
    double cell = 0.05;
    std::int32_t columns = 200;
    std::int32_t rows = 200;

    /// Returns a frame that covers the area, limited to 4,000 by 4,000 cells (max_cells).
    static GridFrame around(Vec2 low, Vec2 high, double cell);
    static constexpr std::int32_t max_cells = 16'000'000;

    std::size_t size() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
    bool contains(Cell at) const {
        return at.column >= 0 && at.row >= 0 && at.column < columns && at.row < rows;
    }
    Cell cell_at(Vec2 at) const;
    Vec2 middle(Cell at) const { return {low.x + (at.column + 0.5) * cell, low.y + (at.row + 0.5) * cell}; }
    std::size_t index(Cell at) const {
        return static_cast<std::size_t>(at.row) * static_cast<std::size_t>(columns) +
               static_cast<std::size_t>(at.column);
    }
    Cell cell_of(std::size_t index) const {
        // 32-bit division is much faster than 64-bit division, and no grid has that many cells.
        const auto number = static_cast<std::uint32_t>(index);
        const auto width = static_cast<std::uint32_t>(columns);
        return {static_cast<std::int32_t>(number % width), static_cast<std::int32_t>(number / width)};
    }
    friend bool operator==(const GridFrame&, const GridFrame&) = default;
};

enum class Occupancy : std::uint8_t { unknown, free, occupied };

/// A lidar scan taken at a pose. Ranges that are not finite carry no information.
struct ScanView {
    Pose from;
    double first_angle = 0;  ///< of the first beam, relative to the heading
    double angle_step = 0;   ///< between beams, counterclockwise
    std::span<const float> ranges{};
};

/// An occupancy grid: for every cell the log-odds that it is occupied, which scans update.
class OccupancyGrid {
public:
    static constexpr int least_odds = -60;
    static constexpr int most_odds = 96;

    explicit OccupancyGrid(GridFrame frame);
    /// `odds` has one value per cell, row by row, from least_odds to most_odds.
    OccupancyGrid(GridFrame frame, std::vector<std::int8_t> odds);

    const GridFrame& frame() const { return frame_; }
    Occupancy at(Cell cell) const {
        return frame_.contains(cell) ? at(frame_.index(cell)) : Occupancy::unknown;
    }
    Occupancy at(std::size_t index) const {
        const std::int8_t odds = odds_[index];
        return odds == 0 ? Occupancy::unknown : odds < 0 ? Occupancy::free : Occupancy::occupied;
    }
    /// Returns the log-odds of a cell: negative if free (at least least_odds), 0 if unknown, positive if
    /// occupied (at most most_odds).
    std::int8_t odds(Cell cell) const {
        return frame_.contains(cell) ? odds_[frame_.index(cell)] : std::int8_t{0};
    }
    const std::vector<std::int8_t>& all_odds() const { return odds_; }
    void set(Cell cell, Occupancy occupancy);
    /// Becomes another grid, as a newer version of this one.
    void replace(OccupancyGrid by);

    /// Adds a scan. Each cell is updated at most once per scan: as occupied if any beam ends in it, otherwise
    /// as free.
    void add(const ScanView& scan);
    /// Marks a disc as free, such as the area that the robot covers.
    void add_disc(Vec2 at, double radius);

    std::size_t count(Occupancy occupancy) const;
    /// Increases whenever a cell changes between unknown, free and occupied. Changes of the log-odds alone do
    /// not change it.
    std::uint64_t version() const { return version_; }

private:
    void hit(Cell cell);
    void miss(Cell cell);
    void put(std::size_t index, int odds);
    void clear_way(Vec2 from, Vec2 to);

    GridFrame frame_;
    std::vector<std::int8_t> odds_;
    std::vector<std::uint16_t> touched_;  ///< number of the scan that last updated each cell
    std::uint16_t scan_ = 0;
    std::uint64_t version_ = 0;
};

}  // namespace caribou::map
