// Goals that take the place of the tree.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <numeric>

#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"
#include "motion/thread_propulsion.hpp"
#include "robot/robot_classes.hpp"
#include "robot/sim_body.hpp"
#include "robot/thread_ai.hpp"
#include "robot/thread_telemetry.hpp"
#include "world/world_plan.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using enum GoalNews::Kind;
using testing::ElementsAre;
using testing::HasSubstr;

/// A robot in RM2 in an empty room, in virtual time, with a tree that rests.
class GoalTest : public testing::Test, private motion::MotionEvents {
protected:
    GoalTest() {
        std::vector<std::size_t> all(body_.plan().sensors.size());
        std::iota(all.begin(), all.end(), 0U);
        buffers_.sensor_array.write(std::move(all));
        propulsion_.start();
        propulsion_.permit({true, {motion::MotionSource::ai}});
        telemetry_.start();
        ai_.start();
    }
    void enter_rm2() {
        buffers_.mode_board.change([](ModeBoard& board) { board.run_mode = link::RunMode::rm2; });
        ai_.run(true);
        loop_.advance(1s);
    }
    std::vector<GoalNews>& go_to(const Pose& pose) {
        auto& news = news_.emplace_back();
        ai_.go_to({.pose = pose}, [&news](const GoalNews& what) { news.push_back(what); });
        loop_.advance(200ms);
        return news;
    }
    std::vector<std::string> stack() const { return buffers_.ai_board.copy().stack; }
    static AiParts parts(cubes::Radio& radio, cubes::PreferenceStore& preferences) {
        AiParts made{.radio = radio, .preferences = preferences};
        made.add_classes = [](behavior::ClassRegistry& classes, AiControl& control) {
            return register_robot_classes(classes, control);
        };
        return made;
    }
    static world::WorldPlan room() { return {.name = "room", .size = {6, 6}, .starts = {{3, 3, 0}}}; }

    NullLog log_;
    VirtualLoop loop_;
    LocalStrand strand_{loop_};
    RunningWorld world_{world::World(room()), loop_.clock()};
    SimBody body_{world_, world_.now().add_robot().value_or(0), SimBodySettings{.lidar_period = 200ms}};
    mutable RobotBuffers buffers_{strand_};
    motion::ThreadPropulsion propulsion_{loop_, body_, motion::MotionSettings{}, *this};
    ThreadTelemetry telemetry_{strand_, body_, propulsion_, buffers_, {.rate = 10}};
    cubes::SimulatedRadio radio_{loop_};
    cubes::MemoryPreferenceStore preferences_;
    ThreadAi ai_{strand_,
                 body_,
                 propulsion_,
                 buffers_,
                 log_,
                 parts(radio_, preferences_),
                 {.tree = {{"tree", R"({"base": "rest", "behaviors": [{"class": "idle", "id": "rest"}]})"}},
                  .rate = 10}};
    std::list<std::vector<GoalNews>> news_;

private:
    void on_answer(const motion::MotionAnswer&) override {}
    void on_report(const motion::MotionReport&) override {}
};

TEST_F(GoalTest, TakesThePlaceOfTheTreeUntilItEnds) {
    enter_rm2();
    EXPECT_THAT(stack(), ElementsAre("rest"));
    const auto& news = go_to({1, 0, 1.5});
    EXPECT_THAT(stack(), ElementsAre());
    loop_.advance(1min);
    EXPECT_THAT(news, ElementsAre(GoalNews{running}, GoalNews{done}));
    EXPECT_THAT(stack(), ElementsAre("rest"));
    const Pose end = world_.now().pose(0);
    EXPECT_LT(distance(position(end), {4, 3}), 0.4);
    EXPECT_NEAR(end.heading, 1.5, 0.3);
}

TEST_F(GoalTest, IsRefusedOutsideRm2) {
    EXPECT_THAT(go_to({1, 0, 0}), ElementsAre(testing::Field(&GoalNews::kind, refused)));
    EXPECT_THAT(news_.back()[0].why, HasSubstr("behaviors run in RM2"));
}

TEST_F(GoalTest, IsReplacedByAnother) {
    enter_rm2();
    const auto& first = go_to({1, 0, 0});
    const auto& second = go_to({0.5, 0, 0});
    loop_.advance(1min);
    EXPECT_THAT(first, ElementsAre(GoalNews{running}, GoalNews{failed, "a goal has replaced it"}));
    EXPECT_THAT(second, ElementsAre(GoalNews{running}, GoalNews{done}));
}

TEST_F(GoalTest, EndsWithAStop) {
    enter_rm2();
    const auto& news = go_to({1, 0, 0});
    loop_.advance(1s);
    propulsion_.full_stop(motion::StopCause::operator_);
    loop_.advance(1s);
    EXPECT_THAT(news, ElementsAre(GoalNews{running}, GoalNews{failed, "the robot was stopped"}));
    EXPECT_THAT(go_to({1, 0, 0}), ElementsAre(GoalNews{refused, "the robot is stopped; release_stop first"}));
}

TEST_F(GoalTest, EndsWithAStopThatIsReleasedAtOnce) {
    enter_rm2();
    const auto& news = go_to({1, 0, 0});
    loop_.advance(1s);
    buffers_.stop_now(propulsion_, motion::StopCause::operator_, loop_.clock());
    propulsion_.release_stop();
    loop_.advance(1s);
    EXPECT_THAT(news, ElementsAre(GoalNews{running}, GoalNews{failed, "the robot was stopped"}));
}

TEST_F(GoalTest, IsRefusedIfItHasWaitedForTooLong) {
    enter_rm2();
    std::vector<GoalNews> news;
    ai_.go_to({.pose = {1, 0, 0}, .given = loop_.clock().boot_seconds() - 3},
              [&news](const GoalNews& what) { news.push_back(what); });
    loop_.advance(200ms);
    EXPECT_THAT(news, ElementsAre(GoalNews{refused, "it is 3.0 s old; at most 2.0 s are allowed"}));
}

TEST_F(GoalTest, EndsWhenRm2IsLeftOrTheDockIsWanted) {
    enter_rm2();
    const auto& docked = go_to({1, 0, 0});
    ai_.set_fact("dock_wanted", true);
    loop_.advance(1s);
    EXPECT_THAT(docked, ElementsAre(GoalNews{running}, GoalNews{failed, "the robot was sent to its dock"}));
    EXPECT_THAT(stack(), ElementsAre("rest"));
    ai_.set_fact("dock_wanted", false);
    const auto& left = go_to({1, 0, 0});
    ai_.run(false);
    loop_.advance(1s);
    EXPECT_THAT(left, ElementsAre(GoalNews{running}, GoalNews{failed, "RM2 was left"}));
}

TEST_F(GoalTest, StartsWhereAnotherProgramPutsTheRobot) {
    enter_rm2();
    std::optional<Result<void>> set;
    ai_.set_pose({0.2, 0, 0}, [&](const Result<void>& result) { set = result; });
    loop_.advance(100ms);
    ASSERT_TRUE(set && *set);
}

}  // namespace
}  // namespace caribou::robot
