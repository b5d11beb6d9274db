#include "marine/helm_app.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bus/app_settings.hpp"

namespace caribou::marine {

HelmApp::HelmApp(bus::AppFrame& frame, ReadFile read) : App(frame), read_(std::move(read)) {
    auto& words = parameters();
    words.add(
        "behaviors", behaviors_, [this](auto text) { return check_behaviors(std::string(text)); },
        "file with the tree of behaviors");
    words.add("start_in_drive", start_in_drive_, "have control without MOOS_MANUAL_OVERRIDE = false");
    words.add("ok_skew", skew_limit_, {0, 1e6}, "seconds by which values may differ in time");
    appcast([this] {
        return fmt::format("State:    {}\nAll-stop: {}\nBehavior: {}\n", helm_->drives() ? "DRIVE" : "PARK",
                           helm_->allstop(), helm_->active_behavior());
    });
}

Result<void> HelmApp::check_behaviors(const std::string& name) const {
    const auto file = read_(name);
    if (!file) return fail(file.error());
    const auto helm = Helm::make({}, file->first, file->second);
    if (!helm) return fail(helm.error().code, "the tree has errors\n" + helm.error().message);
    return {};
}

Result<void> HelmApp::on_start_up() {
    if (behaviors_.empty())
        return fail(Code::invalid_argument,
                    fmt::format("block {}: expected `behaviors = FILE.json`, found none", name()));
    const auto file = read_(behaviors_);
    if (!file) return fail(file.error());
    HelmSettings settings{.start_in_drive = start_in_drive_};
    if (const std::string& community = App::settings().community; !community.empty())
        settings.vehicle = community;
    auto helm = Helm::make(std::move(settings), file->first, file->second);
    if (!helm) return fail(std::move(helm.error()));
    helm_ = std::move(*helm);
    return {};
}

Result<void> HelmApp::on_connect_to_server() {
    for (const std::string& variable : helm_->variables()) register_variable(variable);
    return {};
}

Result<void> HelmApp::on_new_mail(std::span<const wire::Message> mail) {
    for (const wire::Message& message : mail) {
        if (message.source != name() && std::abs(stamp() - message.time) > skew_limit_) {
            // The broker delivers the latest values, which may be older than this program.
            if (iteration_ > 0) add_run_warning(fmt::format("ignored {}: its time is off", message.key));
            continue;
        }
        if (message.is_number()) helm_->on_value(message.key, message.value, message.time);
        if (message.is_string()) helm_->on_value(message.key, message.payload, message.time);
    }
    return {};
}

Result<void> HelmApp::iterate() {
    if (!comms().connected()) return {};
    ++iteration_;
    const std::string aux = fmt::format("{}:{}", iteration_, helm_->active_behavior());
    for (const HelmPost& post : helm_->step(now(), stamp())) {
        const bool is_view = post.variable.starts_with("VIEW_") || post.variable.starts_with("WPT_");
        const bus::NotifyOptions with{.aux = is_view ? std::string_view(aux) : std::string_view()};
        if (const auto* number = std::get_if<double>(&post.value))
            notify(post.variable, *number, with);
        else
            notify(post.variable, std::string_view(std::get<std::string>(post.value)), with);
    }
    constexpr const char* no_nav = "all-stop: NAV_X, NAV_Y, NAV_HEADING or NAV_SPEED is missing or stale";
    if (const bool lacks = helm_->lacks_nav(stamp()); lacks != std::exchange(lacked_nav_, lacks)) {
        if (lacks)
            add_run_warning(no_nav);
        else
            retract_run_warning(no_nav);
    }
    return {};
}

}  // namespace caribou::marine
