// Subscribes to a simulated cube until it is connected; uses nothing but the component `cubes`.
#include <caribou/cubes/cube_system.hpp>
#include <caribou/cubes/simulated_radio.hpp>
#include <caribou/loop/virtual_loop.hpp>

using namespace caribou;
using namespace std::chrono_literals;

namespace {

class Watcher final : public cubes::CubeConnectionSubscriber {
public:
    std::string_view cube_connection_debug_name() const override { return "watcher"; }
    void connected_callback(cubes::ConnectionType) override { connected = true; }
    void connection_lost_callback() override {}

    bool connected = false;
};

}  // namespace

int main() {
    VirtualLoop loop;
    NullLog log;
    cubes::SimulatedRadio radio(loop);
    radio.add_cube();
    cubes::MemoryPreferenceStore preferences;
    cubes::CubeSystem cubes(loop, radio, preferences, log);
    Watcher watcher;
    const auto held = cubes.coordinator.subscribe(watcher, {cubes::ConnectionType::background, 60s});
    loop.advance(60s);
    return watcher.connected ? 0 : 1;
}
