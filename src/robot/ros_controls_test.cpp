#include "robot/ros_controls.hpp"

#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "msg/geometry_msgs/pose_stamped.hpp"
#include "msg/geometry_msgs/pose_with_covariance_stamped.hpp"
#include "msg/std_msgs/empty.hpp"
#include "msg/std_msgs/int32.hpp"
#include "msg/std_msgs/string.hpp"
#include "negotiation/in_process_transport.hpp"
#include "negotiation/typed_sample.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using msg::geometry_msgs::PoseStamped;
using msg::geometry_msgs::PoseWithCovarianceStamped;
using msg::std_msgs::Empty;
using msg::std_msgs::Int32;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// Publishes on a control, and records its status.
class Pilot final : public negotiation::ReaderEvents, public negotiation::WriterEvents {
public:
    Pilot(negotiation::Transport& transport, const std::string& topic, std::string type,
          negotiation::Reliability reliability = negotiation::Reliability::reliable)
        : writer_(transport.advertise({topic, std::move(type)}, {.reliability = reliability}, *this).value()),
          reader_(transport
                      .subscribe({topic + "/status", "std_msgs/msg/String"},
                                 {.durability = negotiation::Durability::transient_local}, *this)
                      .value()) {}
    void on_sample(const negotiation::Peer&, const negotiation::Sample& sample) override {
        statuses.push_back((*negotiation::object_of<msg::std_msgs::String>(sample))->data);
    }
    template <class Message>
    void publish(Message message) {
        EXPECT_TRUE(writer_->write(
            negotiation::make_sample(std::make_shared<const Message>(std::move(message)), WallTime{})));
    }

    std::vector<std::string> statuses;

private:
    std::unique_ptr<negotiation::Writer> writer_;
    std::unique_ptr<negotiation::Reader> reader_;
};

class RosControlsTest : public testing::Test {
protected:
    void join(bool drive) {
        controls = std::make_unique<RosControls>(
            rig.strand, transport, *rig.buffers, sender,
            RosControls::Hooks{.submit = [this](Request request) { rig.robot->command(std::move(request)); },
                               .go_to =
                                   [this](const GoalPose& goal, GoalTold told) {
                                       goals.push_back(goal.pose);
                                       tell_goal = std::move(told);
                                   },
                               .set_pose =
                                   [this](const Pose& pose, const std::function<void(Result<void>)>& told) {
                                       poses.push_back(pose);
                                       told(fail(Code::wrong_state, "not now"));
                                   }},
            RosControls::Options{.drive = drive});
        ASSERT_TRUE(controls->start());
        rig.start_connected();
        rig.loop.advance(1s);
    }
    template <class Message>
    Pilot pilot(const std::string& topic) {
        return {transport, topic, std::string(wire::MessageCodec<Message>::type_name)};
    }
    static PoseStamped goal(double x, const std::string& frame = "map") {
        PoseStamped message;
        message.header.frame_id = frame;
        message.pose.position.x = x;
        message.pose.orientation.w = 1;
        return message;
    }

    RobotRig rig;
    negotiation::InProcessTransport transport{rig.loop};
    std::vector<Pose> goals;
    std::vector<Pose> poses;
    GoalTold tell_goal;
    RosSender sender;
    std::unique_ptr<RosControls> controls;
};

TEST_F(RosControlsTest, StopWithoutPermissionToDrive) {
    join(false);
    Pilot stop = pilot<Empty>("/stop");
    Pilot release = pilot<Empty>("/release_stop");
    rig.loop.advance(100ms);
    stop.publish(Empty{});
    rig.loop.advance(1s);
    EXPECT_THAT(stop.statuses, ElementsAre(StartsWith("done")));
    EXPECT_TRUE(rig.propulsion->report().stop.has_value());
    release.publish(Empty{});
    rig.loop.advance(1s);
    EXPECT_THAT(release.statuses, IsEmpty());
    EXPECT_TRUE(rig.propulsion->report().stop.has_value());
}

TEST_F(RosControlsTest, StopForAPublisherOfBestEffort) {
    join(false);
    Pilot stop(transport, "/stop", "std_msgs/msg/Empty", negotiation::Reliability::best_effort);
    rig.loop.advance(100ms);
    stop.publish(Empty{});
    rig.loop.advance(1s);
    EXPECT_THAT(stop.statuses, ElementsAre(StartsWith("done")));
    EXPECT_TRUE(rig.propulsion->report().stop.has_value());
}

