#include "world/world_picture.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace caribou::world {
namespace {

constexpr Pixel floor_color{250, 249, 245};
constexpr Pixel wall_color{40, 44, 52};
constexpr Pixel box_color{150, 120, 90};
constexpr Pixel obstacle_color{110, 118, 130};
constexpr Pixel movable_color{222, 160, 60};
constexpr Pixel cliff_color{20, 60, 120};
constexpr Pixel unknown_color{205, 205, 212};
constexpr Pixel charger_color{60, 170, 90};
constexpr Pixel cube_color{30, 140, 220};
constexpr Pixel robot_color{200, 50, 60};
constexpr Pixel nose_color{255, 255, 255};

/// Returns the character for the object at the center of a cell.
char letter_at(const World& world, Vec2 at, Vec2 half) {
    const WorldPlan& plan = world.plan();
    const auto covers = [&](Vec2 thing, double radius) { return distance(thing, at) <= radius; };
    const auto in = [&](const std::vector<Area>& areas) {
        return std::ranges::any_of(areas, [&](const Area& area) { return area.contains(at); });
    };
    const auto holds = [&](Vec2 thing) {
        const Vec2 gap = thing - at;
        return gap.x >= -half.x && gap.x < half.x && gap.y >= -half.y && gap.y < half.y;
    };
    for (RobotId robot = 0; robot < world.robot_count(); ++robot)
        if (holds(position(world.pose(robot)))) {
            const double quarter = world.pose(robot).heading / (std::numbers::pi / 2);
            return ">^<v"[static_cast<std::size_t>(std::lround(quarter) & 3)];
        }
    for (CubeId cube = 0; cube < world.cube_count(); ++cube)
        if (holds(world.cube_at(cube))) return 'c';
    if (plan.charger && world.charger_present() && holds(position(plan.charger->pose))) return '+';
    for (std::size_t i = 0; i < plan.obstacles.size(); ++i)
        if (covers(world.obstacle_at(i), std::max(plan.obstacles[i].radius, half.x)))
            return plan.obstacles[i].movable ? 'o' : 'O';
    if (in(plan.boxes)) return '%';
    if (in(plan.cliffs)) return '~';
    if (in(plan.unknown)) return '?';
    return ' ';
}

bool wall_in(const World& world, Vec2 at, Vec2 half) {
    return std::ranges::any_of(world.terrain().sides(), [&](const Terrain::Side& side) {
        if (!side.solid) return false;
        // A wall on the rim is exactly half a cell away, up to rounding.
        constexpr double rounding = 1 + 1e-9;
        const Vec2 gap = nearest_on(side, at) - at;
        return std::abs(gap.x) <= half.x * rounding && std::abs(gap.y) <= half.y * rounding;
    });
}

}  // namespace

Image picture(const World& world, double pixels_per_metre) {
    constexpr double thick = 0.05;
    const WorldPlan& plan = world.plan();
    const Vec2 rim{thick, thick};
    Canvas canvas(Vec2{} - rim, plan.size + rim, pixels_per_metre, floor_color);
    for (const Area& area : plan.unknown) canvas.box(area.low, area.high, unknown_color);
    for (const Area& area : plan.cliffs) canvas.box(area.low, area.high, cliff_color);
    if (plan.charger && world.charger_present()) {
        const Vec2 at = position(plan.charger->pose);
        canvas.disc(at, 0.2, charger_color);
        canvas.line(at, at + towards(plan.charger->pose.heading) * 0.35, 0.05, charger_color);
    }
    for (const Area& area : plan.boxes) canvas.box(area.low, area.high, box_color);
    for (const Terrain::Side& side : world.terrain().sides())
        if (side.solid) canvas.line(side.from, side.from + side.along, thick, wall_color);
    for (std::size_t i = 0; i < plan.obstacles.size(); ++i)
        canvas.disc(world.obstacle_at(i), plan.obstacles[i].radius,
                    plan.obstacles[i].movable ? movable_color : obstacle_color);
    for (RobotId robot = 0; robot < world.robot_count(); ++robot) {
        const Vec2 at = position(world.pose(robot));
        const double radius = world.model(robot).radius;
        canvas.disc(at, radius, robot_color);
        canvas.line(at, at + towards(world.pose(robot).heading) * (radius * 0.8), 0.05, nose_color);
    }
    for (CubeId cube = 0; cube < world.cube_count(); ++cube) {
        const Vec2 half{0.05, 0.05};
        canvas.box(world.cube_at(cube) - half, world.cube_at(cube) + half, cube_color);
    }
    return canvas.image();
}

std::string text_picture(const World& world, std::size_t columns) {
    // Characters are about twice as high as wide.
    const Vec2 size = world.plan().size;
    const double width = size.x / static_cast<double>(columns);
    const auto rows = static_cast<std::size_t>(std::max(1.0, std::round(size.y / (2 * width))));
    const double height = size.y / static_cast<double>(rows);
    const Vec2 half{width / 2, height / 2};
    std::string text;
    for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t column = 0; column < columns; ++column) {
            const Vec2 at{(static_cast<double>(column) + 0.5) * width,
                          (static_cast<double>(row) + 0.5) * height};
            const char letter = letter_at(world, at, half);
            text += letter == ' ' && wall_in(world, at, half) ? '#' : letter;
        }
        text += '\n';
    }
    return text;
}

std::string legend() {
    return "# wall  % box  O obstacle  o movable  ~ cliff  ? unknown  + charger  c cube  > ^ < v robot\n";
}

}  // namespace caribou::world
