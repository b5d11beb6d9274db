#include "world/camera_scene.hpp"

namespace caribou::world {
namespace {

using Scene = CameraScene;

void add_sides(std::vector<Scene::Face>& faces, const Area& area, double height, Scene::Surface surface) {
    const Vec2 size = area.high - area.low;
    faces.push_back({area.low, {size.x, 0}, height, surface});
    faces.push_back({area.low, {0, size.y}, height, surface});
    faces.push_back({area.high, {-size.x, 0}, height, surface});
    faces.push_back({area.high, {0, -size.y}, height, surface});
}

Scene::Pillar pillar_of(const Obstacle& obstacle, Vec2 at, std::size_t number) {
    const bool walks = !obstacle.walk.empty();
    const Scene::Shape shape = walks              ? Scene::Shape::person
                               : obstacle.movable ? Scene::Shape::ball
                                                  : Scene::Shape::pillar;
    return {.pose = pose_at(at, 0),
            .radius = obstacle.radius,
            .height = walks              ? Scene::person_height
                      : obstacle.movable ? 2 * obstacle.radius
                                         : Scene::pillar_height,
            .shape = shape,
            .number = number};
}

}  // namespace

CameraScene scene_of(const World& world, RobotId robot, std::span<const Pixel> lights) {
    const WorldPlan& plan = world.plan();
    const Pose& pose = world.pose(robot);
    Scene scene;
    scene.camera =
        pose_at(position(pose) + towards(pose.heading) * (world.model(robot).radius * 0.8), pose.heading);
    add_sides(scene.faces, {{0, 0}, plan.size}, Scene::wall_height, Scene::Surface::wall);
    for (const Wall& wall : plan.walls)
        scene.faces.push_back({wall.from, wall.to - wall.from, Scene::wall_height, Scene::Surface::wall});
    for (const Area& box : plan.boxes)
        add_sides(scene.faces, box, Scene::furniture_height, Scene::Surface::furniture);
    for (const Area& area : plan.unknown)
        add_sides(scene.faces, area, Scene::wall_height, Scene::Surface::curtain);
    for (std::size_t i = 0; i < plan.obstacles.size(); ++i)
        scene.pillars.push_back(pillar_of(plan.obstacles[i], world.obstacle_at(i), i));
    for (RobotId other = 0; other < world.robot_count(); ++other)
        if (other != robot)
            scene.pillars.push_back({.pose = world.pose(other),
                                     .radius = world.model(other).radius,
                                     .height = Scene::robot_height,
                                     .shape = Scene::Shape::robot,
                                     .number = other});
    for (CubeId cube = 0; cube < world.cube_count(); ++cube)
        if (!world.carrier_of(cube))
            scene.cubes.push_back({world.cube_at(cube), cube < lights.size() ? lights[cube] : Pixel{}});
    scene.holes = plan.cliffs;
    if (plan.charger && world.charger_present()) scene.chargers.push_back(plan.charger->pose);
    return scene;
}

}  // namespace caribou::world
