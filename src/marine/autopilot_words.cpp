#include "marine/autopilot_words.hpp"

#include "marine/angles.hpp"
#include "marine/fields.hpp"

namespace caribou::marine {
namespace {

constexpr std::array<std::string_view, 15> autopilot_words{
    "yaw_pid_kp",        "yaw_pid_kd",   "yaw_pid_ki",   "yaw_pid_integral_limit",
    "speed_pid_kp",      "speed_pid_kd", "speed_pid_ki", "speed_pid_integral_limit",
    "z_to_pitch_pid_kp", "pitch_pid_kp", "maxrudder",    "maxthrust",
    "maxpitch",          "maxelevator",  "speed_factor"};

void declare_gains(bus::Parameters& words, const std::string& prefix, PidGains& gains) {
    constexpr bus::Range gain{.low = -1e6, .high = 1e6};
    words.add(prefix + "_pid_kp", gains.kp, gain, "proportional gain");
    words.add(prefix + "_pid_kd", gains.kd, gain, "derivative gain");
    words.add(prefix + "_pid_ki", gains.ki, gain, "integral gain");
    words.add(prefix + "_pid_integral_limit", gains.integral_limit, gain, "limit of the integral part");
}

}  // namespace

void declare_autopilot(bus::Parameters& words, AutopilotSettings& settings) {
    declare_gains(words, "yaw", settings.yaw);
    declare_gains(words, "speed", settings.speed);
    declare_gains(words, "z_to_pitch", settings.depth);
    declare_gains(words, "pitch", settings.pitch);
    words.add("maxrudder", settings.yaw.maximum, {0, 100}, "largest rudder");
    words.add("maxthrust", settings.speed.maximum, {0, 100}, "largest thrust");
    words.add("maxpitch", settings.depth.maximum, {0, 90}, "largest pitch, degrees");
    words.add("maxelevator", settings.pitch.maximum, {0, 100}, "largest elevator");
    words.add("speed_factor", settings.speed_factor, {0, 1000},
              "thrust per m/s; 0: thrust by the gains of the speed");
    words.add("depth_control", settings.depth_control, "control the depth with the elevator");
    words.add("tardy_helm_threshold", settings.helm_limit, {0.1, 3600}, "seconds until an order is stale");
    words.add("tardy_nav_threshold", settings.nav_limit, {0.1, 3600}, "seconds until navigation is stale");
}

bool has_autopilot_words(const bus::Parameters& words) {
    for (const std::string_view word : autopilot_words)
        if (words.is_set(word)) return true;
    return false;
}

void pass_to(Autopilot& autopilot, const wire::Message& message) {
    using Input = Autopilot::Input;
    const std::string_view key = message.key;
    if (message.is_string() && key.starts_with("MOOS_MANUAL_OVER")) {
        if (const auto truth = truth_in(message.payload)) autopilot.set_override(*truth);
        return;
    }
    if (!message.is_number()) return;
    constexpr std::pair<std::string_view, Input> inputs[] = {{"DESIRED_HEADING", Input::desired_heading},
                                                             {"DESIRED_SPEED", Input::desired_speed},
                                                             {"DESIRED_DEPTH", Input::desired_depth},
                                                             {"NAV_HEADING", Input::nav_heading},
                                                             {"NAV_SPEED", Input::nav_speed},
                                                             {"NAV_DEPTH", Input::nav_depth},
                                                             {"NAV_PITCH", Input::nav_pitch}};
    for (const auto& [name, input] : inputs)
        if (key == name) autopilot.set(input, message.value, message.time);
    if (key == "NAV_YAW")
        autopilot.set(Input::nav_heading, folded_360(-in_degrees(message.value)), message.time);
    if (key == "SPEED_FACTOR") autopilot.set_speed_factor(message.value);
}

}  // namespace caribou::marine
