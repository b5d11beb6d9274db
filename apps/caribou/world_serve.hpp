#pragma once

#include <string>

#include "caribou/commands.hpp"
#include "world/world_plan.hpp"

namespace caribou::app {

struct WorldServeOptions {
    std::string socket;
    std::string trace;  ///< empty: none
};

/// Serves a world to robots of other processes until a signal ends it.
Exit serve_world(world::WorldPlan plan, const std::string& file, const WorldServeOptions& options);

/// Drives the robot `name` of the world at `socket`, as the driver process of a robot.
Exit drive_in_world(const std::string& socket, const std::string& name);

}  // namespace caribou::app
