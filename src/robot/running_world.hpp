#pragma once

#include <functional>
#include <utility>

#include "loop/clock.hpp"
#include "world/world.hpp"

namespace caribou::robot {

/// A world that is advanced to a clock's time whenever it is used: in real time on a robot's loop, as fast as
/// possible on a virtual one.
class RunningWorld {
public:
    /// Time that passes while the world is not used for longer than `longest_gap` is left out, so that the
    /// world stops with a process that is stopped.
    RunningWorld(world::World world, const Clock& clock, Duration longest_gap = Duration::max())
        : world_(std::move(world)),
          clock_(clock),
          start_(clock.now() - world_.now()),
          longest_gap_(longest_gap) {}

    /// Returns the world at the clock's time.
    world::World& now() {
        if (before_advance_) before_advance_();
        return at(clock_.now());
    }
    /// Returns the world at that time, or later if it has already been advanced further.
    world::World& at(Instant time) {
        Duration behind = time - start_ - world_.now();
        if (behind > longest_gap_) {
            start_ += behind - longest_gap_;
            behind = longest_gap_;
        }
        if (behind >= world::World::tick) world_.advance(behind / world::World::tick * world::World::tick);
        return world_;
    }
    /// Sets a handler that now() calls before time advances. It may call at(), but not now().
    void before_advance(std::function<void()> handler) { before_advance_ = std::move(handler); }

private:
    world::World world_;
    const Clock& clock_;
    Instant start_;
    Duration longest_gap_;
    std::function<void()> before_advance_;
};

}  // namespace caribou::robot
