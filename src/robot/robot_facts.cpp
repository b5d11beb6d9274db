#include "robot/robot_facts.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/geometry.hpp"
#include "robot/cube_localization.hpp"

namespace caribou::robot {
namespace {

using behavior::FactDeclaration;
using Type = FactDeclaration::Type;

FactDeclaration flag(std::string_view name, std::string about) {
    return {.name = std::string(name), .about = std::move(about)};
}
FactDeclaration number(std::string_view name, std::string unit, std::string about,
                       double min = -FactDeclaration::unbounded, double max = FactDeclaration::unbounded) {
    return {.name = std::string(name),
            .about = std::move(about),
            .type = Type::number,
            .unit = std::move(unit),
            .min = min,
            .max = max};
}
FactDeclaration text(std::string_view name, std::string about) {
    return {.name = std::string(name), .about = std::move(about), .type = Type::text};
}

std::vector<FactDeclaration> body_facts() {
    return {number("battery", "%", "charge of the battery", 0, 100),
            text("battery_state", "`good`, `low` and so on, as in telemetry"),
            flag(behavior::fact_charging, "it is on its charger, and a current flows"),
            flag("on_charger", "it is on its charger"),
            flag(behavior::fact_off_ground, "it is lifted or has tipped over"),
            {.name = std::string(behavior::fact_carrying),
             .about = "it carries something; set by programs that control a gripper",
             .fallback = behavior::Value(false)},
            flag("stuck", "propulsion reports that it does not move"),
            flag("stopped", "a stop is in effect"),
            text("motion_reason", "why it does not move as ordered, as in telemetry"),
            number("nearest", "m", "distance to the nearest obstacle", 0, 100),
            number("x", "m", "position on the map"),
            number("y", "m", "position on the map"),
            number("heading", "rad", "direction on the map"),
            flag("hindered", "it made no progress; until it gets on, or a `back_off`"),
            flag("knows_dock", "it has seen its dock"),
            flag("dock_wanted", "the command `dock` is in effect"),
            flag("go_wanted", "the command `go` is in effect")};
}

/// Values of variables of the bus, and their ages.
std::vector<FactDeclaration> bus_facts(const std::optional<std::vector<std::string>>& variables) {
    return {
        {.name = "bus:", .about = "a variable of the bus that `ai.bus_facts` names", .members = variables},
        {.name = "bus_age:",
         .about = "the age in seconds of a variable that `ai.bus_facts` names",
         .members = variables}};
}

std::vector<FactDeclaration> cube_facts() {
    return {
        flag("sees_cube", "it sees a cube"),
        number("cube_distance", "m", "distance to the nearest cube in sight; unknown without one", 0, 100),
        text("cube_name", "its name; empty if there is none, or the face is not recognized"),
        flag("cube_connected", "a cube is connected"),
        text("connected_cube", "the name of the connected cube; empty without one"),
        text("connected_cube_address", "its address, such as `c0:be:00:00:00:01`; empty without one"),
        flag("cube_localized", "the position of the connected cube is known"),
        flag("cube_tapped", "the connected cube was tapped, for one tick"),
        flag("cube_double_tapped", "it was tapped twice, for one tick"),
        flag("cube_moved", "it began to move, for one tick"),
        flag("cube_turned", "another side is up, for one tick"),
        flag("cube_shaken", "it was shaken, for one tick"),
        flag("cube_moving", "it moves"),
        text("cube_up_axis", "the side that is up: `x_up`, `x_down`, …, `z_down`, or `unknown`")};
}

}  // namespace

void register_robot_facts(behavior::ClassRegistry& classes, FactsSetBy set_by,
                          const std::optional<std::vector<std::string>>& bus_variables) {
    for (const auto& facts : {body_facts(), cube_facts(), bus_facts(bus_variables)})
        for (FactDeclaration fact : facts) {
            fact.is_settable = set_by == FactsSetBy::tree;
            classes.add(std::move(fact));
        }
}

void set_navigator_facts(behavior::Facts& facts, const Navigator& navigator) {
    facts.set(behavior::fact_off_ground, navigator.lifted());
    facts.set("hindered", navigator.hindered());
    facts.set("knows_dock", navigator.dock().has_value());
    const auto& cubes = navigator.sights().cubes;
    facts.set("sees_cube", !cubes.empty());
    facts.set("cube_name", cubes.empty() ? std::string() : cubes.front().name);
    if (cubes.empty())
        facts.clear("cube_distance");
    else
        facts.set("cube_distance", length(position(cubes.front().pose)));
}

void CubeFacts::take(const cubes::CubeEvent& event) {
    using Kind = cubes::CubeEvent::Kind;
    switch (event.kind) {
        case Kind::tapped: tapped_ = true; break;
        case Kind::double_tapped: double_tapped_ = true; break;
        case Kind::moved: moved_ = true; break;
        case Kind::up_axis_changed: turned_ = true; break;
        case Kind::shaken: shaken_ = true; break;
        case Kind::stopped_moving:
        case Kind::battery_low:
        case Kind::accelerometer_failed: break;
    }
}

void CubeFacts::apply_to(behavior::Facts& facts, const cubes::CubeSystem& cubes) {
    const bool connected = cubes.coordinator.connection().has_value();
    facts.set("cube_connected", connected);
    const auto name = name_of_connected(cubes);
    facts.set("connected_cube", name.value_or(""));
    facts.set("connected_cube_address", name ? to_string(*cubes.comms.cube()) : std::string());
    facts.set("cube_tapped", std::exchange(tapped_, false));
    facts.set("cube_double_tapped", std::exchange(double_tapped_, false));
    facts.set("cube_moved", std::exchange(moved_, false));
    facts.set("cube_turned", std::exchange(turned_, false));
    facts.set("cube_shaken", std::exchange(shaken_, false));
    facts.set("cube_moving", connected && cubes.sensing().moving());
    facts.set("cube_up_axis",
              std::string(to_string(connected ? cubes.sensing().up_axis() : cubes::UpAxis::unknown)));
}

std::vector<std::pair<std::string, behavior::Value>> lasting_cube_facts(const cubes::CubeSystem& cubes,
                                                                        const Navigator* navigator,
                                                                        bool is_localized) {
    behavior::Facts facts;
    CubeFacts().apply_to(facts, cubes);
    if (navigator) set_navigator_facts(facts, *navigator);
    facts.set("cube_localized", is_localized);
    constexpr std::array<std::string_view, 8> names{
        "sees_cube",      "cube_name",   "cube_distance", "connected_cube", "connected_cube_address",
        "cube_localized", "cube_moving", "cube_up_axis"};
    std::vector<std::pair<std::string, behavior::Value>> values;
    for (const std::string_view name : names)
        if (const behavior::Value* value = facts.find(name)) values.emplace_back(name, *value);
    return values;
}

}  // namespace caribou::robot
