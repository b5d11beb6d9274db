#include "world/world_reader.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <test_paths.hpp>
#include "world/world.hpp"

namespace caribou::world {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

std::string faults_of(std::string text) {
    const auto plan = read_world({"room.toml", std::move(text)});
    return plan ? "none" : to_string(plan.error());
}

TEST(WorldReader, ReadsWhatAWorldConsistsOf) {
    const auto plan = read_world({"room.toml", R"(
name = "room"
seed = 5
size = [4, 3]
[noise]
lidar = 0.02
[charger]
at = [1, 1]
heading = 90
[[start]]
at = [2, 2]
[[wall]]
from = [0, 1]
to = [0.5, 1]
[[obstacle]]
at = [3, 1]
radius = 0.2
movable = true
[[cube]]
at = [3, 2]
[[fault]]
kind = "dead_sensor"
what = "range.front"
at = 2.5
until = 4
)"});
    ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
    EXPECT_EQ(plan->name, "room");
    EXPECT_EQ(plan->seed, 5U);
    EXPECT_EQ(plan->size, (Vec2{4, 3}));
    EXPECT_EQ(plan->noise.lidar, 0.02);
    EXPECT_EQ(plan->noise.range, Noise{}.range);
    EXPECT_NEAR(plan->charger->pose.heading, 1.5708, 1e-4);
    EXPECT_EQ(plan->starts, (std::vector<Pose>{{2, 2, 0}}));
    EXPECT_EQ(plan->walls, (std::vector<Wall>{{{0, 1}, {0.5, 1}}}));
    EXPECT_EQ(plan->obstacles, (std::vector<Obstacle>{{{3, 1}, 0.2, true}}));
    EXPECT_EQ(plan->cubes, (std::vector<CubePlace>{{"cube 1", {3, 2}}}));
    EXPECT_EQ(plan->faults,
              (std::vector<Fault>{
                  {.kind = FaultKind::dead_sensor, .at = 2500ms, .until = 4s, .what = "range.front"}}));
}

TEST(WorldReader, SaysAllThatIsWrongWithPlaceAndSuggestion) {
    EXPECT_EQ(faults_of("siez = [4, 3]\n"
                        "[[wall]]\n"
                        "form = [0, 0]\n"
                        "to = [1, \"a\"]\n"
                        "[[obstacle]]\n"
                        "at = [1, 1]\n"
                        "radius = -1\n"
                        "[[fault]]\n"
                        "kind = \"ded_sensor\"\n"
                        "at = 1\n"
                        "[[fault]]\n"
                        "kind = \"stuck_motor\"\n"
                        "what = \"lefd\"\n"
                        "at = 1\n"
                        "[start]\n"),
              "room.toml:1:1: a world has no `siez`; did you mean `size`?\n"
              "room.toml:1:1: `size` is missing\n"
              "room.toml:2:1: `from` is missing\n"
              "room.toml:3:1: a wall has no `form`; did you mean `from`?\n"
              "room.toml:4:6: `to` is a point such as [1.5, 2], in metres, none beyond 1000\n"
              "room.toml:7:10: `radius` lies between 0.01 and 10, and -1 does not\n"
              "room.toml:9:8: no fault is called `ded_sensor`; did you mean `dead_sensor`?\n"
              "room.toml:13:8: `lefd` is none of the things that can be `stuck_motor`; did you mean `left`?\n"
              "room.toml:15:1: expected `[[start]]`, one for each `start`\n");
}

TEST(WorldReader, RefusesWhatCannotStandWhereItIs) {
    const std::string room = "size = [4, 4]\n[[box]]\nfrom = [1, 1]\nto = [2, 2]\n";
    EXPECT_THAT(faults_of(room + "[[start]]\nat = [1.5, 1.5]\n"), HasSubstr("room.toml:5:1: no robot"));
    EXPECT_THAT(faults_of(room + "[[start]]\nat = [3, 3]\n[[start]]\nat = [3.1, 3]\n"),
                HasSubstr("another robot starts here"));
    EXPECT_THAT(faults_of(room + "[charger]\nat = [0.1, 3]\n"), HasSubstr("reach this charger"));
    EXPECT_THAT(faults_of(room + "[[cube]]\nat = [5, 3]\n"), HasSubstr("cube does not fit"));
    EXPECT_THAT(faults_of(room + "[[obstacle]]\nat = [5, 3]\n"), HasSubstr("on the floor"));
    EXPECT_THAT(faults_of("size = [0, 4]\n"), HasSubstr("between 1 and 200 metres"));
    EXPECT_THAT(faults_of("size = [4, 4"), HasSubstr("malformed TOML"));
    EXPECT_THAT(faults_of(""), HasSubstr("`size` is missing"));
}

TEST(WorldReader, ReadsBatteriesAndObstaclesThatWalk) {
    const std::string text =
        "size = [4, 4]\n[battery]\nminutes = 6\nlevel = 0.7\n"
        "[[obstacle]]\nat = [1, 1]\nwalk = [[3, 1], [3, 3]]\nspeed = 0.4\npause = 2\n";
    const auto plan = read_world({"room.toml", text});
    ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
    EXPECT_EQ(plan->battery, (BatteryPlan{6, 0.7}));
    EXPECT_EQ(plan->obstacles,
              (std::vector<Obstacle>{{.at = {1, 1}, .walk = {{3, 1}, {3, 3}}, .speed = 0.4, .pause = 2}}));
    EXPECT_EQ(read_world({"again.toml", world_text(*plan)}), *plan);
}

TEST(WorldReader, RefusesAWalkThatCannotBeWalked) {
    const std::string room =
        "size = [4, 4]\n[[box]]\nfrom = [1, 1]\nto = [2, 2]\n[[obstacle]]\nat = [0.5, 0.5]\n";
    EXPECT_EQ(faults_of(room + "walk = [[3, 0.5]]\n"), "none");
    EXPECT_THAT(faults_of(room + "walk = [[3, 3]]\n"), HasSubstr("room.toml:5:1: the walk leads through"));
    EXPECT_THAT(faults_of(room + "walk = [[5, 0.5]]\n"), HasSubstr("the walk leads through"));
    EXPECT_THAT(faults_of(room + "walk = [3, 3]\n"), HasSubstr("`walk` is a list of points"));
    EXPECT_THAT(faults_of(room + "speed = 1\n"), HasSubstr("`speed` belongs to a `walk`"));
    EXPECT_THAT(faults_of(room + "movable = true\nwalk = [[3, 0.5]]\n"), HasSubstr("either `movable`"));
}

TEST(WorldReader, ReadsAScriptOfFaultsAlone) {
    const auto faults = read_faults({"f.toml", "[[fault]]\nkind = \"low_battery\"\nvalue = 0.2\nat = 5\n"});
    ASSERT_TRUE(faults.has_value());
    EXPECT_EQ(faults->size(), 1U);
    EXPECT_THAT(to_string(read_faults({"f.toml", "[[fault]]\nkind = \"low_battery\"\nat = 5\n"}).error()),
                HasSubstr("`value` is missing"));
}

TEST(WorldReader, ReadsWhatWasWritten) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        WorldPlan plan = random_room(seed);
        plan.name = "a \"room\"\n";
        plan.noise.slip = 0.03;
        plan.cliffs = {{{9, 9}, {9.5, 9.5}}};
        plan.faults = {{.kind = FaultKind::lying_encoder, .at = 1500ms, .robot = 2, .what = "left"}};
        const auto again = read_world({"again.toml", world_text(plan)});
        ASSERT_TRUE(again.has_value()) << to_string(again.error()) << world_text(plan);
        EXPECT_EQ(*again, plan);
    }
}

TEST(WorldReader, EveryExampleCanBeBuilt) {
    const std::filesystem::path folder = tests::in_repository("examples/worlds");
    std::size_t worlds = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        const NamedText file{entry.path().filename().string(), text.str()};
        if (file.name == "faults.toml") {
            EXPECT_TRUE(read_faults(file).has_value());
            continue;
        }
        const auto plan = read_world(file);
        ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
        World world(*plan);
        EXPECT_TRUE(world.add_robot().has_value()) << file.name;
        EXPECT_TRUE(plan->charger.has_value());
        ++worlds;
    }
    EXPECT_GE(worlds, 4U);
}

}  // namespace
}  // namespace caribou::world
