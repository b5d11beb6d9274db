#include "platform/topic_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/toml.hpp"

namespace caribou {
namespace {

using testing::HasSubstr;

struct Read {
    TopicSettings settings;
    std::string faults;
};

Read read(const std::string& text) {
    const NamedText file{"robot.toml", text};
    FaultList faults(std::span(&file, 1), 10);
    const auto root = read_toml(text);
    Read result{.settings = read_topic_settings(root->find("topics"), faults), .faults = {}};
    result.faults = to_string(faults.take());
    return result;
}

TEST(TopicSettings, AreTheBusUnlessSaidOtherwise) {
    EXPECT_EQ(read("a = 1").settings.kind, TopicSettings::Kind::bus);
    const Read dds = read("[topics]\ntransport = \"dds\"\ndomain = 3\n");
    EXPECT_EQ(dds.faults, "");
    EXPECT_EQ(dds.settings.kind, TopicSettings::Kind::dds);
    EXPECT_EQ(dds.settings.dds, (DdsSettings{.domain = 3}));
    EXPECT_EQ(
        read("[topics]\ninsecure_lan = true\ninterface = \"eth0\"\npeers = [\"10.0.0.1\"]\n").settings.dds,
        (DdsSettings{.reach = DdsReach::lan, .interface = "eth0", .peers = {"10.0.0.1"}}));
}

TEST(TopicSettings, SayWhatIsWrongWithThem) {
    EXPECT_THAT(read("[topics]\ntransport = \"ddd\"").faults,
                HasSubstr("robot.toml:2:13: `transport` is `bus` or `dds`, not `ddd`"));
    EXPECT_THAT(read("[topics]\ntransprot = \"dds\"").faults, HasSubstr("did you mean `transport`?"));
    EXPECT_THAT(read("[topics]\ndomain = 1.5").faults, HasSubstr("a whole number from 0 to 232"));
    EXPECT_THAT(read("[topics]\npeers = [\"10.0.0.1\"]").faults, HasSubstr("insecure_lan = true"));
    EXPECT_THAT(read("topics = 5").faults, HasSubstr("write [topics]"));
}

}  // namespace
}  // namespace caribou
