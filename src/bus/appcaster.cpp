#include "bus/appcaster.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::bus {

void AppCaster::add_config_warning(std::string_view text) {
    if (config_warnings_.size() > max_config_warnings) return;
    config_warnings_.emplace_back(
        config_warnings_.size() == max_config_warnings ? "Further configuration warnings are omitted" : text);
    must_report_ = true;
}

void AppCaster::add_run_warning(std::string_view text) {
    const bool has_room =
        run_warnings_.size() < max_run_warnings || run_warnings_.contains(std::string(text));
    run_warnings_[std::string(has_room ? text : other_run_warnings)] += 1;
    run_warnings_changed_ = true;
}

void AppCaster::retract_run_warning(std::string_view text) {
    if (run_warnings_.erase(std::string(text)) > 0) run_warnings_changed_ = true;
}

void AppCaster::add_event(std::string_view text, Duration since_start) {
    events_.push_back(fmt::format("[{:.2f}]: {}", to_seconds(since_start), text));
    const auto most = static_cast<std::size_t>(std::max(settings_.max_events, 0));
    if (events_.size() > most)
        events_.erase(events_.begin(), events_.end() - static_cast<std::ptrdiff_t>(most));
}

void AppCaster::on_request(std::string_view text, std::string_view app, std::string_view node,
                           Instant warped) {
    const auto request = parse_appcast_request(text);
    if (!request) return;
    const auto meant = [](std::string_view wanted, std::string_view own) {
        return wanted == "all" || wanted == own;
    };
    if (!meant(request->app, app) || !meant(request->node, node)) return;
    if (request->duration <= 0) {
        requests_.erase(request->key);
        return;
    }
    std::erase_if(requests_, [&](const auto& each) { return each.second.expires <= warped; });
    if (requests_.size() >= max_requests && !requests_.contains(request->key)) return;
    requests_[request->key] = {warped + from_seconds(request->duration), request->threshold};
}

bool AppCaster::due(Instant real, Instant warped) {
    if (reported_ && real - last_report_ < from_seconds(settings_.interval)) return false;
    if (must_report_) return true;
    std::erase_if(requests_, [&](const auto& each) { return each.second.expires <= warped; });
    return std::ranges::any_of(requests_, [this](const auto& each) {
        return each.second.threshold == AppCastRequest::Threshold::any || run_warnings_changed_;
    });
}

AppCast AppCaster::take(Instant real) {
    reported_ = true;
    last_report_ = real;
    must_report_ = run_warnings_changed_ = false;
    AppCast cast{.config_warnings = config_warnings_, .events = events_, .run_warnings = run_warnings_};
    for (const auto& [text, count] : run_warnings_) cast.run_warning_total += count;
    return cast;
}

}  // namespace caribou::bus
