#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_loader.hpp"
#include "behavior/wait_action.hpp"
#include "robot/connect_to_cube.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_rig.hpp"
#include "robot/cube_spinner.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using behavior::Behavior;
using behavior::Outcome;
using testing::ElementsAre;
using testing::IsEmpty;

class CubeGames : public testing::Test, public CubeGateRig {
protected:
    behavior::Scripted& base = rig.make("base");
    ConnectToCube& connect = rig.add<ConnectToCube>("connect");
    CubeSpinner& spinner = rig.add<CubeSpinner>("spinner", cubes.lights);
    std::optional<Outcome> outcome;

    CubeGames() {
        connect.set_child(spinner);
        base.delegates = {&connect};
        base.in_activated = [this](behavior::Control& control) {
            EXPECT_TRUE(behavior::ask_and_delegate(
                control, connect, [this](behavior::Control&, const Outcome& ended) { outcome = ended; }));
        };
        cubes.set_on_event([this](const cubes::CubeEvent& event) { post_cube_event(*rig.runner, event); });
    }
    ~CubeGames() override {
        cubes.set_on_event({});
        rig.runner.reset();
    }

    /// Taps once, when the light is on the first LED, or when it is not.
    void tap_when(bool on_first) {
        while ((cubes.lights.colors()[0] != cubes::Color{}) != on_first) tick();
        cube.tap();
        run(180ms);
        while ((cubes.lights.colors()[0] != cubes::Color{}) == on_first && !outcome) tick();
    }
};

TEST_F(CubeGames, ConnectFirstAndDelegateOnlyThen) {
    start("base");
    EXPECT_THAT(rig.stack(), ElementsAre("base", "connect"));
    run(3s);
    EXPECT_THAT(rig.stack(), ElementsAre("base", "connect", "spinner"));
    EXPECT_EQ(subscribers().size(), 2U);
    EXPECT_EQ(cubes.lights.showing(), cubes::LightLayer::engine);
}

TEST_F(CubeGames, AreWonByCatchingTheLight) {
    start("base");
    run(3s);
    for (int i = 0; i < 3; ++i) tap_when(true);
    EXPECT_EQ(outcome, Outcome::succeeded());
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    EXPECT_THAT(subscribers(), IsEmpty());
    EXPECT_EQ(cubes.lights.showing(), cubes::LightLayer::state) << "its lights stop with it";
}

TEST_F(CubeGames, AreLostByMissingItOrByTime) {
    start("base");
    run(3s);
    for (int i = 0; i < 3; ++i) tap_when(false);
    EXPECT_EQ(outcome, Outcome::failed("the light was missed too often"));
    (void)rig.runner->request_reset("again");
    run(65s);
    EXPECT_EQ(outcome, Outcome::failed("the light was not caught in time"));
}

TEST_F(CubeGames, FailWhenNoCubeCanBeConnected) {
    cube.set_distance(50);
    start("base");
    run(16s);
    EXPECT_EQ(outcome, Outcome::failed("no cube could be connected"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
}

TEST_F(CubeGames, FailWhenTheConnectionIsLost) {
    start("base");
    run(3s);
    ASSERT_EQ(spinner.state(), Behavior::State::active);
    radio.drop_link();
    run(120ms);
    EXPECT_EQ(outcome, Outcome::failed("the connection to the cube was lost"));
    EXPECT_THAT(rig.stack(), ElementsAre("base"));
    run(1min);
    EXPECT_TRUE(radio.idle());
}

TEST(ConnectToCube, DoesItsGetInBeforeItDelegates) {
    CubeGateRig rig;
    auto& connect = rig.rig.add<ConnectToCube>("connect", std::make_unique<behavior::WaitAction>(5s));
    auto& child = rig.rig.make("child");
    connect.set_child(child);
    rig.start("connect");
    rig.run(4s);
    EXPECT_TRUE(rig.cubes.coordinator.connection());
    EXPECT_EQ(child.state(), Behavior::State::in_scope);
    rig.run(2s);
    EXPECT_EQ(child.state(), Behavior::State::active);
    rig.rig.runner.reset();
}

class CubeTrees : public testing::Test, public CubeGateRig {
protected:
    behavior::ClassRegistry classes;
    CubeTrees() {
        register_engine_classes(classes);
        register_cube_classes(classes, cubes);
    }
    std::string load(std::string text) {
        const auto loaded = load_tree(std::vector<behavior::TreeText>{{"f", std::move(text)}}, classes);
        return loaded ? "good" : to_string(loaded.error());
    }
};

TEST_F(CubeTrees, NameTheClassesAndRequirementsOfCubes) {
    EXPECT_EQ(
        load(
            R"({"base": "play", "behaviors": [{"class": "connect_to_cube", "id": "play", "get_in": {"wait": "1s"},
        "children": [{"class": "queue", "children": [{"class": "cube_spinner", "hits": 5},
        {"class": "idle", "requirement": "cube_required_managed_in_background"}]}]}]})"),
        "good");
}

TEST_F(CubeTrees, AreRefusedWhereARequiredManagedBehaviorHasNoAncestorThatEnsures) {
    EXPECT_EQ(
        load(R"({"base": "a", "behaviors": [{"class": "queue", "id": "a", "children": [
        {"class": "idle", "id": "b", "requirement": "cube_required_managed"}]}]})"),
        "f:2:9: `b` needs an ancestor that ensures `cube_connection`, and on the way a > b there is none\n")
        << "declared in data";
    EXPECT_EQ(
        load(R"({"base": "a", "behaviors": [{"class": "queue", "id": "a", "children": [
        {"class": "cube_spinner", "id": "b"}]}]})"),
        "f:2:9: `b` needs an ancestor that ensures `cube_connection`, and on the way a > b there is none\n")
        << "declared in code";
}

TEST_F(CubeTrees, AreRefusedWithARequirementThatNobodyKnows) {
    EXPECT_EQ(
        load(
            R"({"base": "a", "behaviors": [{"class": "idle", "id": "a", "requirement": "cube_optional_lasy"}]})"),
        "f:1:73: no requirement is called `cube_optional_lasy`; did you mean `cube_optional_lazy`?\n");
}

}  // namespace
}  // namespace caribou::robot
