#include "robot/cube_places.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/geometry.hpp"
#include "base/suggestion.hpp"

namespace caribou::robot {
namespace {

/// The advertising interval of a cube.
constexpr Duration period = std::chrono::milliseconds(500);
constexpr Duration shake_time = std::chrono::seconds(1);

std::string_view verb_of(std::string_view line) { return line.substr(0, line.find(' ')); }

/// Returns the line without its first word.
std::string_view after_verb(std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::size_t next = line.find_first_not_of(' ', end);
    return next == std::string_view::npos ? "" : line.substr(next);
}

}  // namespace

CubePlaces::CubePlaces(Loop& loop, cubes::SimulatedRadio& radio, Cubes around, Bring bring)
    : loop_(loop),
      around_(std::move(around)),
      bring_(std::move(bring)),
      timer_(loop.make_timer([this] { look(); })) {
    for (const CubeAway& cube : around_()) {
        cubes::SimulatedCubeOptions options{.address = {0xc0be'0000'0001 + cubes_.size()}};
        if (!cube.name.empty()) options.name = cube.name;
        cubes_.push_back(&radio.add_cube(options));
    }
    if (!cubes_.empty()) look();
}

void CubePlaces::look() {
    const std::vector<CubeAway> around = around_();
    for (std::size_t i = 0; i < cubes_.size(); ++i) cubes_[i]->set_distance(around.at(i).distance);
    timer_->arm(loop_.clock().now() + period);
}

const std::vector<cubes::CubeCommand>& CubePlaces::commands() {
    static const std::vector<cubes::CubeCommand> all{
        {"tap [CUBE]", "tap a simulated cube"},
        {"shake [CUBE]", "shake it for a second"},
        {"turn AXIS [CUBE]", "turn it so that x_up, x_down, y_up, y_down, z_up or z_down holds"},
        {"bring [CUBE]", "put it in front of the robot"},
    };
    return all;
}

bool CubePlaces::knows(std::string_view line) {
    return std::ranges::any_of(commands(), [&](const cubes::CubeCommand& command) {
        return verb_of(command.usage) == verb_of(line);
    });
}

Result<std::size_t> CubePlaces::find(std::string_view name) const {
    const std::vector<CubeAway> around = around_();
    if (cubes_.empty()) return fail(Code::unavailable, "there is no cube in this world");
    if (name.empty()) {
        const auto nearest = std::ranges::min_element(around, {}, &CubeAway::distance);
        return static_cast<std::size_t>(nearest - around.begin());
    }
    std::vector<std::string> names;
    for (std::size_t i = 0; i < cubes_.size(); ++i) {
        if (cubes_[i]->name() == name || to_string(cubes_[i]->address()) == name) return i;
        names.push_back(cubes_[i]->name());
    }
    return fail(Code::not_found, fmt::format("there is no cube `{}`{}", name, instead_of(name, names)));
}

Result<std::string> CubePlaces::run(std::string_view line) {
    const std::string_view verb = verb_of(line);
    const std::string_view rest = after_verb(line);
    const bool turns = verb == "turn";
    const auto axis = turns ? cubes::up_axis_from(verb_of(rest)) : cubes::UpAxis::z_up;
    if (!axis) return fail(axis.error());
    const auto found = find(turns ? after_verb(rest) : rest);
    if (!found) return fail(found.error());
    cubes::SimulatedCube& cube = *cubes_[*found];
    if (verb == "bring") {
        if (!bring_) return fail(Code::unavailable, "this cube is in no world; it cannot be moved");
        if (auto brought = bring_(*found); !brought) return fail(std::move(brought.error()));
        look();
        return fmt::format("{} is in front of the robot", cube.name());
    }
    if (verb == "tap") cube.tap();
    if (verb == "shake") cube.shake_until(loop_.clock().now() + shake_time);
    if (turns) cube.turn(*axis);
    return fmt::format("{}: {}", cube.name(), turns ? "turned" : verb == "tap" ? "tapped" : "shaken");
}

std::vector<Pixel> CubePlaces::lights() const {
    std::vector<Pixel> all;
    for (const cubes::SimulatedCube* const cube : cubes_) {
        Pixel light;
        for (const cubes::Color& led : cube->leds(loop_.clock().now()))
            light = {std::max(light.red, led.red), std::max(light.green, led.green),
                     std::max(light.blue, led.blue)};
        all.push_back(light);
    }
    return all;
}

Result<void> bring_cube(world::World& world, world::RobotId robot, world::CubeId cube) {
    constexpr double gap = 0.25;   // m between the hull and the middle of the cube
    constexpr double aside = 0.6;  // rad
    const Pose& pose = world.pose(robot);
    const double away = world.model(robot).radius + gap;
    Result<void> outcome;
    for (const double bearing : {0.0, aside, -aside}) {
        const double angle = pose.heading + bearing;
        outcome = world.move_cube(cube, {pose.x + away * std::cos(angle), pose.y + away * std::sin(angle)});
        if (outcome) return outcome;
    }
    return outcome;
}

std::vector<CubeAway> cubes_around(const world::World& world, world::RobotId robot) {
    std::vector<CubeAway> all;
    for (std::size_t cube = 0; cube < world.cube_count(); ++cube)
        all.push_back(
            {world.plan().cubes.at(cube).name, distance(position(world.pose(robot)), world.cube_at(cube))});
    return all;
}

}  // namespace caribou::robot
