#include "adapters/dds/dds_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using testing::HasSubstr;

TEST(DdsNames, AreThoseOfRos) {
    EXPECT_EQ(to_dds_topic("/scan"), "rt/scan");
    EXPECT_EQ(to_dds_topic("/example/_supported_types"), "rt/example/_supported_types");
    EXPECT_EQ(to_dds_type("sensor_msgs/msg/LaserScan"), "sensor_msgs::msg::dds_::LaserScan_");
}

TEST(DdsNames, LeadBack) {
    EXPECT_EQ(from_dds_topic("rt/example/a"), "/example/a");
    EXPECT_EQ(from_dds_topic("rq/service_request"), std::nullopt);
    EXPECT_EQ(from_dds_topic("DCPSParticipant"), std::nullopt);
    EXPECT_EQ(from_dds_type("std_msgs::msg::dds_::String_"), "std_msgs/msg/String");
    EXPECT_EQ(from_dds_type("std_msgs::msg::String"), std::nullopt);
    EXPECT_EQ(from_dds_type("::dds_::_"), std::nullopt);
}

TEST(DdsNames, RefuseWhatRosCouldNotHave) {
    for (const auto* name : {"", "scan", "/", "/a//b", "/a/", "/1a", "/a b", "/ä"})
        EXPECT_FALSE(to_dds_topic(name)) << name;
    EXPECT_THAT(to_dds_topic("scan").error().message,
                HasSubstr("`scan` is not a valid topic on DDS: it has to begin with /"));
    for (const auto* type : {"", "String", "std_msgs/String", "std_msgs//String", "a/b/c/D"})
        EXPECT_FALSE(to_dds_type(type)) << type;
    EXPECT_THAT(to_dds_type("std_msgs/String").error().message, HasSubstr("expected `package/msg/Name`"));
}

}  // namespace
}  // namespace caribou
