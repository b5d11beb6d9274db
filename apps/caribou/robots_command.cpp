// `caribou robots`: lists the robots of a station.

#include <cstdio>
#include <string>

#include <fmt/format.h>

#include "base/json_text.hpp"
#include "caribou/station_link.hpp"

namespace caribou::app {
namespace {

using station::FleetPicture;
using station::RobotPicture;

std::string age_of(const RobotPicture& robot, double now) {
    return robot.at ? fmt::format("{:.1f}{}", std::max(0.0, now - *robot.at), robot.stale ? "!" : "") : "-";
}

/// Returns the run mode, or the state of a robot whose telemetry is stale: "lost", "asleep" or "off".
std::string_view run_of(const RobotPicture& robot) {
    if (robot.run_mode.empty()) return "-";
    if (!robot.stale) return robot.run_mode;
    if (robot.run_mode == "RM0") return "off";
    return robot.run_mode == "RM1" && robot.waits_for == "TimedSleep" ? "asleep" : "lost";
}

std::string notes_of(const RobotPicture& robot) {
    std::string notes = robot.stopped ? "STOPPED " : "";
    if (run_of(robot) == "lost") notes += fmt::format("was {} ", robot.run_mode);
    for (const std::string& fault : robot.faults) notes += fault + " ";
    if (!robot.why.empty()) notes += robot.why + " ";
    if (!robot.reason.empty()) notes += robot.reason;
    return notes;
}

std::string table(const FleetPicture& picture) {
    std::string text = fmt::format("{:<16} {:<6} {:<6} {:>8} {:>7} {:>16} {:<14} {}\n", "ROBOT", "MODE",
                                   "RUN", "BATTERY", "AGE", "AT", "DRIVER", "NOTES");
    for (const auto& [name, robot] : picture.robots())
        text += fmt::format("{:<16} {:<6} {:<6} {:>8} {:>7} {:>16} {:<14} {}\n", name, robot.mode,
                            run_of(robot), robot.at ? fmt::format("{:.0f} %", robot.battery * 100) : "-",
                            age_of(robot, picture.now()),
                            robot.at ? fmt::format("{:.2f} {:.2f}", robot.pose.x, robot.pose.y) : "-",
                            robot.driver.empty() ? "-" : robot.driver, notes_of(robot));
    if (const std::string refused = to_string(picture.refused()); !refused.empty())
        text += fmt::format("The station has refused {}.\n", refused);
    return text;
}

std::string json(const FleetPicture& picture) {
    std::string list;
    for (const auto& [name, robot] : picture.robots())
        list += fmt::format(
            R"({}{{"name":{},"mode":{},"run_mode":{},"battery":{:.2f},"age":{},"x":{:.3f},"y":{:.3f},"stopped":{},"stale":{},"driver":{}}})",
            list.empty() ? "" : ",\n ", json_quoted(name), json_quoted(robot.mode),
            json_quoted(robot.run_mode), robot.battery,
            robot.at ? json_fixed(picture.now() - *robot.at, 2) : "null", robot.pose.x, robot.pose.y,
            robot.stopped, robot.stale, json_quoted(robot.driver));
    return "[" + list + "]\n";
}

class RobotsCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("robots", "Lists the robots of a running station");
        parser->add_flag("--json", json_, "As a JSON array");
        add_station_options(*parser, station_);
        parser->footer(
            "MODE is the station's: wait, shake, run1, run2. RUN is the robot's run mode, or lost, asleep or "
            "off\n"
            "when its telemetry is stale. AGE is that of the telemetry, in seconds; ! marks what is stale: "
            "run\n"
            "mode, battery and place are then of that time. AT is in meters.\n"
            "Examples:\n"
            "  caribou robots\n"
            "  caribou robots --json | jq -r '.[] | select(.battery < 0.2) | .name'");
        return parser;
    }

    Exit run() override {
        StationLink link("robots", station_);
        if (auto connected = link.connect(); !connected) return link.complain(connected.error().message);
        fmt::print("{}", json_ ? json(link.picture()) : table(link.picture()));
        return Exit::ok;
    }

private:
    StationOptions station_;
    bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_robots_command() { return std::make_unique<RobotsCommand>(); }

}  // namespace caribou::app
