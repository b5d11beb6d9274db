#include "robot/cube_localization.hpp"

#include <gtest/gtest.h>

#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

/// A robot that stands, with eyes that see what the test says, and a simulated cube.
class Localization : public testing::Test, public AiControl {
protected:
    Localization() { plan_.sensors = {{.name = "eyes", .kind = motion::SensorKind::eyes}}; }

    const motion::BodyPlan& body() const override { return plan_; }
    const TelemetryRound& telemetry() const override { return round_; }
    void drive(motion::MotionCommand) override {}
    void drive_touching(motion::MotionCommand) override {}
    void set_lights(motion::BodyLights) override {}

    class Holder final : public cubes::CubeConnectionSubscriber {
    public:
        std::string_view cube_connection_debug_name() const override { return "holder"; }
        void connection_lost_callback() override {}
    };
    void connect() {
        subscription_ = cubes_.coordinator.subscribe(holder_);
        loop_.advance(20s);
        ASSERT_EQ(cubes_.comms.link_state(), cubes::LinkState::connected);
    }
    /// Returns whether the cube is localized after a look at cubes with these names.
    bool look(const std::vector<std::string>& names) {
        if (!navigator_) navigator_.emplace(*this);
        auto sights = std::make_shared<motion::Sights>();
        for (const std::string& name : names) sights->cubes.push_back({Pose{1, 0, 0}, name});
        loop_.advance(100ms);
        const Instant now = loop_.clock().now();
        ++round_.number;
        round_.at = now;
        round_.samples = {{0, motion::SensorReading(std::shared_ptr<const motion::Sights>(sights)), now}};
        navigator_->look(now);
        return localization_.update(*navigator_, cubes_);
    }

    VirtualLoop loop_;
    NullLog log_;
    cubes::MemoryPreferenceStore store_;
    cubes::SimulatedRadio radio_{loop_};
    cubes::SimulatedCube& cube_ = radio_.add_cube({.name = "blue"});
    cubes::CubeSystem cubes_{loop_, radio_, store_, log_};
    Holder holder_;
    cubes::CubeSubscription subscription_;
    motion::BodyPlan plan_;
    TelemetryRound round_;
    std::optional<Navigator> navigator_;
    CubeLocalization localization_;
};

TEST_F(Localization, NeedsAConnectedCubeInSight) {
    EXPECT_FALSE(look({"blue"})) << "not connected";
    connect();
    EXPECT_FALSE(look({}));
    EXPECT_FALSE(look({"red"})) << "another one";
    EXPECT_TRUE(look({"red", "blue"}));
    radio_.drop_link();
    loop_.advance(1s);
    EXPECT_FALSE(look({"blue"}));
}

TEST_F(Localization, TakesACubeThatIsNotRecognizedForTheConnectedOne) {
    connect();
    EXPECT_TRUE(look({""}));
}

TEST_F(Localization, LastsUntilTheCubeIsMovedOutOfSight) {
    connect();
    EXPECT_TRUE(look({"blue"}));
    EXPECT_TRUE(look({})) << "it stays where it is";
    cube_.move_until(loop_.clock().now() + 1s);
    loop_.advance(500ms);
    EXPECT_FALSE(look({}));
    loop_.advance(5s);
    EXPECT_FALSE(look({})) << "and is somewhere else";
    EXPECT_TRUE(look({"blue"}));
}

TEST_F(Localization, LastsAMinute) {
    connect();
    EXPECT_TRUE(look({"blue"}));
    loop_.advance(50s);
    EXPECT_TRUE(look({}));
    loop_.advance(20s);
    EXPECT_FALSE(look({}));
}

}  // namespace
}  // namespace caribou::robot
