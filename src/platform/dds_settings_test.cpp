#include "platform/dds_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string complaint(const DdsSettings& settings) {
    const auto good = check_settings(settings);
    return good ? "" : good.error().message;
}

TEST(DdsSettings, StayOnThisMachineUnlessToldOtherwise) {
    EXPECT_THAT(cyclone_config({}), AllOf(HasSubstr("name=\"lo\""), HasSubstr("<AllowMulticast>false<"),
                                          HasSubstr("<Peer address=\"127.0.0.1\"/>")));
    EXPECT_THAT(cyclone_config({.reach = DdsReach::lan}),
                AllOf(Not(HasSubstr("\"lo\"")), Not(HasSubstr("<AllowMulticast>false<"))));
    EXPECT_THAT(cyclone_config({.reach = DdsReach::lan, .interface = "eth0", .peers = {"10.0.0.7"}}),
                AllOf(HasSubstr("name=\"eth0\""), HasSubstr("<Peer address=\"10.0.0.7\"/>")));
}

TEST(DdsSettings, RefuseWhatMakesNoSense) {
    EXPECT_EQ(complaint({}), "");
    EXPECT_EQ(complaint({.domain = 233}), "there is no domain 233: they go from 0 to 232");
    EXPECT_THAT(complaint({.peers = {"10.0.0.7"}}), HasSubstr("to stay on this machine"));
    EXPECT_THAT(complaint({.reach = DdsReach::lan, .interface = "\"/><x>"}),
                HasSubstr("no network interface"));
    EXPECT_THAT(complaint({.reach = DdsReach::lan, .peers = {"a b"}}), HasSubstr("`a b` is no machine"));
}

}  // namespace
}  // namespace caribou
