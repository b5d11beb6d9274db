// Tests every message that comes with Caribou, with its generated codec and with the schema-based one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "msg/arbitrary_message.hpp"
#include "msg/builtin_interfaces/duration.hpp"
#include "msg/builtin_interfaces/time.hpp"
#include "msg/caribou_driver/attach.hpp"
#include "msg/caribou_driver/bye.hpp"
#include "msg/caribou_driver/cube.hpp"
#include "msg/caribou_driver/hello.hpp"
#include "msg/caribou_driver/lights.hpp"
#include "msg/caribou_driver/log.hpp"
#include "msg/caribou_driver/order.hpp"
#include "msg/caribou_driver/place.hpp"
#include "msg/caribou_driver/power.hpp"
#include "msg/caribou_driver/scan.hpp"
#include "msg/caribou_driver/sensor.hpp"
#include "msg/caribou_driver/sights.hpp"
#include "msg/caribou_driver/state.hpp"
#include "msg/diagnostic_msgs/diagnostic_array.hpp"
#include "msg/diagnostic_msgs/diagnostic_status.hpp"
#include "msg/diagnostic_msgs/key_value.hpp"
#include "msg/geometry_msgs/point.hpp"
#include "msg/geometry_msgs/pose.hpp"
#include "msg/geometry_msgs/pose_stamped.hpp"
#include "msg/geometry_msgs/pose_with_covariance.hpp"
#include "msg/geometry_msgs/pose_with_covariance_stamped.hpp"
#include "msg/geometry_msgs/quaternion.hpp"
#include "msg/geometry_msgs/transform.hpp"
#include "msg/geometry_msgs/transform_stamped.hpp"
#include "msg/geometry_msgs/twist.hpp"
#include "msg/geometry_msgs/twist_with_covariance.hpp"
#include "msg/geometry_msgs/vector3.hpp"
#include "msg/nav_msgs/map_meta_data.hpp"
#include "msg/nav_msgs/occupancy_grid.hpp"
#include "msg/nav_msgs/odometry.hpp"
#include "msg/negotiated_interfaces/negotiated_topic_info.hpp"
#include "msg/negotiated_interfaces/negotiated_topics_info.hpp"
#include "msg/negotiated_interfaces/supported_type.hpp"
#include "msg/negotiated_interfaces/supported_types.hpp"
#include "msg/rmw_dds_common/gid.hpp"
#include "msg/rmw_dds_common/node_entities_info.hpp"
#include "msg/rmw_dds_common/participant_entities_info.hpp"
#include "msg/rmw_dds_common_humble/gid.hpp"
#include "msg/rmw_dds_common_humble/node_entities_info.hpp"
#include "msg/rmw_dds_common_humble/participant_entities_info.hpp"
#include "msg/rosgraph_msgs/clock.hpp"
#include "msg/sensor_msgs/battery_state.hpp"
#include "msg/sensor_msgs/imu.hpp"
#include "msg/sensor_msgs/laser_scan.hpp"
#include "msg/sensor_msgs/range.hpp"
#include "msg/std_msgs/bool.hpp"
#include "msg/std_msgs/color_rgba.hpp"
#include "msg/std_msgs/empty.hpp"
#include "msg/std_msgs/float32.hpp"
#include "msg/std_msgs/float64.hpp"
#include "msg/std_msgs/header.hpp"
#include "msg/std_msgs/int32.hpp"
#include "msg/std_msgs/int64.hpp"
#include "msg/std_msgs/multi_array_dimension.hpp"
#include "msg/std_msgs/multi_array_layout.hpp"
#include "msg/std_msgs/string.hpp"
#include "msg/std_msgs/u_int8_multi_array.hpp"
#include "msg/tf2_msgs/tf_message.hpp"

