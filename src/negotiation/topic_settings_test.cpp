#include "negotiation/topic_settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::negotiation {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string complaint(const DdsSettings& settings) {
    const auto good = check_settings(settings, "--so");
    return good ? "" : good.error().message;
}

TEST(DdsSettings, LeaveThisMachineOnlyWhenThatIsSpelledOut) {
    EXPECT_EQ(complaint({}), "");
    const auto refused = AllOf(HasSubstr("lead off this machine"), HasSubstr("add --so"));
    EXPECT_THAT(complaint({.peers = {"10.0.0.7"}}), refused);
    EXPECT_THAT(complaint({.interface = "eth0"}), refused);
    EXPECT_EQ(complaint({.insecure_lan = true, .interface = "eth0", .peers = {"10.0.0.7"}}), "");
}

TEST(DdsSettings, RefuseWhatMakesNoSense) {
    EXPECT_EQ(complaint({.domain = 233}), "there is no domain 233: they go from 0 to 232");
    EXPECT_THAT(complaint({.insecure_lan = true, .interface = "\"/><x>"}),
                HasSubstr("not a network interface"));
    EXPECT_THAT(complaint({.insecure_lan = true, .peers = {"a b"}}), HasSubstr("`a b` is not a machine"));
}

}  // namespace
}  // namespace caribou::negotiation
