#include "bus/app.hpp"

#include <utility>

#include <fmt/format.h>

#include "bus/app_frame.hpp"

namespace caribou::bus {

Result<void> App::on_new_mail(std::span<const wire::Message>) { return {}; }

Parameters& App::parameters() { return frame_.parameters(); }
const std::string& App::name() const { return frame_.settings().name; }
Instant App::now() const { return frame_.clock().now(); }
const AppSettings& App::settings() const { return frame_.settings(); }
double App::stamp() const { return frame_.comms().stamp(); }
bool App::is_new(const wire::Message& value) const { return value.time >= frame_.started_at(); }
Log& App::log() { return frame_.log(); }
AppComms& App::comms() { return frame_.comms(); }

void App::notify(std::string_view key, double value, const NotifyOptions& with) {
    frame_.notify(key, value, with);
}
void App::notify(std::string_view key, std::string_view value, const NotifyOptions& with) {
    frame_.notify(key, value, with);
}
void App::notify(std::string_view key, ByteView value, const NotifyOptions& with) {
    frame_.notify(key, value, with);
}

void App::register_variable(std::string_view key, Duration interval) {
    frame_.subscribed(key, frame_.comms().register_variable(key, interval));
}
void App::register_wildcard(std::string_view var_pattern, std::string_view app_pattern, Duration interval) {
    frame_.subscribed(fmt::format("{}:{}", app_pattern, var_pattern),
                      frame_.comms().register_wildcard(var_pattern, app_pattern, interval));
}
void App::unregister_variable(std::string_view key) {
    frame_.unsubscribed(key, frame_.comms().unregister_variable(key));
}

void App::appcast(std::move_only_function<std::string()> text) { frame_.appcast(std::move(text)); }
void App::add_config_warning(std::string_view text) { frame_.caster().add_config_warning(text); }
void App::add_run_warning(std::string_view text) { frame_.caster().add_run_warning(text); }
void App::retract_run_warning(std::string_view text) { frame_.caster().retract_run_warning(text); }
void App::add_event(std::string_view text) { frame_.add_event(text); }

void App::quit() { frame_.finish(); }

}  // namespace caribou::bus
