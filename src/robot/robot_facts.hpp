#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "behavior/class_registry.hpp"
#include "behavior/facts.hpp"
#include "cubes/cube_sensing.hpp"
#include "cubes/cube_system.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

/// Whether the actions of a tree may set the facts of a robot: only where there is no robot that does.
enum class FactsSetBy : std::uint8_t { robot, tree };

/// Declares all facts that a robot sets, for the check of trees. They are listed in docs/robot-behaviors.md.
/// `bus_variables` are the variables of the bus that are facts, as configured; nullopt: any, because the
/// configuration is not known.
void register_robot_facts(behavior::ClassRegistry& classes, FactsSetBy set_by,
                          const std::optional<std::vector<std::string>>& bus_variables = std::nullopt);

/// Sets what the navigator knows: off_ground, sees_cube, cube_name, cube_distance, knows_dock and hindered.
void set_navigator_facts(behavior::Facts& facts, const Navigator& navigator);

/// Turns the events of the connected cube into facts. An event is a fact that is true for one tick.
class CubeFacts {
public:
    void take(const cubes::CubeEvent& event);
    /// Sets the facts for the next tick. Must be called once before each tick.
    void apply_to(behavior::Facts& facts, const cubes::CubeSystem& cubes);

private:
    bool tapped_ = false;
    bool double_tapped_ = false;
    bool moved_ = false;
    bool turned_ = false;
    bool shaken_ = false;
};

/// Returns which cube is connected or in sight, where it is and how it lies: the facts of cubes that are
/// known and are not events, in every run mode. `navigator` may be null.
std::vector<std::pair<std::string, behavior::Value>> lasting_cube_facts(const cubes::CubeSystem& cubes,
                                                                        const Navigator* navigator,
                                                                        bool is_localized);

}  // namespace caribou::robot
