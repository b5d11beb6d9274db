#include "map/stored_map.hpp"

#include <fstream>
#include <numbers>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <test_paths.hpp>
#include "base/random.hpp"

namespace caribou::map {
namespace {

using testing::HasSubstr;

std::string text_in_repository(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(tests::in_repository(path), std::ios::binary).rdbuf();
    return text.str();
}

std::string golden_text() { return text_in_repository("tests/golden/map/version_1.map"); }

Error map_error(std::string_view text) { return stored_map_from(text).error(); }

/// Returns the golden file with a part replaced.
std::string altered(std::string_view part, std::string_view by) {
    std::string text = golden_text();
    return text.replace(text.find(part), part.size(), by);
}

TEST(StoredMapFile, IsReadAndWrittenAsTheGoldenBytes) {
    const auto map = stored_map_from(golden_text());
    ASSERT_TRUE(map.has_value()) << map.error().message;
    EXPECT_EQ(map->grid.frame(), (GridFrame{{-1, 2.5}, 0.1, 4, 3}));
    EXPECT_EQ(map->grid.odds({0, 0}), 0);
    EXPECT_EQ(map->grid.odds({3, 0}), 96);
    EXPECT_EQ(map->grid.odds({0, 1}), -60);
    EXPECT_EQ(map->grid.odds({0, 2}), 24);
    EXPECT_EQ(map->grid.odds({3, 2}), -6);
    EXPECT_EQ(map->dock, (Pose{0.25, -1.5, 3.1416}));
    EXPECT_EQ(map->places, (std::vector<Place>{{"kitchen", {1.5, 2, -1.5708}}}));
    EXPECT_EQ(file_text_of(*map).value(), golden_text());
}

TEST(StoredMapFile, WithZonesIsOfVersion2) {
    const std::string golden = text_in_repository("tests/golden/map/version_2.map");
    auto map = stored_map_from(golden);
    ASSERT_TRUE(map.has_value()) << map.error().message;
    ASSERT_EQ(map->zones.size(), 2U);
    EXPECT_EQ(map->zones[0], (Zone{.name = "stairs", .corners = {{1, 2}, {2.5, 2}, {2.5, 3.25}}}));
    EXPECT_EQ(map->zones[1], (Zone{.name = "door",
                                   .kind = ZoneKind::speed,
                                   .speed = 0.15,
                                   .corners = {{-1, 0}, {0, 0}, {0, 1}, {-1, 1}}}));
    EXPECT_EQ(file_text_of(*map).value(), golden);
    EXPECT_EQ(map_version_in(golden), 2);
    // Without them, earlier programs can read it.
    map->zones.clear();
    EXPECT_EQ(file_text_of(*map).value(), golden_text());
    EXPECT_EQ(map_version_in(golden_text()), 1);
    EXPECT_EQ(map_version_in("{}"), std::nullopt);
}

TEST(StoredMapFile, HasGoodZonesOnly) {
    const std::string golden = text_in_repository("tests/golden/map/version_2.map");
    const auto error = [&](std::string_view part, std::string_view by) {
        std::string text = golden;
        return map_error(text.replace(text.find(part), part.size(), by)).message;
    };
    EXPECT_EQ(error("\"door\"", "\"stairs\""), "zones: `stairs` is there twice");
    EXPECT_EQ(error("[2.50,3.25]", "[2.504,2.001]"),
              "zones: `stairs`: the sides at corner 2 cover each other")
        << "after it was rounded, as it is written";
    EXPECT_EQ(error("0.15", "0"), "zones: `door`: expected a speed from 0.05 to 5 m/s, found 0");
    EXPECT_EQ(error("[0.00,1.00]", "[0.00,0.00]"), "zones: `door`: the sides at corner 2 cover each other");
    EXPECT_THAT(error("\"keep_out\"", "\"keep_in\""), HasSubstr("map.zones[0].kind"));
}

TEST(StoredMapFile, IsThatOfItsPage) {
    for (const std::string& text : {golden_text(), text_in_repository("tests/golden/map/version_2.map")})
        EXPECT_THAT(text_in_repository("docs/formats/map.md"), HasSubstr("```json\n" + text + "```\n"));
}

TEST(StoredMapFile, HasHeadingsOfOneTurn) {
    EXPECT_EQ(map_error(altered("3.1416", "1e300")).message,
              "dock: expected a heading from -2 pi to 2 pi, found 1e+300");
    EXPECT_EQ(map_error(altered("-1.5708", "-7")).message,
              "places: `kitchen`: expected a heading from -2 pi to 2 pi, found -7");
    EXPECT_TRUE(stored_map_from(altered("3.1416", "6.28")));
}

TEST(StoredMapFile, NeedsNeitherDockNorPlaces) {
    const auto map = stored_map_from(
        R"({"version": 1, "resolution": 0.1, "columns": 1, "rows": 1, "origin": {"x": 0, "y": 0},
            "runs": [96, 1], "something": "of a later program"})");
    ASSERT_TRUE(map.has_value()) << map.error().message;
    EXPECT_EQ(map->dock, std::nullopt);
    EXPECT_TRUE(map->places.empty());
}

RC_GTEST_PROP(StoredMapFile, ComesBackAsItWas, ()) {
    Random random(*rc::gen::arbitrary<std::uint64_t>());
    const GridFrame frame{{random.unit(), -random.unit()},
                          0.05,
                          1 + static_cast<std::int32_t>(random.below(40)),
                          1 + static_cast<std::int32_t>(random.below(40))};
    std::vector<std::int8_t> odds;
    for (std::size_t i = 0; i < frame.size(); ++i)
        odds.push_back(
            static_cast<std::int8_t>(random.between(OccupancyGrid::least_odds, OccupancyGrid::most_odds)));
    const auto text = file_text_of({.grid = OccupancyGrid(frame, odds)});
    const auto again = stored_map_from(*text);
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->grid.all_odds() == odds);
    RC_ASSERT(*file_text_of(*again) == *text);
}

