#include "robot/cube_places.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/virtual_loop.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class CubePlacesTest : public testing::Test {
protected:
    VirtualLoop loop;
    cubes::SimulatedRadio radio{loop};
    std::vector<CubeAway> around{{"red cube", 3}, {"blue cube", 1}};
    std::vector<std::size_t> brought;
    CubePlaces places{loop, radio, [this] { return around; },
                      [this](std::size_t cube) {
                          brought.push_back(cube);
                          return Result<void>();
                      }};
};

TEST_F(CubePlacesTest, TouchesTheCubeOfThatNameOrTheNearest) {
    EXPECT_EQ(places.run("tap").value(), "blue cube: tapped");
    EXPECT_EQ(places.run("tap red cube").value(), "red cube: tapped");
    EXPECT_EQ(places.run("shake c0:be:00:00:00:01").value(), "red cube: shaken");
    EXPECT_EQ(places.run("turn x_up red cube").value(), "red cube: turned");
    EXPECT_EQ(places.run("bring").value(), "blue cube is in front of the robot");
    EXPECT_THAT(brought, testing::ElementsAre(1));
}

TEST_F(CubePlacesTest, RefusesUnknownCubesAndAxesWithASuggestion) {
    EXPECT_THAT(places.run("tap red cub").error().message, HasSubstr("did you mean `red cube`?"));
    EXPECT_THAT(places.run("turn x_upp").error().message, HasSubstr("did you mean `x_up`?"));
    around.clear();
    CubePlaces none(loop, radio, [] { return std::vector<CubeAway>(); });
    EXPECT_EQ(none.run("tap").error().code, Code::unavailable);
}

TEST_F(CubePlacesTest, KnowsItsCommandsOnly) {
    EXPECT_TRUE(CubePlaces::knows("tap"));
    EXPECT_TRUE(CubePlaces::knows("turn z_up blue cube"));
    EXPECT_FALSE(CubePlaces::knows("status"));
    EXPECT_FALSE(CubePlaces::knows("tapp"));
}

TEST(BringCube, PutsItInFrontOfTheRobotUnlessSomethingIsThere) {
    world::WorldPlan plan{.cubes = {{.name = "cube", .at = {2, 2}}}, .starts = {{5, 5, 0}, {5.4, 5, 0}}};
    world::World world(plan);
    const auto robot = world.add_robot().value();
    ASSERT_TRUE(bring_cube(world, robot, 0));
    EXPECT_NEAR(world.cube_at(0).x, 5.4, 1e-9);
    EXPECT_NEAR(world.cube_at(0).y, 5, 1e-9);
    ASSERT_TRUE(world.move_cube(0, {2, 2}));
    ASSERT_TRUE(world.add_robot());
    ASSERT_TRUE(bring_cube(world, robot, 0));
    EXPECT_GT(std::abs(world.cube_at(0).y - 5), 0.1) << "beside the other robot";
}

}  // namespace
}  // namespace caribou::robot
