#include "robot/cube_spinner.hpp"

#include <utility>

#include "robot/cube_requirement.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using behavior::Control;
using behavior::Outcome;

constexpr cubes::Color catch_me{0, 255, 0};
constexpr cubes::Color passing{160, 0, 160};

/// Returns a pattern: green on the first LED, purple on the others, half a second on each.
cubes::LightPattern spinner_pattern() {
    cubes::LightPattern pattern{.rotation = cubes::Rotation::clockwise};
    pattern.leds.fill({.on_color = passing, .on_time = 510ms, .off_time = 1530ms});
    pattern.leds[0].on_color = catch_me;
    return pattern;
}

}  // namespace

void post_cube_event(behavior::BehaviorRunner& runner, const cubes::CubeEvent& event) {
    runner.post(cube_topic, std::string(to_string(event.kind)));
}

CubeSpinner::CubeSpinner(std::string id, cubes::CubeLightComponent& lights, SpinnerOptions options)
    : CubeBehavior(std::move(id)), lights_(lights), options_(options) {
    std::ignore = declare(with_cube({CubeRequirement::required_managed}));
}

void CubeSpinner::init(const behavior::View&) { std::ignore = subscribe(cube_topic); }

void CubeSpinner::on_activated(Control& control) {
    hits_ = misses_ = 0;
    if (auto play = lights_.play(cubes::LightLayer::engine, spinner_pattern())) play_ = std::move(*play);
    control.after(options_.time_limit, [](Control& self) {
        std::ignore = self.finish(Outcome::failed("the light was not caught in time"));
    });
}

void CubeSpinner::update(Control& control) {
    for (const behavior::Event* event : control.events())
        if (event->value == behavior::Value("tapped") && control.is_active()) take_tap(control);
}

void CubeSpinner::take_tap(Control& control) {
    ++(lights_.colors()[0] == catch_me ? hits_ : misses_);
    if (hits_ >= options_.hits)
        std::ignore = control.finish(Outcome::succeeded());
    else if (misses_ >= options_.misses)
        std::ignore = control.finish(Outcome::failed("the light was missed too often"));
}

}  // namespace caribou::robot
