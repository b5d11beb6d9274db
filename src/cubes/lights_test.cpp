#include "cubes/lights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cubes/coordinator_rig.hpp"
#include "cubes/cube_rig.hpp"

namespace caribou::cubes {
namespace {

using namespace std::chrono_literals;

constexpr Color full_red{255, 0, 0};
constexpr Color blue{0, 0, 255};

class Lights : public testing::Test, public CubeRig {
protected:
    SimulatedCube& cube = radio.add_cube({.streams = false});
    std::vector<std::string> heard;
    WrittenSubscriber subscriber{"lights", heard};

    void subscribe(ConnectionType type) {
        subscriber.subscription = coordinator.subscribe(subscriber, {type});
        loop.run_ready();
        ASSERT_TRUE(loop.run_until([&] { return coordinator.connection() == type; }, 30s));
    }
    /// Returns the colors that the cube itself shows.
    LedColors shown() {
        loop.advance(100ms);
        return cube.leds(loop.clock().now());
    }
    bool is_dark() { return shown() == LedColors{}; }
};

TEST_F(Lights, ShowTheHighestLayer) {
    subscribe(ConnectionType::background);
    EXPECT_TRUE(is_dark());
    LightPlay engine = *lights.play(LightLayer::engine, steady(blue));
    EXPECT_EQ(shown()[0], blue);
    LightPlay user = *lights.play(LightLayer::user, steady(full_red));
    EXPECT_EQ(lights.showing(), LightLayer::user);
    EXPECT_EQ(shown()[0], full_red);
    engine = *lights.play(LightLayer::engine, steady({1, 2, 3}));
    EXPECT_EQ(shown()[0], full_red) << "a lower layer does not disturb it";
    user.stop();
    EXPECT_EQ(shown()[0], (Color{1, 2, 3}));
    engine.stop();
    EXPECT_TRUE(is_dark());
    EXPECT_EQ(lights.showing(), std::nullopt);
}

TEST_F(Lights, EndWithTheirDurationOrTheirHandle) {
    subscribe(ConnectionType::background);
    LightPattern brief = steady(full_red);
    brief.duration = 1s;
    LightPlay play = *lights.play(LightLayer::engine, brief);
    EXPECT_TRUE(play.playing());
    loop.advance(900ms);
    EXPECT_EQ(shown()[0], full_red);
    EXPECT_FALSE(play.playing());
    EXPECT_TRUE(is_dark());
    {
        const LightPlay scoped = *lights.play(LightLayer::engine, steady(blue));
        EXPECT_EQ(shown()[0], blue);
    }
    EXPECT_TRUE(is_dark());
}

TEST_F(Lights, AreNotStoppedByTheHandleOfWhatTheyReplaced) {
    subscribe(ConnectionType::background);
    LightPlay old = *lights.play(LightLayer::engine, steady(full_red));
    const LightPlay young = *lights.play(LightLayer::engine, steady(blue));
    old.stop();
    EXPECT_EQ(shown()[0], blue);
}

TEST_F(Lights, RefuseWhatACubeCannotHold) {
    LightPattern endless;
    endless.leds.fill({.on_color = full_red, .on_time = 1h});
    EXPECT_EQ(lights.play(LightLayer::user, endless).error().code, Code::limit_exceeded);
}

TEST_F(Lights, WaitForACube) {
    const LightPlay play = *lights.play(LightLayer::user, steady(full_red));
    EXPECT_EQ(lights.colors(), LedColors{});
    subscribe(ConnectionType::background);
    EXPECT_EQ(shown()[0], full_red);
    EXPECT_EQ(lights.colors()[0], full_red) << "what is rendered here is what shows there";
    radio.drop_link();
    loop.advance(1s);
    EXPECT_EQ(lights.colors(), LedColors{});
}

TEST_F(Lights, AreSentAgainToACubeThatReconnectsAtOnce) {
    subscribe(ConnectionType::background);
    const LightPlay play = *lights.play(LightLayer::user, steady(full_red));
    EXPECT_EQ(shown()[0], full_red);
    comms.disconnect();
    ASSERT_TRUE(comms.connect()) << "before the old link is closed, so that its end is not reported";
    ASSERT_TRUE(loop.run_until([&] { return comms.link_state() == LinkState::connected; }, 30s));
    EXPECT_EQ(shown()[0], full_red);
}

TEST_F(Lights, ShowTheConnectionAndThenTheStateWhileInteractable) {
    subscribe(ConnectionType::interactable);
    EXPECT_EQ(lights.showing(), LightLayer::engine);
    EXPECT_FALSE(is_dark());
    loop.advance(5s);
    EXPECT_EQ(lights.showing(), LightLayer::state);
    lights.set_localized(true);
    EXPECT_EQ(shown(), colors_at(*compile(localized_light_pattern()), 0s));
    subscriber.subscription.reset();
    loop.advance(15s);
    EXPECT_EQ(coordinator.state(), CoordinatorState::switching_to_background);
    EXPECT_EQ(shown(), colors_at(*compile(disconnect_light_pattern()), 0s));
    loop.advance(6s);
    EXPECT_EQ(coordinator.state(), CoordinatorState::connected_background);
    EXPECT_TRUE(is_dark());
}

TEST_F(Lights, StayDarkInTheBackground) {
    subscribe(ConnectionType::background);
    lights.set_localized(true);
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(is_dark());
    subscriber.subscription.reset();
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(is_dark());
    EXPECT_TRUE(radio.idle());
    EXPECT_EQ(comms.trace().count(), 0U) << "not a message was sent";
}

TEST_F(Lights, EndTheDisconnectLightsWhenSomebodyComesBack) {
    subscribe(ConnectionType::interactable);
    subscriber.subscription.reset();
    loop.advance(17s);
    ASSERT_EQ(coordinator.state(), CoordinatorState::switching_to_background);
    subscribe(ConnectionType::interactable);
    EXPECT_EQ(lights.showing(), LightLayer::state);
}

}  // namespace
}  // namespace caribou::cubes
