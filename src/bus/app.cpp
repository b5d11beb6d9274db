#include "bus/app.hpp"

#include <fmt/format.h>

#include "bus/app_frame.hpp"

namespace caribou::bus {

Result<void> App::on_new_mail(std::span<const wire::Message>) { return {}; }

Parameters& App::parameters() { return frame_.parameters(); }
const std::string& App::name() const { return frame_.settings().name; }
Instant App::now() const { return frame_.clock().now(); }
double App::stamp() const { return frame_.client().stamp(); }
Log& App::log() { return frame_.log(); }
Client& App::comms() { return frame_.client(); }

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
    frame_.subscribed(key, frame_.client().register_variable(key, interval));
}
void App::register_wildcard(std::string_view app_pattern, std::string_view var_pattern, Duration interval) {
    frame_.subscribed(fmt::format("{}:{}", app_pattern, var_pattern),
                      frame_.client().register_wildcard(app_pattern, var_pattern, interval));
}
void App::unregister_variable(std::string_view key) {
    frame_.unsubscribed(key, frame_.client().unregister_variable(key));
}

void App::quit() { frame_.finish(); }

}  // namespace caribou::bus
