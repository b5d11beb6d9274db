#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "behavior/behavior_rig.hpp"
#include "cubes/cube_system.hpp"
#include "cubes/simulated_radio.hpp"
#include "loop/virtual_loop.hpp"
#include "robot/cube_gate.hpp"

namespace caribou::robot {

/// Behaviors on a runner with the cube gate, over a simulated cube that is near. For tests.
class CubeGateRig {
public:
    VirtualLoop loop;
    NullLog log;
    cubes::MemoryPreferenceStore store;
    cubes::SimulatedRadio radio{loop};
    cubes::SimulatedCube& cube = radio.add_cube();
    cubes::CubeSystem cubes{loop, radio, store, log};
    CubeRequirementGate gate{cubes.coordinator};
    behavior::Rig rig;

    CubeGateRig() { (void)cubes.comms.prefer(cube.address()); }

    void start(std::string_view base) {
        rig.make_runner();
        rig.runner->add_gate(gate);
        (void)rig.runner->set_base(base);
        tick();
    }
    /// Runs one tick of 60 ms and its consequences.
    void tick() {
        rig.tick(std::chrono::milliseconds(60));
        loop.advance(std::chrono::milliseconds(60));
    }
    void run(Duration time) {
        for (const Instant end = loop.clock().now() + time; loop.clock().now() < end;) tick();
    }
    /// Connects the cube through another subscriber.
    void connect_by_hand() {
        (void)cubes.comms.connect();
        loop.advance(std::chrono::seconds(2));
    }
    using Subscribers = std::vector<std::pair<std::string, cubes::ConnectionType>>;
    Subscribers subscribers() const {
        Subscribers all;
        for (const cubes::SubscriberStatus& each : cubes.coordinator.status().subscribers)
            all.emplace_back(each.name, each.type);
        return all;
    }
};

}  // namespace caribou::robot
