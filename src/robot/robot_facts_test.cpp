#include "robot/robot_facts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/wait_until_action.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_rig.hpp"
#include "robot/robot_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using behavior::Value;
using testing::HasSubstr;

TEST(RobotFacts, DeclareEveryFactThatARobotSets) {
    behavior::ClassRegistry classes;
    register_robot_facts(classes, FactsSetBy::robot);
    RobotRig rig("DefaultRunMode = 2");
    rig.start_connected();
    rig.loop.advance(2s);
    const behavior::Facts& facts = rig.robot->ai().facts();
    EXPECT_GT(facts.names().size(), 15U);
    for (const std::string& name : facts.names()) {
        const behavior::FactDeclaration* declared = behavior::find_fact(classes.facts(), name);
        ASSERT_NE(declared, nullptr) << name;
        EXPECT_TRUE(behavior::fits(*declared, *facts.find(name))) << name;
    }
}

TEST(RobotFacts, GiveATreeAMemoryOnARobot) {
    RobotRig rig("DefaultRunMode = 2");
    rig.tree_text = R"({"base": "r", "facts": {"rounds": {"default": 10, "max": 100}}, "behaviors": [
        {"class": "strict_priority", "id": "r", "children": ["spin", "count"]},
        {"class": "spin", "id": "spin", "wants": {"fact": "rounds", ">=": 13}},
        {"class": "act", "id": "count", "action": {"sequence": [{"wait": "100ms"}, {"add": 1, "to": "rounds"}]}}]})";
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(3s);
    EXPECT_EQ(*rig.robot->ai().facts().find("rounds"), Value(13.0));
    EXPECT_EQ(rig.station.telemetry.back().behavior, "spin");
}

TEST(RobotFacts, ARobotRefusesATreeWithAFactThatNothingSets) {
    RobotRig rig("DefaultRunMode = 2");
    rig.tree_text =
        R"({"base": "spin", "behaviors": [{"class": "spin", "id": "spin", "wants": {"fact": "batery", "<": 20}}]})";
    rig.make(rig.config.send_port);
    rig.start_connected();
    rig.loop.advance(2s);
    EXPECT_EQ(rig.station.telemetry.back().behavior, "stand_still");
    EXPECT_THAT(rig.tell("status"),
                testing::ElementsAre(
                    HasSubstr("nothing sets the fact `batery`; declare facts of your own in `facts`")));
}

/// A tree from a file with a simulated cube and its facts.
class CubeTree : public testing::Test {
protected:
    CubeTree() {
        behavior::register_engine_classes(classes_);
        behavior::register_wait_until(classes_, facts_);
        register_robot_facts(classes_, FactsSetBy::robot);
        register_cube_classes(classes_, cubes_);
        (void)cubes_.comms.prefer(cube_.address());
    }
    ~CubeTree() override { cubes_.set_on_event({}); }

    void start(std::string_view action) {
        const std::vector<behavior::TreeText> files{
            {"f", fmt::format(R"({{"base": "r", "behaviors": [{{"class": "connect_to_cube", "id": "r",
                "children": [{{"class": "act", "id": "act", "action": {}}}]}}]}})",
                              action)}};
        auto loaded = behavior::load_tree(files, classes_);
        ASSERT_TRUE(loaded.has_value()) << to_string(loaded.error());
        runner_ = std::make_unique<behavior::BehaviorRunner>(std::move(loaded->tree), facts_);
        runner_->add_gate(gate_);
        cubes_.set_on_event([this](const cubes::CubeEvent& event) { cube_facts_.take(event); });
        ASSERT_TRUE(runner_->set_base("r").has_value());
        for (int i = 0; i < 500 && top() != "act"; ++i) tick();
        ASSERT_EQ(top(), "act");
    }
    void tick() {
        cube_facts_.apply_to(facts_, cubes_);
        runner_->tick(loop_.clock().now());
        loop_.advance(50ms);
    }
    void run(Duration time) {
        for (const Instant end = loop_.clock().now() + time; loop_.clock().now() < end;) tick();
    }
    std::string top() const { return runner_->stack().empty() ? "" : runner_->stack().back()->id(); }

    VirtualLoop loop_;
    NullLog log_;
    cubes::MemoryPreferenceStore store_;
    cubes::SimulatedRadio radio_{loop_};
    cubes::SimulatedCube& cube_ = radio_.add_cube();
    cubes::CubeSystem cubes_{loop_, radio_, store_, log_};
    CubeRequirementGate gate_{cubes_.coordinator};
    behavior::ClassRegistry classes_;
    behavior::Facts facts_;
    CubeFacts cube_facts_;
    std::unique_ptr<behavior::BehaviorRunner> runner_;
};

TEST_F(CubeTree, WaitsForATap) {
    start(R"({"wait_until": {"fact": "cube_tapped"}})");
    run(3s);
    EXPECT_EQ(top(), "act");
    cube_.tap();
    run(1s);
    EXPECT_EQ(top(), "") << "the action has ended";
}

TEST_F(CubeTree, KnowsWhichCubeIsConnected) {
    const std::string its_address =
        fmt::format(R"({{"fact": "connected_cube_address", "==": "{}"}})", to_string(cube_.address()));
    start(fmt::format(R"({{"wait_until": {}}})", its_address));
    run(100ms);
    EXPECT_EQ(top(), "");
    run(1min);
    EXPECT_EQ(*facts_.find("cube_connected"), Value(false));
    EXPECT_EQ(*facts_.find("connected_cube"), Value(std::string()));
    EXPECT_EQ(*facts_.find("connected_cube_address"), Value(std::string()));
}

TEST_F(CubeTree, WaitsForASecondTapAMoveAndATurn) {
    start(R"({"sequence": [{"wait_until": {"fact": "cube_double_tapped"}},
        {"wait_until": {"fact": "cube_moved"}}, {"wait_until": {"fact": "cube_up_axis", "==": "x_up"}}]})");
    run(1s);
    cube_.tap();
    run(1s);
    EXPECT_EQ(top(), "act") << "one tap";
    cube_.tap();
    run(200ms);
    cube_.tap();
    run(2s);
    EXPECT_EQ(top(), "act");
    cube_.move_until(loop_.clock().now() + 1s);
    run(3s);
    EXPECT_EQ(top(), "act");
    cube_.turn(cubes::UpAxis::x_up);
    run(5s);
    EXPECT_EQ(top(), "");
}

TEST_F(CubeTree, LightsTheCubeForAWhile) {
    start(R"({"cube_lights": "yellow", "for": "2s"})");
    run(1s);
    EXPECT_EQ(cubes_.lights.colors()[0], (cubes::Color{255, 255, 0}));
    EXPECT_EQ(cubes_.lights.showing(), cubes::LightLayer::engine);
    run(1500ms);
    EXPECT_EQ(top(), "");
    EXPECT_NE(cubes_.lights.showing(), cubes::LightLayer::engine);
}

}  // namespace
}  // namespace caribou::robot
