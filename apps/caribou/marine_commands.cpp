// `caribou marine-sim`, `marine-pid`, `node-reporter` and `helm`: the apps of a simulated vehicle.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caribou/commands.hpp"
#include "kit/bus/app_main.hpp"
#include "marine/autopilot_app.hpp"
#include "marine/helm_app.hpp"
#include "marine/node_reporter_app.hpp"
#include "marine/vehicle_app.hpp"
#include "platform/text_file.hpp"

namespace caribou::app {
namespace {

/// A command that is an app with the command line of MOOS apps.
class MarineCommand final : public Command {
public:
    using Make = std::unique_ptr<bus::App> (*)(bus::AppFrame&, const std::vector<std::string>& words);
    struct About {
        const char* command;
        const char* what;
        const char* app;  ///< name of the app and of its block
        double tick;
        Make make;
        bus::UnknownKeys unknown_keys = bus::UnknownKeys::warn;
    };
    explicit MarineCommand(const About& about) : about_(about) {}

    CLI::App* add_to(CLI::App& program) override {
        parser_ = program.add_subcommand(about_.command, about_.what);
        parser_->footer(std::string("It is an app with the block ") + about_.app + ":\n  caribou " +
                        about_.command +
                        " [MISSION.moos [NAME]] [--PARAMETER=value]…\n"
                        "--example prints all parameters. docs/marine.md describes it.");
        parser_->prefix_command();
        return parser_;
    }

    Exit run() override {
        std::vector<std::string> words = parser_->remaining();
        words.insert(words.begin(), about_.app);
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        return static_cast<Exit>(
            run_app(static_cast<int>(arguments.size()), arguments.data(),
                    bus::AppSettings{.name = about_.app,
                                     .unknown_keys = about_.unknown_keys,
                                     .app_tick = about_.tick,
                                     .max_app_tick = about_.tick},
                    [&](bus::AppFrame& frame, Network&) { return about_.make(frame, words); }));
    }

    std::unique_ptr<bus::App> make_app(bus::AppFrame& frame, Network&) const override {
        return about_.make(frame, {});
    }

private:
    About about_;
    CLI::App* parser_ = nullptr;
};

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

template <class App>
std::unique_ptr<bus::App> make_plain(bus::AppFrame& frame, const std::vector<std::string>&) {
    return std::make_unique<App>(frame);
}

std::unique_ptr<bus::App> make_helm_app(bus::AppFrame& frame, const std::vector<std::string>& words) {
    std::string mission;
    for (const std::string& word : words)
        if (word.ends_with(".moos") || word.ends_with(".moos++") || word.ends_with(".toml")) mission = word;
    return std::make_unique<marine::HelmApp>(
        frame, [mission](const std::string& name) { return read_beside(mission, name); });
}

}  // namespace

std::unique_ptr<Command> make_marine_sim_command() {
    return std::make_unique<MarineCommand>(MarineCommand::About{
        "marine-sim", "Simulate a marine vehicle", "uSimMarine", 10, make_plain<marine::VehicleApp>});
}

std::unique_ptr<Command> make_marine_pid_command() {
    return std::make_unique<MarineCommand>(
        MarineCommand::About{"marine-pid", "Control heading, speed and depth of a marine vehicle",
                             "pMarinePID", 20, make_plain<marine::AutopilotApp>});
}

std::unique_ptr<Command> make_node_reporter_command() {
    return std::make_unique<MarineCommand>(
        MarineCommand::About{"node-reporter", "Publish where a vehicle is in NODE_REPORT_LOCAL",
                             "pNodeReporter", 4, make_plain<marine::NodeReporterApp>});
}

std::unique_ptr<Command> make_helm_command() {
    return std::make_unique<MarineCommand>(
        MarineCommand::About{"helm", "Drive a vehicle by a tree of behaviors, with the variables of pHelmIvP",
                             "helm", 4, make_helm_app, bus::UnknownKeys::refuse});
}

}  // namespace caribou::app
