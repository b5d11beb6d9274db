#include "marine/node_reporter_app.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bus/app_settings.hpp"
#include "marine/angles.hpp"
#include "marine/origin.hpp"

namespace caribou::marine {
namespace {

constexpr double position_limit = 5;  ///< seconds, as of the helm

}  // namespace

NodeReporterApp::NodeReporterApp(bus::AppFrame& frame) : App(frame) {
    auto& words = parameters();
    words.add("platform_type", type_, "kayak, auv, ship …");
    words.add("platform_length", length_, {0, 1000}, "meters; 0: usual for the type");
    words.add("platform_color", color_, "color of the vehicle");
    words.add("platform_group", group_, "group of the vehicle");
    words.add("node_report_output", output_, "variable of the reports");
    words.add("nohelm_threshold", helm_limit_, {0, 3600}, "seconds until a silent helm is reported");
    appcast([this] { return fmt::format("Reports: {}\nLatest:  {}\n", reports_, last_); });
}

Result<void> NodeReporterApp::on_start_up() {
    geodesy_ = geodesy_of(settings());
    return {};
}

Result<void> NodeReporterApp::on_connect_to_server() {
    for (const char* const variable :
         {"NAV_X", "NAV_Y", "NAV_LAT", "NAV_LONG", "NAV_SPEED", "NAV_HEADING", "NAV_YAW", "NAV_DEPTH",
          "NAV_ALTITUDE", "IVPHELM_STATE", "IVPHELM_ALLSTOP"})
        register_variable(variable);
    return {};
}

Result<void> NodeReporterApp::on_new_mail(std::span<const wire::Message> mail) {
    constexpr std::pair<std::string_view, std::optional<double> NodeReport::*> places[] = {
        {"NAV_X", &NodeReport::x},          {"NAV_Y", &NodeReport::y},
        {"NAV_LAT", &NodeReport::latitude}, {"NAV_LONG", &NodeReport::longitude},
        {"NAV_SPEED", &NodeReport::speed},  {"NAV_HEADING", &NodeReport::heading},
        {"NAV_DEPTH", &NodeReport::depth},  {"NAV_ALTITUDE", &NodeReport::altitude}};
    constexpr std::string_view positions[] = {"NAV_X", "NAV_Y", "NAV_LAT", "NAV_LONG"};
    for (const wire::Message& message : mail) {
        if (message.is_number() && std::ranges::find(positions, message.key) != std::end(positions))
            nav_time_ = message.time;
        for (const auto& [variable, place] : places)
            if (message.is_number() && message.key == variable) nav_.*place = message.value;
        if (message.is_string() && message.key == "IVPHELM_STATE") {
            helm_state_ = message.payload;
            helm_time_ = message.time;
        }
        if (message.is_string() && message.key == "IVPHELM_ALLSTOP") allstop_ = message.payload;
    }
    return {};
}

void NodeReporterApp::warn_of_old_position() {
    constexpr const char* warning = "the position is stale: the reports repeat the last one";
    const bool is_stale = stamp() - nav_time_ > position_limit;
    if (is_stale == std::exchange(is_stale_, is_stale)) return;
    if (is_stale)
        add_run_warning(warning);
    else
        retract_run_warning(warning);
}

std::string NodeReporterApp::mode() const {
    if (helm_state_.empty()) return "NOHELM-EVER";
    const double age = stamp() - helm_time_;
    return age > helm_limit_ ? fmt::format("NOHELM-{:.0f}", age) : helm_state_;
}

Result<void> NodeReporterApp::iterate() {
    NodeReport report = nav_;
    complete_position(report, geodesy_ ? &*geodesy_ : nullptr);
    if (!comms().connected() || !report.x || !report.y) return {};
    warn_of_old_position();
    report.name = comms().community();
    report.type = type_;
    report.color = color_;
    report.group = group_;
    report.mode = mode();
    report.allstop = allstop_;
    report.index = reports_++;
    report.time = stamp();
    report.length = length_ > 0 ? length_ : usual_length(type_);
    if (report.heading) report.yaw = in_radians(folded_180(90 - *report.heading));
    last_ = to_string(report);
    notify(output_, last_);
    if (reports_ == 1) notify(output_ + "_FIRST", last_);
    return {};
}

}  // namespace caribou::marine
