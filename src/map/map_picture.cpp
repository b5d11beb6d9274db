#include "map/map_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace caribou::map {
namespace {

constexpr Pixel unknown_color{178, 182, 190};
constexpr Pixel free_color{250, 249, 245};
constexpr Pixel occupied_color{40, 44, 52};
constexpr Pixel robot_color{200, 50, 60};
constexpr Pixel trail_color{90, 150, 220};

Vec2 high_of(const GridFrame& frame) {
    return frame.low + Vec2{frame.columns * frame.cell, frame.rows * frame.cell};
}

}  // namespace

Image picture(const OccupancyGrid& grid, const MapMarks& marks, double pixels_per_metre) {
    const GridFrame& frame = grid.frame();
    Canvas canvas(frame.low, high_of(frame), pixels_per_metre, unknown_color);
    const Vec2 half{frame.cell / 2, frame.cell / 2};
    for (std::size_t i = 0; i < frame.size(); ++i) {
        if (grid.at(i) == Occupancy::unknown) continue;
        const Vec2 middle = frame.middle(frame.cell_of(i));
        canvas.box(middle - half, middle + half, grid.at(i) == Occupancy::free ? free_color : occupied_color);
    }
    for (std::size_t i = 0; i + 1 < marks.trail.size(); ++i)
        canvas.line(marks.trail[i], marks.trail[i + 1], 0.03, trail_color);
    for (const Pose& robot : marks.robots) {
        canvas.disc(position(robot), 0.15, robot_color);
        canvas.line(position(robot), position(robot) + towards(robot.heading) * 0.12, 0.05, free_color);
    }
    return canvas.image();
}

std::string text_picture(const OccupancyGrid& grid, const MapMarks& marks, std::size_t columns) {
    const GridFrame& frame = grid.frame();
    const Vec2 size = high_of(frame) - frame.low;
    const double width = size.x / static_cast<double>(columns);
    const auto rows = static_cast<std::size_t>(std::max(1.0, std::round(size.y / (2 * width))));
    const double height = size.y / static_cast<double>(rows);
    // Of the cells behind a character the most important one is shown: occupied before free before unknown.
    const auto letter_in = [&](Vec2 low, Vec2 high) {
        for (const Pose& robot : marks.robots)
            if (robot.x >= low.x && robot.x < high.x && robot.y >= low.y && robot.y < high.y)
                return ">^<v"[static_cast<std::size_t>(std::lround(robot.heading / (std::numbers::pi / 2)) &
                                                       3)];
        char letter = ' ';
        const Cell first = frame.cell_at(low + Vec2{1e-9, 1e-9});
        const Cell last = frame.cell_at(high - Vec2{1e-9, 1e-9});
        for (std::int32_t row = first.row; row <= last.row; ++row)
            for (std::int32_t column = first.column; column <= last.column; ++column) {
                const Occupancy here = grid.at(Cell{column, row});
                if (here == Occupancy::occupied) return '#';
                if (here == Occupancy::free) letter = '.';
            }
        return letter;
    };
    std::string text;
    for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t column = 0; column < columns; ++column) {
            const Vec2 low =
                frame.low + Vec2{static_cast<double>(column) * width, static_cast<double>(row) * height};
            text += letter_in(low, low + Vec2{width, height});
        }
        text += '\n';
    }
    return text;
}

}  // namespace caribou::map
