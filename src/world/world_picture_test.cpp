#include "world/world_picture.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace caribou::world {
namespace {

WorldPlan small_room() {
    WorldPlan plan;
    plan.size = {4, 2};
    plan.walls = {{{2, 0}, {2, 1}}};
    plan.boxes = {{{3, 0}, {4, 0.5}}};
    plan.obstacles = {{{1, 1.5}, 0.2, true}};
    plan.cubes = {{"c", {3.3, 1.5}}};
    plan.charger = Charger{{0.5, 0.7, 0}};
    return plan;
}

TEST(WorldPicture, ShowsATerminalWhatThereIs) {
    World world(small_room());
    ASSERT_TRUE(world.add_robot({}, Pose{1.2, 0.6, 1.6}).has_value());
    EXPECT_EQ(text_picture(world, 32),
              "################################\n"
              "#      oo                 c    #\n"
              "#      oo                      #\n"
              "#              ##              #\n"
              "#              ##              #\n"
              "#   +    ^     ##      #########\n"
              "#              ##      #%%%%%%%%\n"
              "########################%%%%%%%%\n");
}

TEST(WorldPicture, DrawsAllFourOuterWallsOfAnySize) {
    for (const double width : {3.1, 5.7, 6.0, 8.3, 9.9}) {
        WorldPlan plan;
        plan.size = {width, 4.1};
        const std::string text = text_picture(World(plan), 80);
        const std::string first = text.substr(0, 80);
        const std::string second = text.substr(81, 80);
        EXPECT_EQ(first, std::string(80, '#')) << width;
        EXPECT_EQ(second, "#" + std::string(78, ' ') + "#") << width;
    }
}

TEST(WorldPicture, DrawsEverythingInItsColour) {
    World world(small_room());
    ASSERT_TRUE(world.add_robot({}, Pose{1.2, 0.6, 0}).has_value());
    const Image image = picture(world, 50);
    EXPECT_EQ(image.width, 205U);
    EXPECT_EQ(image.height, 105U);
    std::vector<Pixel> colors = image.pixels;
    const auto less = [](Pixel a, Pixel b) {
        return std::tie(a.red, a.green, a.blue) < std::tie(b.red, b.green, b.blue);
    };
    std::ranges::sort(colors, less);
    colors.erase(std::unique(colors.begin(), colors.end()), colors.end());
    EXPECT_EQ(colors.size(), 8U) << "floor, wall, box, movable, charger, cube, robot and its nose";
}

}  // namespace
}  // namespace caribou::world
