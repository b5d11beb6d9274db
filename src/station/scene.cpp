#include "station/scene.hpp"

#include <string>
#include <utility>
#include <vector>

#include "base/geometry.hpp"
#include "station/foxglove_messages.hpp"

namespace caribou::station {
namespace {

using data::FoxgloveColor;
using data::FoxgloveSceneEntity;

constexpr FoxgloveColor robot_color{.r = 0.15, .g = 0.45, .b = 0.85};
constexpr FoxgloveColor ahead_color{.r = 1, .g = 1, .b = 1};
constexpr FoxgloveColor dock_color{.r = 0.15, .g = 0.6, .b = 0.3};
constexpr FoxgloveColor cube_color{.r = 0.9, .g = 0.55, .b = 0.1};
constexpr FoxgloveColor path_color{.r = 0.15, .g = 0.45, .b = 0.85};
constexpr FoxgloveColor route_color{.r = 0.6, .g = 0.25, .b = 0.75};
constexpr FoxgloveColor label_color{.r = 0.5, .g = 0.5, .b = 0.5};

// Sizes in meters; the station does not know those of a robot's body.
constexpr double robot_diameter = 0.3;
constexpr double robot_height = 0.12;
constexpr double arrow_length = 0.24;
constexpr double dock_width = 0.3;
constexpr double dock_depth = 0.08;
constexpr double dock_height = 0.1;
constexpr double cube_size = 0.05;
constexpr double label_height = 0.25;
constexpr double line_width = 0.03;
constexpr double point_size = 0.12;

data::FoxglovePose raised(data::FoxglovePose pose, double height) {
    pose.position.z = height;
    return pose;
}

data::FoxglovePose at(Vec2 place, double height) {
    return raised(foxglove_pose({place.x, place.y, 0}), height);
}

FoxgloveSceneEntity entity(std::string frame, std::string id) {
    FoxgloveSceneEntity made;
    made.frame_id = std::move(frame);
    made.id = std::move(id);
    return made;
}

data::FoxgloveText label(std::string text, data::FoxglovePose pose) {
    constexpr double pixels = 12;
    return {.pose = std::move(pose),
            .billboard = true,
            .font_size = pixels,
            .scale_invariant = true,
            .color = label_color,
            .text = std::move(text)};
}

data::FoxgloveLine line(const std::vector<Vec2>& points, const FoxgloveColor& color) {
    data::FoxgloveLine made{.thickness = line_width, .color = color};
    for (const Vec2 point : points) made.points.push_back(at(point, line_width).position);
    return made;
}

data::FoxgloveSolid ball(Vec2 place, const FoxgloveColor& color) {
    return {.pose = at(place, line_width), .size = {point_size, point_size, line_width}, .color = color};
}

FoxgloveSceneEntity robot_entity(const std::string& robot) {
    FoxgloveSceneEntity made = entity(robot, "robot");
    made.cylinders = {{.pose = at({}, robot_height / 2),
                       .size = {robot_diameter, robot_diameter, robot_height},
                       .color = robot_color}};
    made.arrows = {{.pose = at({}, robot_height),
                    .shaft_length = arrow_length / 2,
                    .shaft_diameter = arrow_length / 6,
                    .head_length = arrow_length / 2,
                    .head_diameter = arrow_length / 3,
                    .color = ahead_color}};
    made.texts = {label(robot, at({}, label_height))};
    return made;
}

FoxgloveSceneEntity dock_entity(const std::string& map, const Pose& dock) {
    FoxgloveSceneEntity made = entity(map, "dock");
    made.cubes = {{.pose = raised(foxglove_pose(dock), dock_height / 2),
                   .size = {dock_depth, dock_width, dock_height},
                   .color = dock_color}};
    made.texts = {label("dock", at(position(dock), label_height))};
    return made;
}

FoxgloveSceneEntity cube_entity(const std::string& map, const data::CubePlace& cube) {
    FoxgloveSceneEntity made = entity(map, cube.id);
    made.cubes = {{.pose = at({cube.x, cube.y}, cube_size / 2),
                   .size = {cube_size, cube_size, cube_size},
                   .color = cube_color}};
    made.texts = {label(cube.name.empty() ? cube.id : cube.name, at({cube.x, cube.y}, label_height))};
    return made;
}

}  // namespace

data::FoxgloveSceneUpdate scene_of(std::string_view robot, const SceneParts& parts) {
    constexpr std::uint8_t all = 1;  // foxglove.SceneEntityDeletionType
    const std::string name(robot);
    const std::string map = map_frame(robot);
    data::FoxgloveSceneUpdate scene{.deletions = {{.type = all}}, .entities = {robot_entity(name)}};
    if (parts.places) {
        if (parts.places->dock) scene.entities.push_back(dock_entity(map, *parts.places->dock));
        for (const data::CubePlace& cube : parts.places->cubes)
            scene.entities.push_back(cube_entity(map, cube));
    }
    if (parts.plan && !parts.plan->path.empty()) {
        FoxgloveSceneEntity path = entity(map, "path");
        path.lines = {line(parts.plan->path, path_color)};
        if (const auto& goal = parts.plan->goal) path.spheres = {ball({goal->x, goal->y}, path_color)};
        scene.entities.push_back(std::move(path));
    }
    if (parts.route && !parts.route->points.empty()) {
        FoxgloveSceneEntity route = entity(map, "route");
        if (!parts.route->path.empty()) route.lines = {line(parts.route->path, route_color)};
        for (const Vec2 point : parts.route->points) route.spheres.push_back(ball(point, route_color));
        scene.entities.push_back(std::move(route));
    }
    return scene;
}

void set_time(data::FoxgloveSceneUpdate& scene, double at) {
    for (auto& deletion : scene.deletions) deletion.timestamp = foxglove_time(at);
    for (auto& entity : scene.entities) entity.timestamp = foxglove_time(at);
}

}  // namespace caribou::station
