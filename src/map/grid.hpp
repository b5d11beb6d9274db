#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/geometry.hpp"

/// What a robot knows of the floor it drives on, and how to get about on it.
namespace caribou::map {

struct Cell {
    std::int32_t column = 0;
    std::int32_t row = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};

/// Where a grid lies and how fine it is. Does not grow: what lies outside is not kept.
struct GridFrame {
    Vec2 low{};  ///< the outer corner of cell (0, 0)
    double cell = 0.05;
    std::int32_t columns = 200;
    std::int32_t rows = 200;

    /// As large as needed for an area, and no larger than `max_cells`.
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
        // Short numbers divide much faster than long ones, and no grid needs more.
        const auto number = static_cast<std::uint32_t>(index);
        const auto width = static_cast<std::uint32_t>(columns);
        return {static_cast<std::int32_t>(number % width), static_cast<std::int32_t>(number / width)};
    }
    friend bool operator==(const GridFrame&, const GridFrame&) = default;
};

enum class Occupancy : std::uint8_t { unknown, free, occupied };

/// Distances all around a pose. Those that are not finite tell nothing.
struct ScanView {
    Pose from;
    double first_angle = 0;  ///< of the first, from the pose's heading
    double angle_step = 0;   ///< to the next, counterclockwise
    std::span<const float> ranges{};
};

/// An occupancy grid: how likely it is that something stands in a cell, as log-odds that scans add to.
class OccupancyGrid {
public:
    explicit OccupancyGrid(GridFrame frame);

    const GridFrame& frame() const { return frame_; }
    Occupancy at(Cell cell) const {
        return frame_.contains(cell) ? at(frame_.index(cell)) : Occupancy::unknown;
    }
    Occupancy at(std::size_t index) const {
        const std::int8_t odds = odds_[index];
        return odds == 0 ? Occupancy::unknown : odds < 0 ? Occupancy::free : Occupancy::occupied;
    }
    /// -100 surely free, 0 not known, 100 surely occupied.
    std::int8_t odds(Cell cell) const {
        return frame_.contains(cell) ? odds_[frame_.index(cell)] : std::int8_t{0};
    }
    void set(Cell cell, Occupancy occupancy);

    /// A cell counts once a scan, and as occupied if any beam ends in it.
    void add(const ScanView& scan);
    /// What a robot stands on is free.
    void add_disc(Vec2 at, double radius);

    std::size_t count(Occupancy occupancy) const;
    /// Changes whenever some cell becomes unknown, free or occupied that was not. How likely that is may
    /// change without it.
    std::uint64_t version() const { return version_; }

private:
    void hit(Cell cell);
    void miss(Cell cell);
    void put(std::size_t index, int odds);
    void clear_way(Vec2 from, Vec2 to);

    GridFrame frame_;
    std::vector<std::int8_t> odds_;
    std::vector<std::uint16_t> touched_;  ///< by which scan
    std::uint16_t scan_ = 0;
    std::uint64_t version_ = 0;
};

}  // namespace caribou::map
