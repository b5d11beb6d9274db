#pragma once

#include <utility>

#include "loop/clock.hpp"
#include "world/world.hpp"

namespace caribou::robot {

/// A world that is where the clock is whenever somebody looks: in real time on a robot's loop, as
/// fast as possible on a virtual one.
class RunningWorld {
public:
    RunningWorld(world::World world, const Clock& clock)
        : world_(std::move(world)), clock_(clock), start_(clock.now() - world_.now()) {}

    world::World& now() {
        if (const Duration behind = clock_.now() - start_ - world_.now(); behind >= world::World::tick)
            world_.advance(behind / world::World::tick * world::World::tick);
        return world_;
    }

private:
    world::World world_;
    const Clock& clock_;
    Instant start_;
};

}  // namespace caribou::robot
