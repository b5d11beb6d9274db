#include "world/camera_view.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>

#include <gtest/gtest.h>

namespace caribou::world {
namespace {

constexpr std::size_t middle = 160;

WorldPlan empty_room() {
    WorldPlan plan;
    plan.size = {6, 4};
    return plan;
}

/// A robot whose camera is at (2, 2) and looks along the x axis.
Pose looking_right() { return {2 - RobotModel{}.radius * 0.8, 2, 0}; }

struct Seen {
    World world;
    RobotId robot;

    explicit Seen(const WorldPlan& plan) : world(plan), robot(*world.add_robot({}, looking_right())) {}
    Image image(std::span<const Pixel> lights = {}) { return camera_view(scene_of(world, robot, lights)); }
};

bool is_sky(Pixel pixel) { return pixel.blue > pixel.red + 8; }
bool is_red(Pixel pixel) { return pixel.red > 150 && pixel.green < 110 && pixel.blue < 110; }

std::size_t count_if(const Image& image, bool (*condition)(Pixel)) {
    std::size_t count = 0;
    for (const Pixel pixel : image.pixels)
        if (condition(pixel)) ++count;
    return count;
}

std::size_t different_pixels(const Image& one, const Image& other) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < one.pixels.size(); ++i)
        if (one.pixels[i] != other.pixels[i]) ++count;
    return count;
}

TEST(CameraView, DrawsAWallAtTheHeightThatTheGeometryGives) {
    // Without haze the wall is the only thing in the column: everything between sky and floor.
    for (const double distance : {1.0, 2.0, 3.0}) {
        CameraScene scene;
        scene.camera = {0, 0, 0};
        scene.faces = {{{distance, -5}, {0, 10}, CameraScene::wall_height}};
        const CameraLens lens;
        const Image with = camera_view(scene, lens);
        scene.faces.clear();
        const Image without = camera_view(scene, lens);
        std::size_t first = lens.height;
        std::size_t last = 0;
        for (std::size_t row = 0; row < lens.height; ++row)
            if (with.at(middle, row) != without.at(middle, row)) {
                first = std::min(first, row);
                last = row;
            }
        const double top =
            lens.horizon_row() - (CameraScene::wall_height - scene.height) * lens.focal() / distance;
        const double bottom = lens.horizon_row() + scene.height * lens.focal() / distance;
        EXPECT_NEAR(static_cast<double>(first), std::max(0.0, top), 1.5) << distance;
        EXPECT_NEAR(static_cast<double>(last), bottom, 1.5) << distance;
    }
}

TEST(CameraView, DrawsTheSameSceneAlwaysAlike) {
    Seen seen(random_room(5));
    EXPECT_EQ(seen.image().pixels, seen.image().pixels);
}

TEST(CameraView, ShowsTheLightOfACubeInItsColor) {
    WorldPlan plan = empty_room();
    plan.cubes = {{"c", {2.5, 2}}};
    Seen seen(plan);
    const CameraLens lens;
    const auto row = static_cast<std::size_t>(lens.horizon_row() + 0.12 * lens.focal() / 0.5);
    const Pixel red{255, 20, 10};
    EXPECT_TRUE(is_red(seen.image({&red, 1}).at(middle, row)));
    const Pixel off = seen.image().at(middle, row);
    EXPECT_LT(std::abs(off.red - off.green), 40) << "a cube that is off is gray";
    EXPECT_LT(off.red, 120);
}

TEST(CameraView, ShowsNothingOfACubeBehindAWall) {
    WorldPlan plan = empty_room();
    plan.cubes = {{"c", {4, 2}}};
    const Pixel red{255, 0, 0};
    EXPECT_GT(count_if(Seen(plan).image({&red, 1}), is_red), 0U);
    plan.walls = {{{3, 0}, {3, 4}}};
    EXPECT_EQ(count_if(Seen(plan).image({&red, 1}), is_red), 0U);
}

TEST(CameraView, ShowsOtherRobotsUnlessAWallHidesThem) {
    const auto pixels_of_a_robot = [](const WorldPlan& plan) {
        Seen seen(plan);
        const Image without = seen.image();
        EXPECT_TRUE(seen.world.add_robot({}, Pose{4, 2, std::numbers::pi}).has_value());
        return different_pixels(seen.image(), without);
    };
    WorldPlan plan = empty_room();
    EXPECT_GT(pixels_of_a_robot(plan), 300U);
    plan.walls = {{{3, 0}, {3, 4}}};
    EXPECT_EQ(pixels_of_a_robot(plan), 0U);
}

TEST(CameraView, LooksSmallerFromFartherAway) {
    const auto width_at = [](double distance) {
        WorldPlan plan = empty_room();
        Seen seen(plan);
        const Image without = seen.image();
        EXPECT_TRUE(seen.world.add_robot({}, Pose{2 + distance, 2, 0}).has_value());
        const Image with = seen.image();
        std::size_t columns = 0;
        for (std::size_t column = 0; column < with.width; ++column) {
            bool differs = false;
            for (std::size_t row = 0; row < with.height; ++row)
                differs = differs || with.at(column, row) != without.at(column, row);
            if (differs) ++columns;
        }
        return static_cast<double>(columns);
    };
    const double near = width_at(1);
    EXPECT_NEAR(near, 0.3 * CameraLens{}.focal(), 4);
    EXPECT_NEAR(near / width_at(3), 3, 0.4);
}

TEST(CameraView, ShowsPeopleAboveWalls) {
    WorldPlan plan = empty_room();
    plan.walls = {{{4, 0}, {4, 4}}};
    const Image without = Seen(plan).image();
    plan.obstacles = {{.at = {5, 2}, .radius = 0.2, .walk = {{5, 3}}}};
    const Image with = Seen(plan).image();
    std::size_t above = 0;
    for (std::size_t row = 0; row < with.height; ++row)
        if (with.at(middle, row) != without.at(middle, row)) {
            ++above;
            EXPECT_TRUE(is_sky(without.at(middle, row))) << "row " << row;
        }
    EXPECT_GT(above, 5U);
}

TEST(CameraView, TurnsWithTheRobot) {
    WorldPlan plan = random_room(3);
    World world(plan);
    const RobotId robot = *world.add_robot();
    CameraScene scene = scene_of(world, robot);
    const Image before = camera_view(scene);
    scene.camera.heading += 0.1;
    EXPECT_GT(different_pixels(before, camera_view(scene)), before.pixels.size() / 10);
}

TEST(CameraView, HasTheSizeOfTheLens) {
    Seen seen(empty_room());
    const Image small = camera_view(scene_of(seen.world, seen.robot), {.width = 64, .height = 48});
    EXPECT_EQ(small.width, 64U);
    EXPECT_EQ(small.height, 48U);
    EXPECT_EQ(small.pixels.size(), 64U * 48U);
}

TEST(CameraScene, LeavesOutTheOwnBodyAndCarriedCubes) {
    WorldPlan plan = empty_room();
    plan.cubes = {{"c", {4, 2}}};
    Seen seen(plan);
    EXPECT_TRUE(scene_of(seen.world, seen.robot).pillars.empty());
    EXPECT_EQ(scene_of(seen.world, seen.robot).cubes.size(), 1U);
    seen.world.carry_cube(0, seen.robot);
    EXPECT_TRUE(scene_of(seen.world, seen.robot).cubes.empty());
}

}  // namespace
}  // namespace caribou::world
