// `caribou robots`: lists the robots of a station.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "caribou/station_link.hpp"
#include "data/robot_line.hpp"
#include "link/telemetry.hpp"

namespace caribou::app {
namespace {

using station::FleetPicture;
using station::RobotPicture;

std::string age_of(const RobotPicture& robot, const FleetPicture& picture) {
    if (!picture.replay().empty()) return "replay";
    return robot.motion ? fmt::format("{:.1f}{}", std::max(0.0, picture.now() - robot.motion->at),
                                      robot.status.stale ? "!" : "")
                        : "-";
}

/// Returns the run mode that a robot without telemetry has confirmed lately.
std::optional<data::RunMode> confirmed_mode(const RobotPicture& robot, const FleetPicture& picture) {
    const bool is_known = picture.now() - robot.status.acknowledged_mode_at <= station::confirmation_limit;
    return is_known ? robot.status.acknowledged_mode : std::nullopt;
}

/// Returns the run mode of a robot that reports it at present, or "lost", "asleep" or "off".
std::string_view run_of(const RobotPicture& robot, const FleetPicture& picture) {
    switch (robot.status.presence) {
        case data::Presence::unknown:  // of a recording of an earlier version
        case data::Presence::live:
        case data::Presence::telemetry_only:
            return robot.status.robot ? to_string(robot.status.robot->run_mode) : "-";
        case data::Presence::asleep:
        case data::Presence::off:
        case data::Presence::lost: return to_string(robot.status.presence);
        default: break;
    }
    const auto mode = confirmed_mode(robot, picture);
    return mode ? to_string(*mode) : "-";
}

std::string notes_of(const RobotPicture& robot, const FleetPicture& picture) {
    std::vector<std::string> notes;
    const auto add = [&](std::string note) {
        if (!note.empty() && std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
    };
    if (robot.status.presence == data::Presence::telemetry_only) add("telemetry only");
    if (robot.status.presence == data::Presence::no_telemetry) add("no telemetry, commands only");
    if (picture.replay().empty()) add(station::pending_stop_text(robot.status, picture.now()));
    const auto stopped = station::is_stopped(robot.status, picture.now());
    if (stopped.value_or(false)) add("STOPPED");
    if (!stopped && station::was_stopped(robot.status)) add("was STOPPED");
    if (const auto& reported = robot.status.robot) {
        const bool is_off = robot.status.presence == data::Presence::off;
        const std::string_view run = run_of(robot, picture);
        if (run == "lost" || run == "-" || is_off) add(fmt::format("was {}", to_string(reported->run_mode)));
        for (const std::string& fault : reported->faults) add(fault);
    }
    add(station::reason_of_mode(robot.status, picture.now()));
    // Why propulsion is limited is known only while it runs.
    const bool is_present = robot.status.presence == data::Presence::live ||
                            robot.status.presence == data::Presence::telemetry_only ||
                            !picture.replay().empty();
    if (robot.motion && is_present) add(robot.motion->reason);
    return fmt::format("{}", fmt::join(notes, " "));
}

std::string table(const FleetPicture& picture) {
    std::string text = fmt::format("{:<16} {:<6} {:<6} {:>8} {:>7} {:>16} {:<14} {}\n", "ROBOT", "MODE",
                                   "RUN", "BATTERY", "AGE", "AT", "DRIVER", "NOTES");
    for (const auto& [name, robot] : picture.robots()) {
        const auto& [status, motion, route] = robot;
        text +=
            fmt::format("{:<16} {:<6} {:<6} {:>8} {:>7} {:>16} {:<14} {}\n", name, to_string(status.mode),
                        run_of(robot, picture), status.robot ? link::level_text(status.robot->battery) : "-",
                        age_of(robot, picture),
                        motion ? fmt::format("{:.2f} {:.2f}", motion->pose.x, motion->pose.y) : "-",
                        status.driver.empty() ? "-" : status.driver, notes_of(robot, picture));
    }
    if (!picture.replay().empty())
        text += fmt::format("This is the recording {}: no robot is live, and commands are refused.\n",
                            picture.replay());
    if (const std::string refused = station::to_string(picture.refused()); !refused.empty())
        text += fmt::format("The station has refused {}.\n", refused);
    return text;
}

data::RobotLine line_of(const std::string& name, const RobotPicture& robot, const FleetPicture& picture) {
    data::RobotLine line{.name = name,
                         .mode = robot.status.mode,
                         .presence = robot.status.presence,
                         .stale = robot.status.stale,
                         .replay = !picture.replay().empty(),
                         .driver = robot.status.driver};
    if (const auto& reported = robot.status.robot) {
        line.run_mode = to_string(reported->run_mode);
        line.battery = reported->battery.level;
    } else if (const auto mode = confirmed_mode(robot, picture)) {
        line.run_mode = to_string(*mode);
    }
    line.stopped = station::is_stopped(robot.status, picture.now());
    if (robot.status.stop_pending && !line.replay)
        line.stop_pending = std::max(0.0, picture.now() - robot.status.stop_pending->since);
    if (robot.motion) {
        if (!line.replay) line.age = picture.now() - robot.motion->at;
        line.x = robot.motion->pose.x;
        line.y = robot.motion->pose.y;
    }
    return line;
}

std::string json(const FleetPicture& picture) {
    std::string list;
    for (const auto& [name, robot] : picture.robots())
        list += (list.empty() ? "" : ",\n ") + data::to_json(line_of(name, robot, picture));
    return "[" + list + "]\n";
}

class RobotsCommand final : public Command {
public:
    CLI::App* add_to(CLI::App& program) override {
        CLI::App* const parser = program.add_subcommand("robots", "List the robots of a running station");
        parser->add_flag("--json", json_, "Print a JSON array");
        add_station_options(*parser, station_);
        parser->footer(
            "MODE is the station's: wait, shake, run1, run2. RUN is the robot's run mode; lost, asleep or "
            "off\n"
            "instead; or - if the robot sends no telemetry. AGE is that of the telemetry, in seconds; ! "
            "marks\n"
            "stale telemetry: battery and place are then of that time; `replay` marks a recording. AT is in "
            "meters.\n"
            "NOTES begin with a full stop that the robot has not confirmed.\n"
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
