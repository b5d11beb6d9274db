// t20: cubes. Needs neither a broker nor a cube: `t20_cubes`.
//
// Programs do not connect to a cube directly: they subscribe, and the coordinator holds one connection for
// all subscribers. A behavior declares its requirement, and a gate subscribes for it while it is active. Here
// a robot connects to a simulated cube, plays with it, and releases it.

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "behavior/engine_classes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"
#include "robot/cube_classes.hpp"
#include "robot/cube_gate.hpp"
#include "robot/cube_spinner.hpp"

using namespace caribou;
using namespace std::chrono_literals;

namespace {

/// `game` requires a connection (required_managed, defined in its class); the check of the tree verifies that
/// it is below a behavior that ensures one.
const char* const tree = R"({"base": "play", "behaviors": [
    {"class": "connect_to_cube", "id": "play", "get_in": {"wait": "500ms"}, "children": [
        {"class": "cube_spinner", "id": "game", "hits": 2}]}]})";

/// A subscriber that is not a behavior. It must only handle the loss of the cube.
class Watcher final : public cubes::CubeConnectionSubscriber {
public:
    std::string_view cube_connection_debug_name() const override { return "watcher"; }
    void connected_callback(cubes::ConnectionType type) override {
        std::printf("         the watcher hears: connected, %s\n", std::string(to_string(type)).c_str());
    }
    void connection_lost_callback() override { std::puts("         the watcher hears: lost"); }
};

}  // namespace

int main() {
    // Virtual time: two minutes pass at once. On a robot this is the EventLoop of platform.
    VirtualLoop loop;
    NullLog log;
    cubes::SimulatedRadio radio(loop);
    cubes::SimulatedCube& cube = radio.add_cube();
    cubes::MemoryPreferenceStore preferences;
    cubes::CubeSystem cubes(loop, radio, preferences, log);

    // A background subscription for half a minute. Destroying the handle would end it sooner.
    Watcher watcher;
    const cubes::CubeSubscription held =
        cubes.coordinator.subscribe(watcher, {cubes::ConnectionType::background, 30s});

    behavior::ClassRegistry classes;
    register_engine_classes(classes);
    robot::register_cube_classes(classes, cubes);
    auto loaded = load_tree(std::vector<behavior::TreeText>{{"tree", tree}}, classes);
    if (!loaded) return std::fputs(to_string(loaded.error()).c_str(), stderr), 1;
    const behavior::Facts facts;
    robot::CubeRequirementGate gate(cubes.coordinator);
    behavior::BehaviorRunner runner(std::move(loaded->tree), facts);
    runner.add_gate(gate);
    if (!runner.set_base(loaded->base)) return 1;
    cubes.set_on_event([&](const cubes::CubeEvent& event) {
        std::printf("         the cube: %s\n", describe(event).c_str());
        robot::post_cube_event(runner, event);
    });

    std::size_t told = 0;
    int rests = 0;
    bool has_played = false;
    while (loop.clock().now() < Instant(2min)) {
        if (!runner.idle()) runner.tick(loop.clock().now());
        has_played = has_played || runner.stack().size() == 2;
        // Simulates a tap whenever the green light is on.
        const bool is_green = cubes.lights.colors()[0] == cubes::Color{0, 255, 0};
        if (is_green && runner.stack().size() == 2 && ++rests % 20 == 1) cube.tap();
        loop.advance(60ms);
        for (; told < cubes.coordinator.history().size(); ++told)
            std::printf("%s\n", to_string(cubes.coordinator.history()[told]).c_str());
    }
    // The game was played, it has ended, and the radio is free again.
    return has_played && runner.idle() && radio.idle() ? 0 : 1;
}
