#include "robot/cube_classes.hpp"

#include <memory>
#include <utility>

#include "robot/connect_to_cube.hpp"
#include "robot/cube_lights_action.hpp"
#include "robot/cube_requirement.hpp"
#include "robot/cube_spinner.hpp"

namespace caribou::robot {
namespace {

using behavior::Arguments;
using behavior::BehaviorClass;
using behavior::LinkedChild;
using behavior::Parameter;

Parameter count(std::string name, std::string about, double fallback) {
    return {.name = std::move(name),
            .kind = Parameter::Kind::count,
            .about = std::move(about),
            .fallback = fallback,
            .min = 1,
            .max = 1000};
}

BehaviorClass connect_to_cube_class() {
    return {.name = "connect_to_cube",
            .about = "has a cube connected, then gives control to its child",
            .parameters = {{.name = "get_in",
                            .kind = Parameter::Kind::action,
                            .about = "child while the cube is being connected"}},
            .min_children = 1,
            .max_children = 1,
            .ensures = {std::string(ensures_cube_connection_at_delegation)},
            .make =
                [](std::string id, const Arguments& arguments) {
                    return std::make_unique<ConnectToCube>(std::move(id), arguments.action("get_in"));
                },
            .link = behavior::link_as<ConnectToCube>(
                [](ConnectToCube& made, std::span<const LinkedChild> children) -> Result<void> {
                    made.set_child(children.front().behavior);
                    return {};
                })};
}

BehaviorClass cube_spinner_class(cubes::CubeSystem& cubes) {
    return {.name = "cube_spinner",
            .about = "a game: catch the light that runs round the cube, by a tap",
            .parameters = {count("hits", "to win", 3),
                           count("misses", "to lose", 3),
                           {.name = "time_limit",
                            .kind = Parameter::Kind::duration,
                            .about = "when it is lost",
                            .fallback = SpinnerOptions{}.time_limit}},
            .needs_ensured = {std::string(ensures_cube_connection_at_delegation)},
            .make = [&cubes](std::string id, const Arguments& arguments) {
                return std::make_unique<CubeSpinner>(
                    std::move(id), cubes.lights,
                    SpinnerOptions{.hits = arguments.count("hits"),
                                   .misses = arguments.count("misses"),
                                   .time_limit = arguments.duration("time_limit")});
            }};
}

behavior::ActionClass cube_lights_class(cubes::CubeSystem& cubes) {
    return {.name = "cube_lights",
            .about = "lights the connected cube in one color for a while; fails without one",
            .parameters = {{.name = "cube_lights",
                            .kind = Parameter::Kind::word,
                            .about = "the color",
                            .required = true,
                            .words = cube_color_names()},
                           {.name = "for",
                            .kind = Parameter::Kind::duration,
                            .about = "how long",
                            .fallback = Duration(std::chrono::seconds(2))},
                           {.name = "blink",
                            .kind = Parameter::Kind::duration,
                            .about = "time on, and time off; 0s: steady",
                            .fallback = Duration{0},
                            .max = 60}},
            .should_be_ensured = std::string(ensures_cube_connection_at_delegation),
            .or_fact = "cube_connected",
            .make = [&cubes](const Arguments& arguments) {
                return std::make_unique<CubeLightsAction>(
                    cubes, CubeLightsAction::Options{.color = cube_color(arguments.text("cube_lights")),
                                                     .time = arguments.duration("for"),
                                                     .blink = arguments.duration("blink")});
            }};
}

}  // namespace

void register_cube_classes(behavior::ClassRegistry& classes, cubes::CubeSystem& cubes) {
    register_cube_requirements(classes);
    classes.add(connect_to_cube_class());
    classes.add(cube_spinner_class(cubes));
    classes.add(cube_lights_class(cubes));
}

}  // namespace caribou::robot
