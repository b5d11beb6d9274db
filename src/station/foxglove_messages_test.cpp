#include "station/foxglove_messages.hpp"

#include <limits>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_node.hpp"
#include "station/scene.hpp"

namespace caribou::station {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Returns the value as a reader of its JSON gets it.
template <class T>
T reread(const T& value) {
    return data::from_json<T>(read_json(to_json(value)).value(), "x").value();
}

data::Scan some_scan() {
    return {.at = 1767225600.123,
            .pose = {1.25, -2.5, 3.1416},
            .ages = {{"lidar", 0.05}},
            .encoding = "delta",
            .bytes_per_second = 2555};
}

TEST(FoxgloveMessages, KeepAHeadingToItsLastDigit) {
    for (int i = -31416; i <= 31416; i += 7) {
        const Pose pose{0.125, 7, i / 1e4};
        const Pose again = pose_of(reread(foxglove_pose(pose)));
        EXPECT_EQ(to_json(data::Places{.dock = again}), to_json(data::Places{.dock = pose}));
    }
}

TEST(FoxgloveMessages, JoinTheFramesOfAFleet) {
    const auto map = reread(map_transform_message("rover", 5));
    EXPECT_EQ(map.parent_frame_id, "world");
    EXPECT_EQ(map.child_frame_id, "rover/map");
    EXPECT_EQ(pose_of({map.translation, map.rotation}), Pose{});
    const Pose odom{0.25, -1, 0.5};
    const auto drift = reread(odom_transform_message(odom, "rover", 5));
    EXPECT_EQ(drift.parent_frame_id, "rover/map");
    EXPECT_EQ(drift.child_frame_id, "rover/odom");
    EXPECT_EQ(drift.translation.x, 0.25);
    EXPECT_EQ(to_json(data::Places{.dock = pose_of({drift.translation, drift.rotation})}),
              to_json(data::Places{.dock = odom}));
}

TEST(FoxgloveMessages, KeepAWholeScan) {
    constexpr float none = std::numeric_limits<float>::infinity();
    wire::Scan whole{.first_angle = -0.5F, .angle_step = 0.0349066F, .ranges = {1.27F, none, 0.005F}};
    whole.ranges.resize(180, 6.325F);
    data::Scan section = some_scan();
    for (std::size_t i = 0; i < whole.ranges.size(); ++i)
        if (whole.ranges[i] != none)
            section.ranges.push_back({static_cast<float>(wrapped_angle(
                                          whole.first_angle + static_cast<double>(i) * whole.angle_step)),
                                      whole.ranges[i]});
    const data::ScanTopic message = reread(scan_message(section, &whole, "rover"));
    EXPECT_EQ(message.frame_id, "rover/map");
    EXPECT_EQ(message.ranges.size(), 180U);
    EXPECT_EQ(message.ranges[1], 0) << "no echo";
    EXPECT_EQ(data::to_json(scan_in(message)), data::to_json(section));
}

TEST(FoxgloveMessages, DrawRangeSensorsOnACircleAndKeepTheirBearings) {
    data::Scan section = some_scan();
    section.encoding.reset();
    section.bytes_per_second.reset();
    section.ranges = {{0.7854F, 1.5F}, {-1.5708F, 2}};
    const data::ScanTopic message = reread(scan_message(section, nullptr, "rover"));
    ASSERT_EQ(message.ranges.size(), 360U);
    EXPECT_EQ(message.ranges[45], 1.5F);
    EXPECT_EQ(message.ranges[270], 2);
    EXPECT_NEAR(message.end_angle, 2 * std::numbers::pi * 359 / 360, 1e-9);
    EXPECT_EQ(data::to_json(scan_in(message)), data::to_json(section));
}

TEST(FoxgloveMessages, KeepAMapWithItsPlaces) {
    data::RoomMap section;
    section.at = 1767225600.5;
    section.width = 3;
    section.height = 2;
    section.resolution = 0.05;
    section.origin = {-1.5, 2.25};
    section.runs = {0, 2, 1, 3, 2, 1};
    section.encoding = "compressed";
    section.bytes_per_second = 12;
    section.dock = Pose{1, 2, 0.5};
    section.cubes = {{.id = "cube 1", .name = "blue cube", .x = 1, .y = 2}};
    const data::MapTopic message = reread(map_message(section, "rover"));
    EXPECT_EQ(message.data, "//8AAABk");
    EXPECT_EQ(message.column_count, 3U);
    EXPECT_EQ(data::to_json(map_in(message).value()), data::to_json(section));
}

TEST(FoxgloveMessages, RefuseAMapWithoutWholeRows) {
    data::MapTopic message;
    message.data = "//8AAABk";
    message.column_count = 4;
    EXPECT_THAT(map_in(message).error().message, HasSubstr("6 cells are not a map with 4 columns"));
    message.column_count = 0;
    EXPECT_FALSE(map_in(message));
    message.data = "//8";
    EXPECT_FALSE(map_in(message)) << "no base64";
}

TEST(Scene, HasTheRobotItsDockCubesPathAndRoute) {
    const auto ids = [](const data::FoxgloveSceneUpdate& scene) {
        std::vector<std::string> all;
        for (const auto& entity : scene.entities) all.push_back(entity.frame_id + ": " + entity.id);
        return all;
    };
    EXPECT_THAT(ids(scene_of("rover", {})), ElementsAre("rover: robot"));
    const data::Places places{.dock = Pose{1, 2, 3}, .cubes = {{.id = "cube 1", .x = 4, .y = 5}}};
    const data::Plan plan{.goal = data::Goal{1, 1}, .path = {{0, 0}, {1, 1}}};
    const data::Route route{.points = {{3, 3}}, .path = {{0, 0}, {3, 3}}};
    data::FoxgloveSceneUpdate scene = scene_of("rover", {.places = &places, .plan = &plan, .route = &route});
    EXPECT_THAT(ids(scene), ElementsAre("rover: robot", "rover/map: dock", "rover/map: cube 1",
                                        "rover/map: path", "rover/map: route"));
    EXPECT_EQ(scene.entities[3].lines.at(0).points.size(), 2U);
    set_time(scene, 1767225600.25);
    EXPECT_EQ(scene.deletions.at(0).timestamp.nsec, 250'000'000U);
    EXPECT_EQ(scene.entities[4].timestamp.sec, 1767225600U);
}

}  // namespace
}  // namespace caribou::station
