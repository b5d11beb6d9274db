#include "map/ros_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::map {
namespace {

using testing::HasSubstr;

constexpr std::string_view saved = R"(image: flat.pgm
mode: trinary
resolution: 0.050
origin: [-1.0, 2.5, 0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.25
)";

OccupancyGrid small_grid() {
    OccupancyGrid grid({{-1, 2.5}, 0.05, 3, 2});
    grid.set({0, 0}, Occupancy::free);
    grid.set({2, 0}, Occupancy::occupied);
    grid.set({1, 1}, Occupancy::occupied);
    return grid;
}

std::string yaml_error(std::string_view yaml) { return ros_map_info_from(yaml, "m.yaml").error().message; }

TEST(RosMap, HasTheTopRowFirst) {
    EXPECT_EQ(to_pgm(small_grid()), std::string("P5\n3 2\n255\n\xcd\x00\xcd\xfe\xcd\x00", 17));
}

TEST(RosMap, ComesBackAsItWas) {
    const RosMapInfo info{.image = "m.pgm", .resolution = 0.05, .low = {-1, 2.5}};
    const auto again = ros_map_info_from(to_string(info), "m.yaml");
    EXPECT_EQ(again, info);
    const auto grid = grid_from_pgm(to_pgm(small_grid()), *again, "m.pgm");
    ASSERT_TRUE(grid.has_value()) << grid.error().message;
    EXPECT_EQ(grid->frame(), small_grid().frame());
    EXPECT_EQ(grid->all_odds(), small_grid().all_odds());
}

TEST(RosMap, IsReadAsMapSaverWritesIt) {
    const auto info = ros_map_info_from(saved, "m.yaml");
    ASSERT_TRUE(info.has_value()) << info.error().message;
    EXPECT_EQ(*info,
              (RosMapInfo{.image = "flat.pgm", .resolution = 0.05, .low = {-1, 2.5}, .free_thresh = 0.25}));
    EXPECT_TRUE(ros_map_info_from("# a comment\n---\nimage: \"a b.pgm\"  # here\nresolution: 1e-1\n"
                                  "origin: [0, 0, 0.000000]\nnegate: 1\n",
                                  "m.yaml")
                    ->negate);
}

TEST(RosMap, OfTextAndOfInvertedPixelsIsRead) {
    const auto grid = grid_from_pgm(
        "P2 # text\n3 1\n# more\n100\n0 50 100\n",
        {.image = "m.pgm", .negate = true, .occupied_thresh = 0.65, .free_thresh = 0.2}, "m.pgm");
    ASSERT_TRUE(grid.has_value()) << grid.error().message;
    EXPECT_EQ(grid->at({0, 0}), Occupancy::free);
    EXPECT_EQ(grid->at({1, 0}), Occupancy::unknown);
    EXPECT_EQ(grid->at({2, 0}), Occupancy::occupied);
}

TEST(RosMap, ThatIsWrongIsRefusedWithTheLine) {
    EXPECT_EQ(yaml_error(""), "m.yaml:1: error: `image` is missing");
    EXPECT_EQ(yaml_error("image a"), "m.yaml:1: error: expected `KEY: VALUE`");
    EXPECT_EQ(yaml_error("\nimagge: a"), "m.yaml:2: error: there is no key `imagge`; did you mean `image`?");
    EXPECT_EQ(yaml_error("resolution: 0"),
              "m.yaml:1: error: resolution: expected a number from 0.01 to 1, found `0`");
    for (const char* const origin : {"[0, 0, 1.57]", "[0, 0]", "0, 0, 0", "[0, 0, 0, 0]", "[a, 0, 0]"})
        EXPECT_THAT(yaml_error(std::string("origin: ") + origin), HasSubstr("expected [X, Y, 0] in meters"));
    for (const char* const image : {"", "\"\"", "\" a\"", "a#b", "'a\"b'"})
        EXPECT_THAT(yaml_error(std::string("image: ") + image), HasSubstr("expected the name of a file"));
    EXPECT_EQ(yaml_error("mode: scale"), "m.yaml:1: error: mode: only `trinary` is supported, found `scale`");
    EXPECT_EQ(yaml_error("negate: 2"), "m.yaml:1: error: negate: expected 0 or 1, found `2`");
    EXPECT_EQ(yaml_error("image: a\nresolution: 1\norigin: [0,0,0]\nfree_thresh: 0.9"),
              "m.yaml:1: error: free_thresh is above occupied_thresh");
}

TEST(RosMap, WithAWrongImageIsRefused) {
    const auto error = [](std::string_view pgm) { return grid_from_pgm(pgm, {}, "m.pgm").error().message; };
    EXPECT_EQ(error("\x89PNG"), "m.pgm: error: it is not a PGM image, which begins with P5 or P2");
    EXPECT_THAT(error("P5\n0 2\n255\n"), HasSubstr("expected width and height from 1 to 4000"));
    EXPECT_EQ(error("P5\n2 2\n255\nabc"), "m.pgm: error: expected 4 pixels, found 3");
    EXPECT_EQ(error("P2\n2 1\n255\n12 300"), "m.pgm: error: expected a number from 0 to 255 for each pixel");
    EXPECT_EQ(error("P5\n4000 4000\n255\n"),
              "m.pgm: error: limit max_cells reached: 16000000 of at most 4000000 cells");
}

}  // namespace
}  // namespace caribou::map
