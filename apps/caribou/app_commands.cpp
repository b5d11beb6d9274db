// The commands that are apps: `caribou logger`, `timer-script` and `process-watch`, and those of a simulated
// vehicle, `marine-sim`, `marine-pid`, `node-reporter` and `helm`.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "caribou/logger_app.hpp"
#include "caribou/own_app.hpp"
#include "caribou/process_watch_app.hpp"
#include "caribou/timer_script_app.hpp"
#include "marine/autopilot_app.hpp"
#include "marine/helm_app.hpp"
#include "marine/node_reporter_app.hpp"
#include "marine/vehicle_app.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

constexpr const char* tools_document = "docs/tools.md";
constexpr const char* marine_document = "docs/marine.md";

/// An app that takes the place of another program: unknown words of its block are warnings.
bus::AppSettings in_place_of(const char* name) {
    return {.name = name, .unknown_keys = bus::UnknownKeys::warn};
}
bus::AppSettings in_place_of(const char* name, double tick) {
    bus::AppSettings settings = in_place_of(name);
    settings.app_tick = settings.max_app_tick = tick;
    return settings;
}

std::unique_ptr<Command> command_of(AppCommand::About about) {
    return std::make_unique<AppCommand>(std::move(about));
}

template <class App>
std::unique_ptr<bus::App> make_plain(bus::AppFrame& frame, const std::string&) {
    return std::make_unique<App>(frame);
}
template <class App>
std::unique_ptr<bus::App> make_with_mission(bus::AppFrame& frame, const std::string& mission) {
    return std::make_unique<App>(frame, mission);
}

/// Returns a file named in a mission: beside the mission, or else in the working folder.
Result<std::pair<std::string, std::string>> read_beside(const std::string& mission, const std::string& name) {
    const std::filesystem::path beside = std::filesystem::path(mission).parent_path() / name;
    std::error_code ignored;
    const std::string path =
        std::filesystem::exists(beside, ignored) ? beside.lexically_normal().string() : name;
    auto text = read_text_file(path);
    if (!text) return fail(std::move(text.error()));
    return std::pair(path, std::move(*text));
}

std::unique_ptr<bus::App> make_helm_app(bus::AppFrame& frame, const std::string& mission) {
    return std::make_unique<marine::HelmApp>(
        frame, [mission](const std::string& name) { return read_beside(mission, name); });
}

}  // namespace

std::unique_ptr<Command> make_logger_command() {
    return command_of({"logger", "Log the variables of a mission, like pLogger", tools_document,
                       in_place_of("pLogger"), make_with_mission<LoggerApp>});
}

std::unique_ptr<Command> make_timer_script_command() {
    return command_of({"timer-script", "Publish values at times, from a script", tools_document,
                       in_place_of("uTimerScript"), make_plain<TimerScriptApp>});
}

std::unique_ptr<Command> make_process_watch_command() {
    return command_of({"process-watch", "Publish which programs of a community are missing", tools_document,
                       in_place_of("uProcessWatch"), make_with_mission<ProcessWatchApp>});
}

std::unique_ptr<Command> make_marine_sim_command() {
    return command_of({"marine-sim", "Simulate a marine vehicle", marine_document,
                       in_place_of("uSimMarine", 10), make_plain<marine::VehicleApp>});
}

std::unique_ptr<Command> make_marine_pid_command() {
    return command_of({"marine-pid", "Control heading, speed and depth of a marine vehicle", marine_document,
                       in_place_of("pMarinePID", 20), make_plain<marine::AutopilotApp>});
}

std::unique_ptr<Command> make_node_reporter_command() {
    return command_of({"node-reporter", "Publish where a vehicle is in NODE_REPORT_LOCAL", marine_document,
                       in_place_of("pNodeReporter", 4), make_plain<marine::NodeReporterApp>});
}

std::unique_ptr<Command> make_helm_command() {
    bus::AppSettings settings = in_place_of("helm", 4);
    settings.unknown_keys = bus::UnknownKeys::refuse;
    return command_of({"helm", "Drive a vehicle by a tree of behaviors, with the variables of pHelmIvP",
                       marine_document, settings, make_helm_app});
}

}  // namespace caribou::app
