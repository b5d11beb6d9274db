#include "marine/autopilot.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "marine/angles.hpp"

namespace caribou::marine {
namespace {

constexpr std::array<std::string_view, Autopilot::input_count> input_names{
    "DesHdg", "DesSpd", "NavHdg", "NavSpd", "DesDep", "NavDep", "NavPitch"};
constexpr double least_thrust = 0.01;

bool is_desired(std::size_t input) {
    return input < 2 || input == std::size_t(Autopilot::Input::desired_depth);
}

}  // namespace

Autopilot::Autopilot(const AutopilotSettings& settings)
    : settings_(settings),
      yaw_(settings.yaw),
      speed_(settings.speed),
      depth_(settings.depth),
      pitch_(settings.pitch) {}

void Autopilot::set(Input input, double value, double time) {
    if (overridden_) return;
    inputs_[std::size_t(input)] = {value, time};
}

void Autopilot::set_override(bool overridden) {
    if (overridden && !overridden_) inputs_ = {};
    overridden_ = overridden;
}

std::string Autopilot::stale_input(double now) const {
    // Orders that are stale as well are a consequence: a helm without navigation gives none.
    for (const bool of_helm : {false, true})
        for (std::size_t i = 0; i < used(); ++i) {
            if (!inputs_[i].time || is_desired(i) != of_helm) continue;
            const double age = now - *inputs_[i].time;
            if (age > (of_helm ? settings_.helm_limit : settings_.nav_limit))
                return fmt::format("Stale {}:{:.3f}", input_names[i], age);
        }
    return {};
}

Autopilot::Step Autopilot::step(double now) {
    Step step;
    const bool complete = std::all_of(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(used()),
                                      [](const Received& input) { return input.time.has_value(); });
    if (!overridden_) step.stale = stale_input(now);
    step.has_control = !overridden_ && complete && step.stale.empty();
    if (step.has_control) {
        step.orders = control(now);
    } else if (had_control_) {
        step.orders = Orders{};
        if (settings_.depth_control) step.orders->elevator = 0;
        thrust_ = 0;
    }
    had_control_ = step.has_control;
    return step;
}

Autopilot::Orders Autopilot::control(double now) {
    Orders orders;
    const double desired = of(Input::desired_speed).value;
    thrust_ = settings_.speed_factor != 0 ? settings_.speed_factor * desired
                                          : thrust_ + speed_.step(desired - of(Input::nav_speed).value, now);
    if (thrust_ < least_thrust) thrust_ = 0;
    thrust_ = std::min(thrust_, settings_.speed.maximum);
    orders.thrust = thrust_;
    const double off = folded_180(of(Input::nav_heading).value - of(Input::desired_heading).value);
    const double rudder = -yaw_.step(off, now);
    if (thrust_ > 0) orders.rudder = rudder;
    if (!settings_.depth_control) return orders;
    const double wanted =
        std::clamp(depth_.step(of(Input::nav_depth).value - of(Input::desired_depth).value, now),
                   -in_radians(settings_.depth.maximum), in_radians(settings_.depth.maximum));
    const double elevator = in_degrees(pitch_.step(of(Input::nav_pitch).value - wanted, now));
    orders.elevator = std::clamp(elevator, -settings_.pitch.maximum, settings_.pitch.maximum);
    return orders;
}

}  // namespace caribou::marine
