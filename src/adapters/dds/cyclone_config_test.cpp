#include "adapters/dds/cyclone_config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(CycloneConfig, StaysOnThisMachineUnlessToldOtherwise) {
    EXPECT_THAT(cyclone_config({}), AllOf(HasSubstr("name=\"lo\""), HasSubstr("<AllowMulticast>false<"),
                                          HasSubstr("<Peer address=\"127.0.0.1\"/>")));
    EXPECT_THAT(cyclone_config({.insecure_lan = true}),
                AllOf(HasSubstr("<MultipleReceiveThreads>false<"), Not(HasSubstr("\"lo\"")),
                      Not(HasSubstr("<AllowMulticast>false<"))));
    EXPECT_THAT(cyclone_config({.insecure_lan = true, .interface = "eth0", .peers = {"10.0.0.7"}}),
                AllOf(HasSubstr("name=\"eth0\""), HasSubstr("<Peer address=\"10.0.0.7\"/>")));
}

}  // namespace
}  // namespace caribou
