#include "negotiation/ros_bridge_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caribou::negotiation {
namespace {

using testing::HasSubstr;

std::string complaints(const std::string& text) {
    const auto plan = read_bridge_plan({"bridge.toml", text});
    return plan ? "" : to_string(plan.error());
}

/// Returns a route that is valid except for the given lines.
std::string route(const std::string& lines, const std::string& fields = "\"linear.x\" = \"SPEED\"") {
    return "[[to_ros]]\ntopic = \"/t\"\ntype = \"geometry_msgs/msg/Twist\"\n" + lines +
           "\n[to_ros.fields]\n" + fields;
}

TEST(BridgePlan, ReadsAWholeFile) {
    const auto plan = read_bridge_plan({"bridge.toml", R"(
[bus]
broker = "localhost:9001"
name = "bridge"
[ros]
node = "boat"
namespace = "/fleet"
domain = 7
layout = "humble"
[[to_ros]]
topic = "/odom"
type = "nav_msgs/Odometry"
period = "100ms"
keep = 1
[to_ros.constants]
"header.frame_id" = "odom"
"pose.covariance[0]" = 0.25
[to_ros.fields]
"pose.pose.position.x" = "NAV_X"
"pose.pose.orientation" = {variable = "NAV_HEADING", unit = "compass deg"}
[[from_ros]]
topic = "/cmd_vel"
type = "geometry_msgs/msg/Twist"
reliability = "best_effort"
[from_ros.fields]
"angular.z" = {variable = "TURN", unit = "deg/s"}
)"});
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(plan->broker, Address::ip("localhost", 9001));
    EXPECT_EQ(plan->client, "bridge");
    EXPECT_EQ(plan->name_space, "/fleet");
    EXPECT_EQ(plan->dds.domain, 7);
    EXPECT_EQ(plan->layout, RosLayoutChoice::humble);
    ASSERT_EQ(plan->routes.size(), 2u);
    const BridgeRoute& odom = plan->routes[0];
    EXPECT_EQ(odom.topic, (Topic{"/odom", "nav_msgs/msg/Odometry"}));
    EXPECT_EQ(odom.qos, (TopicQos{.durability = Durability::transient_local, .depth = 1}));
    EXPECT_EQ(odom.period, std::chrono::milliseconds(100));
    EXPECT_THAT(msg::to_text(*odom.schema, odom.frame), HasSubstr("covariance: [0.25, 0"));
    EXPECT_TRUE(odom.fields[1].is_yaw);
    EXPECT_EQ(odom.fields[1].unit, *find_unit("compass deg"));
    EXPECT_EQ(plan->routes[1].way, BridgeWay::from_ros);
    EXPECT_EQ(plan->routes[1].qos.reliability, Reliability::best_effort);
}

TEST(BridgePlan, SaysWhereWhatIsWrongAndWhatIsMeant) {
    EXPECT_EQ(complaints(""),
              "bridge.toml:1:1: nothing to carry: write [[to_ros]] or [[from_ros]], each with a topic\n");
    EXPECT_THAT(complaints("[busses]\n"), HasSubstr("bridge.toml:1:"));
    EXPECT_THAT(complaints("[rso]\nnode = 1\n"), HasSubstr("there is no `rso` here; did you mean `ros`?"));
    EXPECT_THAT(complaints("[ros]\nlayout = \"iron\"\n"),
                HasSubstr("2:10: `layout` is `auto`, `humble` or `jazzy`, not `iron`"));
    EXPECT_THAT(complaints("[ros]\ndomain = 233\n"), HasSubstr("`domain` is a whole number from 0 to 232"));
    EXPECT_THAT(complaints("[bus]\nbroker = 5\n"), HasSubstr("`broker` is a text, not a number"));
    EXPECT_THAT(complaints("[[to_ros]]\ntopic = \"/t\"\ntype = \"geometry_msgs/msg/Twits\"\n"),
                HasSubstr("3:8: no message `geometry_msgs/msg/Twits` is known here; did you mean "
                          "`geometry_msgs/msg/Twist`?"));
    EXPECT_THAT(complaints("[[to_ros]]\ntype = \"geometry_msgs/msg/Twist\"\n"),
                HasSubstr("a topic is missing"));
    EXPECT_THAT(complaints("[[to_ros]]\ntopic = \"/t\"\n"), HasSubstr("a type is missing"));
    EXPECT_THAT(complaints("to_ros = 3\n"), HasSubstr("write [[to_ros]]"));
    EXPECT_THAT(complaints(route("period = \"fast\"")),
                HasSubstr("4:10: `fast` is not a duration; expected one such as 100ms or 2s"));
    EXPECT_THAT(complaints(route("keep = 0")), HasSubstr("`keep` is how many"));
    EXPECT_THAT(complaints(route("", "\"linear.q\" = \"SPEED\"")),
                HasSubstr("geometry_msgs/msg/Vector3 has no field `q`; did you mean `x`?"));
    EXPECT_THAT(complaints(route("", "\"linear\" = \"SPEED\"")),
                HasSubstr("`linear` is a message: name one of its fields, `linear.x`"));
    EXPECT_THAT(complaints(route("", "\"linear.x\" = {variable = \"SPEED\", unit = \"knn\"}")),
                HasSubstr("there is no unit `knn`; did you mean `kn`?"));
    EXPECT_THAT(complaints(route("", "\"linear.x\" = \"A*\"")),
                HasSubstr("`A*` is not a name of a variable of the bus"));
    EXPECT_THAT(complaints(route("", "\"linear.x\" = 5")), HasSubstr("write the variable's name"));
    EXPECT_THAT(complaints("[[to_ros]]\ntopic = \"/t\"\ntype = \"std_msgs/msg/Bool\"\n"),
                HasSubstr("fields are missing"));
    EXPECT_THAT(complaints("a = = b"), HasSubstr("bridge.toml:1:"));
}

TEST(BridgePlan, ReadsTypesFromFolders) {
    std::vector<std::string> opened;
    const OpenMessageFolders open = [&](const std::vector<std::string>& folders) {
        opened = folders;
        return [](std::string_view package, std::string_view name) -> Result<NamedText> {
            if (package != "boats" || name != "Engine") return fail(Code::not_found, "none");
            return NamedText{"msgs/boats/msg/Engine.msg", "float64 speed\nint23 x\n"};
        };
    };
    const std::string start = "[ros]\nmessages = [\"msgs\", \"/opt/ros/share\"]\n";
    EXPECT_TRUE(read_bridge_plan({"f", start + route("")}, open));
    EXPECT_THAT(opened, testing::ElementsAre("msgs", "/opt/ros/share"));
    const auto plan =
        read_bridge_plan({"f", start + "[[to_ros]]\ntopic = \"/e\"\ntype = \"boats/Engine\"\n"}, open);
    ASSERT_FALSE(plan);
    EXPECT_EQ(to_string(plan.error()),
              "f:5:8: msgs/boats/msg/Engine.msg:2:1: there is no type `int23`; did you mean `int32`?\n");
    EXPECT_THAT(complaints("[ros]\nmessages = 5\n"), HasSubstr("`messages` is a folder, or a list"));
    EXPECT_THAT(complaints("[ros]\nmessages = [5]\n"), HasSubstr("`messages` is a folder, or a list"));
}

TEST(BridgePlan, ReadsRoutesOfWholeMessages) {
    const auto with = [](const std::string& lines) {
        return "[[from_ros]]\ntopic = \"/image\"\ntype = \"own_msgs/Image\"\n" + lines;
    };
    const auto plan = read_bridge_plan({"bridge.toml", with("message = \"IMAGE\"\n")});
    ASSERT_TRUE(plan) << to_string(plan.error());
    EXPECT_EQ(plan->routes[0].whole, "IMAGE");
    EXPECT_EQ(plan->routes[0].topic.type, "own_msgs/msg/Image") << "the type need not be known";
    EXPECT_THAT(complaints(with("message = \"A*\"\n")), HasSubstr("`A*` is not a name of a variable"));
    EXPECT_THAT(complaints(with("message = \"A\"\n[from_ros.fields]\n\"x\" = \"X\"\n")),
                HasSubstr("expected either `message` or `fields`"));
    EXPECT_THAT(complaints("[[from_ros]]\ntopic = \"/image\"\ntype = \"Image\"\nmessage = \"A\"\n"),
                HasSubstr("`Image` is not a type; expected package/msg/Name"));
}

}  // namespace
}  // namespace caribou::negotiation
