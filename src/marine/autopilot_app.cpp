#include "marine/autopilot_app.hpp"

#include <fmt/format.h>

#include "marine/autopilot_words.hpp"

namespace caribou::marine {

AutopilotApp::AutopilotApp(bus::AppFrame& frame) : App(frame) {
    declare_autopilot(parameters(), settings_);
    parameters().add("ignore_nav_yaw", ignores_yaw_, "use NAV_HEADING only");
    appcast([this] { return fmt::format("Has control: {}\n{}\n", had_control_.value_or(false), stale_); });
}

Result<void> AutopilotApp::on_start_up() {
    autopilot_.emplace(settings_);
    return {};
}

Result<void> AutopilotApp::on_connect_to_server() {
    for (const std::string_view variable : autopilot_variables)
        if (variable != "NAV_YAW" || !ignores_yaw_) register_variable(variable);
    return {};
}

Result<void> AutopilotApp::on_new_mail(std::span<const wire::Message> mail) {
    for (const wire::Message& message : mail) pass_to(*autopilot_, message);
    return {};
}

Result<void> AutopilotApp::iterate() {
    if (!comms().connected()) return {};
    const auto step = autopilot_->step(stamp());
    if (step.orders) {
        notify("DESIRED_RUDDER", step.orders->rudder);
        notify("DESIRED_THRUST", step.orders->thrust);
        if (step.orders->elevator) notify("DESIRED_ELEVATOR", *step.orders->elevator);
    }
    if (had_control_ != step.has_control) notify("PID_HAS_CONTROL", step.has_control ? "true" : "false");
    had_control_ = step.has_control;
    if (stale_.empty() && !step.stale.empty()) notify("PID_STALE", step.stale);
    stale_ = step.stale;
    // Without the age, so that it remains the same warning.
    std::string warning = stale_.empty() ? "" : "no control: " + stale_.substr(0, stale_.find(':'));
    if (warning == warning_) return {};
    if (!warning_.empty()) retract_run_warning(warning_);
    if (!warning.empty()) add_run_warning(warning);
    warning_ = std::move(warning);
    return {};
}

}  // namespace caribou::marine
