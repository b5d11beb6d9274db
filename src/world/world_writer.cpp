#include <numbers>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "base/number_text.hpp"
#include "world/world_reader.hpp"

namespace caribou::world {
namespace {

std::string text_of(Vec2 at) { return fmt::format("[{}, {}]", number_text(at.x), number_text(at.y)); }

std::string text_of(const Pose& pose) {
    return fmt::format("at = {}\nheading = {}\n", text_of(position(pose)),
                       number_text(pose.heading * 180 / std::numbers::pi));
}

std::string text_of(const Area& area) {
    return fmt::format("from = {}\nto = {}\n", text_of(area.low), text_of(area.high));
}

std::string walk_text(const Obstacle& obstacle) {
    if (obstacle.walk.empty()) return {};
    std::string places;
    for (const Vec2 place : obstacle.walk) places.append(places.empty() ? "" : ", ").append(text_of(place));
    return fmt::format("walk = [{}]\nspeed = {}\npause = {}\n", places, number_text(obstacle.speed),
                       number_text(obstacle.pause));
}

std::string text_of(const Fault& fault) {
    std::string text = fmt::format("kind = \"{}\"\nat = {}\n", to_string(fault.kind), to_seconds(fault.at));
    if (fault.until) text += fmt::format("until = {}\n", to_seconds(*fault.until));
    if (fault.robot != 0) text += fmt::format("robot = {}\n", fault.robot);
    if (!fault.what.empty()) text += fmt::format("what = \"{}\"\n", fault.what);
    if (fault.value != 0 || fault.kind == FaultKind::lying_encoder || fault.kind == FaultKind::low_battery)
        text += fmt::format("value = {}\n", number_text(fault.value));
    return text;
}

}  // namespace

std::string world_text(const WorldPlan& plan) {
    std::string text = fmt::format("name = {}\nseed = {}\nsize = {}\n", json_quoted(plan.name), plan.seed,
                                   text_of(plan.size));
    const auto table = [&](std::string_view head, const std::string& body) {
        text += fmt::format("\n{}\n{}", head, body);
    };
    if (plan.noise != Noise{})
        table("[noise]", fmt::format("range = {}\nlidar = {}\nyaw_rate = {}\nacceleration = {}\nslip = {}\n",
                                     number_text(plan.noise.range), number_text(plan.noise.lidar),
                                     number_text(plan.noise.yaw_rate), number_text(plan.noise.acceleration),
                                     number_text(plan.noise.slip)));
    for (const Pose& start : plan.starts) table("[[start]]", text_of(start));
    if (plan.charger) table("[charger]", text_of(plan.charger->pose));
    if (plan.battery)
        table("[battery]", fmt::format("minutes = {}\nlevel = {}\n", number_text(plan.battery->minutes),
                                       number_text(plan.battery->level)));
    for (const CubePlace& cube : plan.cubes)
        table("[[cube]]", fmt::format("name = {}\nat = {}\n", json_quoted(cube.name), text_of(cube.at)));
    for (const Wall& wall : plan.walls)
        table("[[wall]]", fmt::format("from = {}\nto = {}\n", text_of(wall.from), text_of(wall.to)));
    for (const Area& box : plan.boxes) table("[[box]]", text_of(box));
    for (const Obstacle& obstacle : plan.obstacles)
        table("[[obstacle]]",
              fmt::format("at = {}\nradius = {}\n{}{}", text_of(obstacle.at), number_text(obstacle.radius),
                          obstacle.movable ? "movable = true\n" : "", walk_text(obstacle)));
    for (const Area& cliff : plan.cliffs) table("[[cliff]]", text_of(cliff));
    for (const Area& area : plan.unknown) table("[[unknown]]", text_of(area));
    for (const Fault& fault : plan.faults) table("[[fault]]", text_of(fault));
    return text;
}

}  // namespace caribou::world
