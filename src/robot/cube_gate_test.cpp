#include "robot/cube_gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/tree_check.hpp"
#include "behavior/tree_graph.hpp"
#include "robot/cube_behavior.hpp"
#include "robot/cube_rig.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using behavior::Behavior;
using behavior::Gate;
using behavior::Rule;
using behavior::Scripted;
using behavior::Wants;
using cubes::ConnectionType;
using testing::ElementsAre;
using testing::IsEmpty;

using Subscribers = CubeGateRig::Subscribers;

class CubeGate : public testing::Test, public CubeGateRig {
protected:
    Scripted& base = rig.make("base");
    Scripted& needy = rig.make("needy");

    CubeGate() {
        base.delegates = {&needy};
        base.in_update = [this](behavior::Control& control) {
            if (!control.is_control_delegated()) (void)behavior::ask_and_delegate(control, needy);
        };
    }
    ~CubeGate() override { rig.runner.reset(); }

    void need(CubeRequirement requirement, bool in_background = false) {
        (void)needy.declare(with_cube({requirement, in_background}));
    }
    bool is_active() const { return needy.state() == Behavior::State::active; }
    void end_needy() {
        base.in_update = [](behavior::Control& control) { (void)control.cancel_delegates(); };
        tick();
    }
};

TEST_F(CubeGate, LeavesABehaviorWithoutRequirementAlone) {
    start("base");
    EXPECT_TRUE(is_active());
    EXPECT_THAT(subscribers(), IsEmpty());
    run(1min);
    EXPECT_EQ(cubes.coordinator.transitions(), 0U);
}

TEST_F(CubeGate, SubscribesLazilyOnlyToWhatExists) {
    need(CubeRequirement::optional_lazy);
    start("base");
    EXPECT_TRUE(is_active());
    EXPECT_THAT(subscribers(), IsEmpty());
    connect_by_hand();
    EXPECT_THAT(subscribers(), IsEmpty()) << "what was not done on activation is not done later";
    end_needy();
    base.in_update = [this](behavior::Control& control) { (void)behavior::ask_and_delegate(control, needy); };
    tick();
    EXPECT_EQ(subscribers(), (Subscribers{{"needy", ConnectionType::interactable}}));
    end_needy();
    EXPECT_THAT(subscribers(), IsEmpty());
}

TEST_F(CubeGate, ConnectsActively) {
    need(CubeRequirement::optional_active, true);
    start("base");
    EXPECT_TRUE(is_active());
    EXPECT_EQ(subscribers(), (Subscribers{{"needy", ConnectionType::background}}));
    run(3s);
    EXPECT_EQ(cubes.coordinator.connection(), ConnectionType::background);
    end_needy();
    EXPECT_THAT(subscribers(), IsEmpty());
    run(20s);
    EXPECT_TRUE(radio.idle());
}

TEST_F(CubeGate, RunsRequiredLazyOnlyWithAConnectionAndNeverMakesOne) {
    need(CubeRequirement::required_lazy);
    start("base");
    run(1min);
    EXPECT_FALSE(is_active());
    EXPECT_EQ(rig.runner->why_not(needy), Wants(Gate::requirement, "no cube is connected"));
    EXPECT_EQ(cubes.coordinator.transitions(), 0U);
    connect_by_hand();
    ASSERT_EQ(cubes.coordinator.connection(), ConnectionType::background) << "the background counts";
    tick();
    EXPECT_TRUE(is_active());
    run(5min);
    EXPECT_EQ(cubes.coordinator.connection(), ConnectionType::interactable) << "it keeps it from expiring";
    radio.drop_link();
    run(1min);
    EXPECT_TRUE(is_active());
    EXPECT_THAT(subscribers(), IsEmpty()) << "a loss ends the subscription, not the behavior";
    end_needy();
}

TEST_F(CubeGate, RefusesAnActivationWhenTheConnectionIsLostAtTheLastMoment) {
    need(CubeRequirement::required_lazy);
    connect_by_hand();
    base.in_update = [this](behavior::Control& control) {
        EXPECT_TRUE(control.wants(needy));
        radio.drop_link();
        loop.run_ready();
        EXPECT_FALSE(control.delegate(needy));
    };
    start("base");
    EXPECT_FALSE(is_active());
    EXPECT_THAT(rig.broken, ElementsAre(Rule::requirement));
    EXPECT_THAT(subscribers(), IsEmpty());
}