TEST(StoredMapFile, OfAnotherVersionOrFormIsRefused) {
    EXPECT_EQ(map_error("").code, Code::malformed);
    EXPECT_EQ(map_error("[]").message, "`version` is missing");
    EXPECT_EQ(map_error(R"({"version": 3})").code, Code::refused);
    EXPECT_EQ(map_error(R"({"version": 3})").message, "its version is 3, this program reads up to 2");
    EXPECT_EQ(map_error(R"({"version": 0.5})").message, "there is no version 0.5");
    EXPECT_EQ(map_error(R"({"version": 1})").message, "`columns`, `rows` or `resolution` is missing");
    EXPECT_THAT(map_error(altered("\"columns\":4", "\"columns\":5000")).message, HasSubstr("map.columns"));
    EXPECT_EQ(map_error(altered("-6,3]", "-6,2]")).message, "runs: expected 12 cells, found 11");
    EXPECT_EQ(map_error(altered("-6,3]", "-6,4]")).message, "runs[11]: 4 cells do not fit");
    EXPECT_EQ(map_error(altered("-6,3]", "-6]")).message, "runs: the last value has no count");
    EXPECT_EQ(map_error(altered("-6,3]", "97,3]")).message,
              "runs[10]: expected a number from -60 to 96, found 97");
    EXPECT_EQ(map_error(altered("\"x\":-1.000", "\"x\":1e300")).message,
              "`origin` and `dock` have to be within 10000 m of 0, 0");
}

TEST(StoredMapFile, OfTooManyCellsIsRefused) {
    EXPECT_EQ(
        map_error(R"({"version": 1, "resolution": 0.1, "columns": 4000, "rows": 4000, "runs": []})").message,
        "limit max_cells reached: 16000000 of at most 4000000 cells");
    const OccupancyGrid huge({.columns = 4000, .rows = 1001});
    EXPECT_EQ(file_text_of({.grid = huge}).error().code, Code::limit_exceeded);
    std::vector<std::int8_t> noise(1000 * 1000);
    for (std::size_t i = 0; i < noise.size(); ++i) noise[i] = i % 2 == 0 ? 96 : -60;
    const StoredMap noisy{.grid = OccupancyGrid({.columns = 1000, .rows = 1000}, noise)};
    EXPECT_THAT(file_text_of(noisy).error().message, HasSubstr("limit max_runs reached"));
}

TEST(StoredMapFile, HasPlacesWithNamesOfTheirOwn) {
    EXPECT_EQ(map_error(altered("kitchen", "dock")).message,
              "places: `dock` is the name of the charger's place, which the robot finds itself");
    EXPECT_THAT(map_error(altered("kitchen", "a b")).message, HasSubstr("places: "));
    EXPECT_EQ(map_error(altered("}]}", R"(},{"name":"kitchen","x":0,"y":0,"heading":0}]})")).message,
              "places: `kitchen` is there twice");
    EXPECT_EQ(map_error(altered("\"x\":1.500", "\"x\":1e9")).message, "places: `kitchen` is not on the map");
}

}  // namespace
}  // namespace caribou::map