TEST_F(RosControlsTest, ReleaseChangeModesAndReportRefusals) {
    join(true);
    Pilot stop = pilot<Empty>("/stop");
    Pilot release = pilot<Empty>("/release_stop");
    Pilot mode = pilot<Int32>("/run_mode");
    rig.loop.advance(100ms);
    stop.publish(Empty{});
    rig.loop.advance(1s);
    release.publish(Empty{});
    rig.loop.advance(1s);
    EXPECT_THAT(release.statuses, ElementsAre(StartsWith("done")));
    EXPECT_FALSE(rig.propulsion->report().stop.has_value());
    mode.publish(Int32{2});
    rig.loop.advance(1s);
    mode.publish(Int32{9});
    rig.loop.advance(1s);
    EXPECT_THAT(mode.statuses,
                ElementsAre(StartsWith("done"), HasSubstr("refused: BAD_ARGUMENT: mode is `9`")));
}

TEST_F(RosControlsTest, ReportTheCourseOfTheLatestGoal) {
    join(true);
    Pilot pilot = this->pilot<PoseStamped>("/goal_pose");
    rig.loop.advance(100ms);
    pilot.publish(goal(2));
    rig.loop.advance(100ms);
    ASSERT_EQ(goals.size(), 1);
    EXPECT_EQ(goals[0], (Pose{2, 0, 0}));
    tell_goal({GoalNews::Kind::running});
    const GoalTold before = tell_goal;
    rig.loop.advance(100ms);
    pilot.publish(goal(3));
    rig.loop.advance(100ms);
    before({GoalNews::Kind::failed, "replaced"});
    tell_goal({GoalNews::Kind::running});
    tell_goal({GoalNews::Kind::done});
    rig.loop.advance(100ms);
    EXPECT_THAT(pilot.statuses, ElementsAre("running", "running", "done"));
    Pilot late = this->pilot<PoseStamped>("/goal_pose");
    rig.loop.advance(100ms);
    EXPECT_THAT(late.statuses, ElementsAre("done")) << "kept for those who come later";
}

TEST_F(RosControlsTest, RefuseAGoalThatIsNotInTheMap) {
    join(true);
    Pilot pilot = this->pilot<PoseStamped>("/goal_pose");
    rig.loop.advance(100ms);
    pilot.publish(goal(2, "odom"));
    rig.loop.advance(100ms);
    pilot.publish(goal(std::nan("")));
    rig.loop.advance(100ms);
    EXPECT_TRUE(goals.empty());
    EXPECT_THAT(pilot.statuses, ElementsAre("refused: it is in the frame `odom`; expected `map`",
                                            "refused: its numbers are not finite"));
}

TEST_F(RosControlsTest, RefuseAnOrientationThatIsNoHeading) {
    join(true);
    Pilot goals_pilot = this->pilot<PoseStamped>("/goal_pose");
    Pilot poses_pilot = this->pilot<PoseWithCovarianceStamped>("/initialpose");
    rig.loop.advance(100ms);
    const auto publish = [&](double x, double z, double w) {
        PoseStamped message = goal(1);
        message.pose.orientation = {.x = x, .y = 0, .z = z, .w = w};
        PoseWithCovarianceStamped pose;
        pose.header = message.header;
        pose.pose.pose = message.pose;
        goals_pilot.publish(message);
        poses_pilot.publish(pose);
        rig.loop.advance(100ms);
    };
    publish(0, 0, 0);
    publish(3, 0, 5);
    publish(0, std::nan(""), 1);
    publish(0, 1e300, 0);
    publish(1, 0, 0);
    EXPECT_TRUE(goals.empty() && poses.empty());
    const auto refusals =
        ElementsAre(HasSubstr("length 0; expected 1"), HasSubstr("length 5.83"), HasSubstr("not finite"),
                    HasSubstr("length inf"), HasSubstr("not upright"));
    EXPECT_THAT(goals_pilot.statuses, refusals);
    EXPECT_THAT(poses_pilot.statuses, refusals);
    publish(0, 0.6, 0.8);
    EXPECT_EQ(goals.size(), 1);
    EXPECT_EQ(poses.size(), 1);
}

TEST_F(RosControlsTest, PassOnAnInitialPose) {
    join(true);
    Pilot pilot = this->pilot<PoseWithCovarianceStamped>("/initialpose");
    rig.loop.advance(100ms);
    PoseWithCovarianceStamped message;
    message.header.frame_id = "map";
    message.pose.pose.position.y = 4;
    message.pose.pose.orientation.w = 1;
    message.pose.covariance[0] = std::nan("");  // not used
    pilot.publish(message);
    rig.loop.advance(100ms);
    ASSERT_EQ(poses.size(), 1);
    EXPECT_EQ(poses[0], (Pose{0, 4, 0}));
    EXPECT_THAT(pilot.statuses, ElementsAre("refused: not now"));
}

}  // namespace
}  // namespace caribou::robot