TEST_F(CubeGate, WantsAnActiveAncestorThatEnsuresForRequiredManaged) {
    need(CubeRequirement::required_managed);
    connect_by_hand();
    start("base");
    EXPECT_FALSE(is_active());
    EXPECT_EQ(rig.runner->why_not(needy).gate(), Gate::ensured);
    EXPECT_THAT(rig.broken, ElementsAre(Rule::ensured)) << "with an error";
    const auto findings = check_tree(graph_of(rig.runner->tree(), 0));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].message,
              "`needy` needs an ancestor that ensures `cube_connection`, and on the way base > needy there "
              "is none");
}

TEST_F(CubeGate, ChecksTheAncestryAlsoOfAWordThatWasDeclaredAlone) {
    (void)needy.declare({.requirement = "cube_required_managed"});
    connect_by_hand();
    start("base");
    EXPECT_EQ(rig.runner->why_not(needy),
              Wants(Gate::requirement, "no active ancestor ensures a cube connection at delegation"));
}

TEST_F(CubeGate, RunsRequiredManagedAboveOneThatEnsuresAndOnlyWithAConnection) {
    need(CubeRequirement::required_managed);
    (void)base.declare({.ensures = {std::string(ensures_cube_connection_at_delegation)}});
    start("base");
    EXPECT_EQ(rig.runner->why_not(needy), Wants(Gate::requirement, "no cube is connected"));
    connect_by_hand();
    tick();
    EXPECT_TRUE(is_active());
    EXPECT_EQ(subscribers(), (Subscribers{{"needy", ConnectionType::interactable}}));
    EXPECT_THAT(check_tree(graph_of(rig.runner->tree(), 0)), IsEmpty());
}

TEST_F(CubeGate, LetsGoOfExactlyWhatItSubscribed) {
    need(CubeRequirement::optional_active);
    start("base");
    run(3s);
    radio.drop_link();
    run(1s);
    EXPECT_THAT(subscribers(), IsEmpty());
    end_needy();
    connect_by_hand();
    EXPECT_EQ(cubes.coordinator.connection(), ConnectionType::background) << "nothing is undone twice";
}

TEST(CubeNeed, IsWrittenAndRead) {
    for (const auto requirement : {CubeRequirement::optional_lazy, CubeRequirement::optional_active,
                                   CubeRequirement::required_lazy, CubeRequirement::required_managed})
        for (const bool background : {false, true})
            EXPECT_EQ(cube_need(word_of({requirement, background})), (CubeNeed{requirement, background}));
    EXPECT_EQ(word_of({CubeRequirement::required_lazy, true}), "cube_required_lazy_in_background");
    EXPECT_EQ(word_of({}), "");
    EXPECT_EQ(cube_need("licence"), std::nullopt);
}

/// Subscribes by itself, without a requirement.
class Freelance final : public CubeBehavior {
public:
    Freelance(std::string id, cubes::CubeConnectionCoordinator& coordinator)
        : CubeBehavior(std::move(id)), coordinator_(coordinator) {}
    std::vector<std::string> heard{};

protected:
    void on_activated(behavior::Control& control) override { subscribe_to_cube(control, coordinator_); }
    void connected_callback(ConnectionType type) override { heard.emplace_back(to_string(type)); }
    void connection_lost_callback() override { heard.emplace_back("lost"); }

private:
    cubes::CubeConnectionCoordinator& coordinator_;
};

TEST(CubeBehavior, EndsWhatItSubscribedItselfWithItsDeactivation) {
    CubeGateRig rig;
    auto& freelance = rig.rig.add<Freelance>("freelance", rig.cubes.coordinator);
    rig.start("freelance");
    rig.run(3s);
    EXPECT_THAT(freelance.heard, ElementsAre("interactable"));
    EXPECT_EQ(rig.subscribers(), (Subscribers{{"freelance", ConnectionType::interactable}}));
    (void)rig.rig.runner->request_reset("test");
    rig.tick();
    rig.radio.drop_link();
    rig.tick();
    EXPECT_THAT(freelance.heard, ElementsAre("interactable", "interactable", "lost"))
        << "it was activated twice";
    rig.rig.runner.reset();
    EXPECT_THAT(rig.subscribers(), IsEmpty());
}

}  // namespace
}  // namespace caribou::robot
