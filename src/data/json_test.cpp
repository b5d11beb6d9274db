#include "data/json.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/foxglove_scene_update.hpp"
#include "data/map_topic.hpp"
#include "data/motion.hpp"
#include "data/plan_section.hpp"
#include "data/robot_line.hpp"
#include "data/room_map.hpp"
#include "data/route.hpp"
#include "data/scan.hpp"
#include "data/scan_topic.hpp"
#include "data/status.hpp"
#include "data/telemetry.hpp"

namespace caribou::data {
namespace {

using testing::HasSubstr;

Status some_status() {
    Status status{.mode = StationMode::run1,
                  .since = 12.5,
                  .groups = {"a", "b"},
                  .address = "127.0.0.1:9",
                  .role = Role::drive,
                  .driver = "ann",
                  .stale_after = 1,
                  .heard = 13.5,
                  .acknowledged_stop = true,
                  .acknowledged_stop_at = 13,
                  .acknowledged_mode = RunMode::rm1,
                  .acknowledged_waits_for = WaitReason::timed_sleep,
                  .acknowledged_mode_at = 12.5,
                  .off_reason = "PowerOff",
                  .life = 2};
    RobotStatus& robot = status.robot.emplace();
    robot.run_mode = RunMode::rm1;
    robot.waits_for = WaitReason::timed_sleep;
    robot.com_mode = ComMode::cm3;
    robot.faults = {"lidar"};
    robot.battery = {.level = 0.5F, .volts = 12, .amperes = -1.5F, .on_charger = true};
    return status;
}

template <class T>
Result<T> read(std::string_view json) {
    const auto node = read_json(json);
    if (!node) return fail(Code::malformed, node.error().message);
    return from_json<T>(*node, "x");
}

TEST(Data, WritesTheSameJsonAsDocumented) {
    EXPECT_EQ(
        to_json(some_status()),
        R"({"mode":"run1","why":"","since":12.5,"groups":["a","b"],"address":"127.0.0.1:9","role":"drive",)"
        R"("driver":"ann","presence":"unknown","stale":false,"stale_after":1.0,"heard":13.5,)"
        R"("acknowledged_stop":true,"acknowledged_stop_at":13.0,"acknowledged_mode":"RM1",)"
        R"("acknowledged_waits_for":"TimedSleep","acknowledged_mode_at":12.5,"stop_pending":null,"off_reason":"PowerOff",)"
        R"("life":2,"run_mode":"RM1",)"
        R"("waits_for":"TimedSleep",)"
        R"("com_mode":"CM3","stopped":false,"behavior":"","faults":["lidar"],)"
        R"("battery":{"level":0.50,"volts":12.0,"amperes":-1.5,"on_charger":true},"stop_cause":""})");
    EXPECT_THAT(to_json(Status{}), HasSubstr(R"("address":null,"role":"observe")"));
    EXPECT_THAT(to_json(Status{}), testing::EndsWith(R"("life":0})"));
}

TEST(Data, ReadsWhatItWrites) {
    EXPECT_EQ(read<Status>(to_json(some_status())).value(), some_status());
    Status without = some_status();
    without.robot.reset();
    without.address.reset();
    EXPECT_EQ(read<Status>(to_json(without)).value(), without);
    Scan scan{.at = 1.5, .ranges = {{0.5F, 2}, {-0.5F, 1}}, .ages = {{"lidar", 0.25}}, .encoding = "delta"};
    scan.bytes_per_second = 900;
    EXPECT_EQ(read<Scan>(to_json(scan)).value(), scan);
    EXPECT_THAT(to_json(scan), HasSubstr(R"("ranges":[[0.500,2.000],[-0.500,1.000]],"ages":{"lidar":0.25})"));
    RoomMap map;
    map.width = 2;
    map.height = 1;
    map.origin = {1, 2};
    map.runs = {0, 2};
    map.dock = Pose{1, 2, 0.5};
    map.cubes = {{"cube 1", "blue", 0.5, 1}};
    EXPECT_EQ(read<RoomMap>(to_json(map)).value(), map);
}

TEST(Data, WritesAnUnknownSpeedAsNullAndReadsItAsNan) {
    Motion motion;
    motion.right = {2, 0.25F};
    motion.left.speed = std::numeric_limits<float>::quiet_NaN();
    motion.movement_state = MovementState::swiveling_left;
    const std::string json = to_json(motion);
    EXPECT_THAT(json, HasSubstr(R"("state":5,"movement":"swiveling_left","class":"HALT",)"
                                R"("right":{"level":2,"speed":0.250},"left":{"level":0,"speed":null})"));
    const Motion again = read<Motion>(json).value();
    EXPECT_EQ(again.right, motion.right);
    EXPECT_TRUE(std::isnan(again.left.speed));
    EXPECT_EQ(again.movement_state, MovementState::swiveling_left);
}

TEST(Data, HoldsUnknownNumbersUntilTheyAreSet) {
    EXPECT_THAT(to_json(Battery{}), R"({"level":null,"volts":null,"amperes":null,"on_charger":false})");
    EXPECT_THAT(to_json(RobotLine{.name = "rover"}), HasSubstr(R"("battery":null,"age":null)"));
}

TEST(Data, RefusesWrongMembersWithTheirPath) {
    const auto text = [](std::string_view json) { return read<Telemetry>(json).error().message; };
    EXPECT_EQ(text("[]"), "x: expected an object, found a list");
    EXPECT_EQ(text(R"({"stopped":1})"), "x.stopped: expected true or false, found a number");
    EXPECT_EQ(text(R"({"battery":{"level":"full"}})"), "x.battery.level: expected a number, found a text");
    EXPECT_EQ(text(R"({"right":{"level":4}})"), "x.right.level: expected a number from -3 to 3, found 4");
    EXPECT_EQ(text(R"({"right":{"level":0.5}})"), "x.right.level: expected a whole number, found 0.5");
    EXPECT_EQ(text(R"({"number":-1})"), "x.number: the number does not fit");
    EXPECT_EQ(text(R"({"number":18446744073709551616})"), "x.number: the number does not fit");
    EXPECT_EQ(text(R"({"run_mode":"RM9"})"), "x.run_mode: unknown value `RM9`");
    EXPECT_EQ(text(R"({"run_mode":null})"), "x.run_mode: expected a text, found null");
    EXPECT_EQ(text(R"({"winner":"a name of twenty bytes"})"),
              "x.winner: a text of 22 bytes; the limit is 16");
    EXPECT_EQ(text(R"({"faults":["","","","","","",""]})"), "x.faults: 7 elements; the limit is 6");
    EXPECT_EQ(text(R"({"faults":["",5]})"), "x.faults[1]: expected a text, found a number");
    EXPECT_EQ(text(R"({"ranges":[[1,2],[1]]})"), "x.ranges[1]: expected 2 elements, found 1");
    EXPECT_EQ(text(R"({"ages":{"lidar":"old"}})"), "x.ages.lidar: expected a number, found a text");
}

TEST(Data, IgnoresUnknownMembersAndKeepsDefaultsForMissingOnes) {
    const auto telemetry = read<Telemetry>(R"({"later":{"x":[1]},"stopped":true})").value();
    EXPECT_TRUE(telemetry.stopped);
    EXPECT_EQ(telemetry.run_mode, RunMode::init);
    EXPECT_EQ(telemetry.movement_class, MovementClass::halt);
}

/// Each member of the value is described by the schema, at any depth.
void expect_described(const JsonNode& value, const JsonNode& schema, const std::string& path) {
    if (value.is(JsonNode::Kind::list) && schema.find("items"))
        for (const JsonNode& item : value.items) expect_described(item, *schema.find("items"), path + "[]");
    if (!value.is(JsonNode::Kind::object) || schema.find("additionalProperties")) return;
    const JsonNode* const properties = schema.find("properties");
    ASSERT_NE(properties, nullptr) << path;
    const JsonNode* const tuples = schema.find("$comment");
    for (const JsonNode& item : value.items) {
        if (tuples && tuples->text.contains(item.key + ": list of [")) continue;
        ASSERT_NE(properties->find(item.key), nullptr) << path << "." << item.key;
        expect_described(item, *properties->find(item.key), path + "." + item.key);
    }
}

TEST(Data, HasASchemaThatDescribesEveryMember) {
    const auto compare = [](const std::string& json, std::string_view schema) {
        const auto value = read_json(json);
        const auto described = read_json(schema);
        ASSERT_TRUE(value.has_value() && described.has_value());
        expect_described(*value, *described, "x");
    };
    compare(to_json(some_status()), json_schema<Status>());
    compare(to_json(Motion{}), json_schema<Motion>());
    compare(to_json(Scan{.ranges = {{}}, .ages = {{"a", 1}}, .encoding = ""}), json_schema<Scan>());
    RoomMap map;
    map.cubes = {{}};
    compare(to_json(map), json_schema<RoomMap>());
}

/// Foxglove and Lichtblick show no topic whose schema they cannot read.
void expect_readable(const JsonNode& schema, const std::string& path) {
    const JsonNode* const type = schema.find("type");
    ASSERT_TRUE(type && type->is(JsonNode::Kind::text)) << path;
    if (type->text == "object") {
        ASSERT_NE(schema.find("properties"), nullptr) << path;
        for (const JsonNode& property : schema.find("properties")->items)
            expect_readable(property, path + "." + property.key);
    } else if (type->text == "array") {
        ASSERT_NE(schema.find("items"), nullptr) << path;
        EXPECT_NE(schema.find("items")->find("type")->text, "array") << path;
        expect_readable(*schema.find("items"), path + "[]");
    }
}

TEST(Data, HasSchemasThatFoxgloveReads) {
    expect_readable(read_json(json_schema<Status>()).value(), "status");
    expect_readable(read_json(json_schema<Motion>()).value(), "motion");
    expect_readable(read_json(json_schema<Route>()).value(), "route");
    expect_readable(read_json(json_schema<PlanSection>()).value(), "plan");
    expect_readable(read_json(json_schema<ScanTopic>()).value(), "scan");
    expect_readable(read_json(json_schema<MapTopic>()).value(), "map");
    expect_readable(read_json(json_schema<FoxgloveSceneUpdate>()).value(), "scene");
}

TEST(Data, NamesEveryEnumerator) {
    for (int i = 0; i <= static_cast<int>(RunMode::init); ++i) {
        RunMode again{};
        ASSERT_TRUE(from_text(to_string(static_cast<RunMode>(i)), again));
        EXPECT_EQ(again, static_cast<RunMode>(i));
    }
    RunMode mode = RunMode::rm2;
    EXPECT_FALSE(from_text("rm3", mode));
    EXPECT_EQ(mode, RunMode::rm2);
}

}  // namespace
}  // namespace caribou::data