namespace caribou::msg {
namespace {

/// The properties of a generated C++ type that the tests need; type erasure avoids compiling every test once
/// per type.
struct MadeMessage {
    std::string_view type_name;
    std::size_t least_size;
    Bytes initial;
    Result<Bytes> (*rewritten)(ByteView);
};

template <class T>
MadeMessage made() {
    return {wire::MessageCodec<T>::type_name, wire::MessageCodec<T>::least_size, wire::encode_cdr(T()),
            [](ByteView bytes) -> Result<Bytes> {
                auto message = wire::decode_cdr<T>(bytes);
                if (!message) return fail(std::move(message.error()));
                return wire::encode_cdr(*message);
            }};
}

template <class... T>
std::vector<MadeMessage> made_of() {
    return {made<T>()...};
}

const std::vector<MadeMessage>& all() {
    static const auto messages = made_of<
        builtin_interfaces::Duration, builtin_interfaces::Time, caribou_driver::Attach, caribou_driver::Bye,
        caribou_driver::Cube, caribou_driver::Hello, caribou_driver::Lights, caribou_driver::Log,
        caribou_driver::Order, caribou_driver::Place, caribou_driver::Power, caribou_driver::Scan,
        caribou_driver::Sensor, caribou_driver::Sights, caribou_driver::State,
        diagnostic_msgs::DiagnosticArray, diagnostic_msgs::DiagnosticStatus, diagnostic_msgs::KeyValue,
        geometry_msgs::Point, geometry_msgs::Pose, geometry_msgs::PoseStamped,
        geometry_msgs::PoseWithCovariance, geometry_msgs::PoseWithCovarianceStamped,
        geometry_msgs::Quaternion, geometry_msgs::Transform, geometry_msgs::TransformStamped,
        geometry_msgs::Twist, geometry_msgs::TwistWithCovariance, geometry_msgs::Vector3,
        nav_msgs::MapMetaData, nav_msgs::OccupancyGrid, nav_msgs::Odometry,
        negotiated_interfaces::NegotiatedTopicInfo, negotiated_interfaces::NegotiatedTopicsInfo,
        negotiated_interfaces::SupportedType, negotiated_interfaces::SupportedTypes, rmw_dds_common::Gid,
        rmw_dds_common::NodeEntitiesInfo, rmw_dds_common::ParticipantEntitiesInfo, rmw_dds_common_humble::Gid,
        rmw_dds_common_humble::NodeEntitiesInfo, rmw_dds_common_humble::ParticipantEntitiesInfo,
        rosgraph_msgs::Clock, sensor_msgs::BatteryState, sensor_msgs::Imu, sensor_msgs::LaserScan,
        sensor_msgs::Range, std_msgs::Bool, std_msgs::ColorRGBA, std_msgs::Empty, std_msgs::Float32,
        std_msgs::Float64, std_msgs::Header, std_msgs::Int32, std_msgs::Int64, std_msgs::MultiArrayDimension,
        std_msgs::MultiArrayLayout, std_msgs::String, std_msgs::UInt8MultiArray, tf2_msgs::TFMessage>();
    return messages;
}

class Messages : public testing::TestWithParam<MadeMessage> {
protected:
    const MadeMessage& made_ = GetParam();
    const MessageSchema& schema_ = *find_schema(made_.type_name);
};

TEST_P(Messages, BeginAsTheirTypeSays) {
    EXPECT_EQ(made_.initial, encode_value(schema_, initial_value(schema_)));
    EXPECT_EQ(made_.least_size, schema_.least_size);
    EXPECT_LE(made_.least_size + wire::cdr_header_size, made_.initial.size());
}

TEST_P(Messages, AreTheSameBytesByTypeAndByName) {
    EXPECT_TRUE(rc::check([&] {
        const MessageValue value = *arbitrary_message(schema_);
        const Bytes bytes = encode_value(schema_, value);
        const auto read = decode_value(schema_, bytes);
        RC_ASSERT(read.has_value());
        RC_ASSERT(*read == value);
        const Result<Bytes> rewritten = made_.rewritten(bytes);
        RC_ASSERT(rewritten.has_value());
        RC_ASSERT(*rewritten == bytes);
    }));
}

TEST_P(Messages, AreRefusedAlikeWhenCut) {
    EXPECT_TRUE(rc::check([&] {
        Bytes bytes = encode_value(schema_, *arbitrary_message(schema_));
        bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size()));
        const auto by_name = decode_value(schema_, bytes);
        const auto by_type = made_.rewritten(bytes);
        RC_ASSERT(!by_name.has_value());
        RC_ASSERT(!by_type.has_value());
    }));
}

INSTANTIATE_TEST_SUITE_P(All, Messages, testing::ValuesIn(all()), [](const auto& message) {
    std::string name(message.param.type_name);
    std::ranges::replace(name, '/', '_');
    return name;
});

TEST(Schemas, AreAllTested) { EXPECT_EQ(known_schemas().size(), all().size()); }

TEST(Schemas, AreFoundByEitherFormOfTheirName) {
    ASSERT_NE(find_schema("std_msgs/msg/String"), nullptr);
    EXPECT_EQ(find_schema("std_msgs/String"), find_schema("std_msgs/msg/String"));
    EXPECT_EQ(find_schema("std_msgs/msg/Strign"), nullptr);
    EXPECT_EQ(find_schema("String"), nullptr);
}

}  // namespace
}  // namespace caribou::msg
