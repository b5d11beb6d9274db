#pragma once

#include <optional>
#include <string_view>

#include "data/foxglove_scene_update.hpp"
#include "data/places.hpp"
#include "data/plan.hpp"
#include "data/route.hpp"

namespace caribou::station {

/// What is drawn of a robot besides its map and its scan. Null: not known.
struct SceneParts {
    const data::Places* places = nullptr;
    const data::Plan* plan = nullptr;
    const data::Route* route = nullptr;
};

/// Returns the whole scene of a robot without its times: the robot itself, the dock, the cubes, the path that
/// the robot plans, and its route.
data::FoxgloveSceneUpdate scene_of(std::string_view robot, const SceneParts& parts);
/// Sets all times. Programs replace the scene before it, and show it until the next.
void set_time(data::FoxgloveSceneUpdate& scene, double at);

}  // namespace caribou::station
