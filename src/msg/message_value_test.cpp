#include "msg/message_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::msg {
namespace {

using testing::HasSubstr;

const MessageSchema& odometry = *find_schema("nav_msgs/msg/Odometry");
const MessageSchema& transforms = *find_schema("tf2_msgs/msg/TFMessage");
const MessageSchema& scan = *find_schema("sensor_msgs/msg/LaserScan");

TEST(FieldPlace, LeadsToAField) {
    MessageValue value = initial_value(odometry);
    const auto place = find_field(odometry, "pose.pose.orientation.w");
    ASSERT_TRUE(place) << place.error().message;
    EXPECT_EQ(place->field->kind, FieldKind::float64);
    EXPECT_EQ(at(value, *place)->held, MessageValue{1.0}.held) << "no rotation at first";
    reach(odometry, value, *place)->held = 0.5;
    EXPECT_EQ(at(value, *place)->held, MessageValue{0.5}.held);
}

TEST(FieldPlace, LeadsIntoSequencesThatGrowWhenReached) {
    MessageValue value = initial_value(transforms);
    const auto place = find_field(transforms, "transforms[1].child_frame_id");
    ASSERT_TRUE(place) << place.error().message;
    EXPECT_EQ(at(value, *place), nullptr);
    reach(transforms, value, *place)->held = std::string("base");
    EXPECT_EQ(value.list()[0].list().size(), 2u);
    EXPECT_TRUE(decode_value(transforms, encode_value(transforms, value)) == value);
}

TEST(FieldPlace, SaysWhatThereIsInstead) {
    const auto message = [](const MessageSchema& schema, std::string_view path) {
        return find_field(schema, path).error().message;
    };
    EXPECT_EQ(message(odometry, "pose.pose.postion.x"),
              "geometry_msgs/msg/Pose has no field `postion`; did you mean `position`?");
    EXPECT_THAT(message(odometry, "child_frame_id.x"), HasSubstr("`child_frame_id` has no fields inside"));
    EXPECT_THAT(message(odometry, ""), HasSubstr("has no field ``"));
    EXPECT_THAT(message(transforms, "transforms.header"), HasSubstr("is an array: write `transforms[0]`"));
    EXPECT_THAT(message(odometry, "pose.covariance[36]"), HasSubstr("`covariance` has no element 36"));
    EXPECT_THAT(message(odometry, "pose[0]"), HasSubstr("`pose` has no element 0"));
    EXPECT_THAT(message(scan, "ranges[9999999]"), HasSubstr("has no element 9999999"));
    EXPECT_THAT(message(scan, "ranges[x]"), HasSubstr("expected `name` or `name[0]`"));
}

TEST(MessageText, ShowsAFieldALine) {
    MessageValue value = initial_value(scan);
    reach(scan, value, *find_field(scan, "header.frame_id"))->held = std::string("laser \"1\"");
    MessageValue::List ranges(5, {0.1});
    for (MessageValue& range : ranges) range.held = static_cast<double>(0.1F);
    reach(scan, value, *find_field(scan, "ranges"))->held = ranges;
    EXPECT_EQ(to_text(scan, value, 3),
              "header:\n  stamp:\n    sec: 0\n    nanosec: 0\n  frame_id: \"laser \\\"1\\\"\"\n"
              "angle_min: 0\nangle_max: 0\nangle_increment: 0\ntime_increment: 0\nscan_time: 0\n"
              "range_min: 0\nrange_max: 0\nranges: [0.1, 0.1, 0.1, … 5 in all]\nintensities: []\n");
}

TEST(MessageText, ShowsMessagesInSequencesAfterADash) {
    MessageValue value = initial_value(*find_schema("negotiated_interfaces/msg/SupportedTypes"));
    const MessageSchema& types = *find_schema("negotiated_interfaces/msg/SupportedTypes");
    reach(types, value, *find_field(types, "supported_types[0].weight"))->held = 2.5;
    EXPECT_EQ(to_text(types, value),
              "supported_types:\n-\n  ros_type_name: \"\"\n  supported_type_name: \"\"\n  weight: 2.5\n");
}

}  // namespace
}  // namespace caribou::msg
