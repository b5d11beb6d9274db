// The end of a run: everything is mended, and the results.

#include <algorithm>

#include <fmt/format.h>

#include "loop/duration_text.hpp"
#include "sim/robot_agent.hpp"

namespace caribou::sim {
namespace {

using namespace std::chrono_literals;

constexpr Duration recovery = 30s;  ///< time allowed after all faults are removed

}  // namespace

/// Removes all faults, replaces empty batteries, and waits until the station is connected to every robot.
void RobotWorld::settle() {
    if (!options_.trouble) return;
    tell("everything is mended");
    network_.set_faults({});
    for (const auto& agent : agents_) {
        network_.heal(station_host, agent->name);
        agent->link_back.reset();
    }
    if (station_back_) start_station();
    if (broker_back_) start_broker();
    for (const auto& agent : agents_) {
        if (!agent->is_empty) continue;
        world_.now().change_battery(agent->id, charged_enough);
        agent->is_empty = false;
        agent->back = loop_.clock().now();
    }
    const auto all_there = [this] {
        return std::ranges::all_of(agents_, [this](const auto& agent) {
            if (!agent->process) return false;
            const station::RobotSession* session = station_->fleet().find(agent->name);
            // A program that has just ended is restarted, too.
            return session && (session->mode() == station::StationMode::run1 ||
                               session->mode() == station::StationMode::run2);
        });
    };
    const Instant limit = loop_.clock().now() + recovery;
    const auto settled = [&] { return all_there() && bus_is_right(); };
    while (!settled() && loop_.clock().now() < limit && report_.violations.empty()) {
        // A robot that was ordered to stop collecting telemetry would publish nothing.
        for (std::size_t i = 0; i < agents_.size() && all_there(); ++i) send(i, "enable_telemetry");
        step();
    }
    if (report_.violations.empty() && all_there() && !bus_is_right())
        report_.violations.push_back(
            fmt::format("the bus does not report the modes of the robots, {} s after everything was mended",
                        recovery / 1s));
    for (std::size_t i = 0; i < agents_.size(); ++i) {
        const station::RobotSession* session = station_->fleet().find(name_of(i));
        if (report_.violations.empty() && !all_there())
            violate(i,
                    fmt::format("the station does not have every robot {} s after everything was mended; "
                                "this one: program {}, session {}",
                                recovery / 1s, agents_[i]->process ? "running" : "off",
                                session ? fmt::format("{} ({})", to_string(session->mode()), session->why())
                                        : "none"));
    }
}

void RobotWorld::summarize() {
    report_.time = std::min(loop_.clock().now() - began_, options_.time);
    report_.wanted = options_.time;
    report_.area_seen =
        static_cast<double>(seen_.count(map::Occupancy::free)) * seen_.frame().cell * seen_.frame().cell;
    for (const auto& agent : agents_) {
        const world::Record& record = world_.now().record(agent->id);
        report_.robots.push_back(
            {.distance = record.distance,
             .fastest_collision = record.hardest_contact,
             .dockings = agent->dockings,
             .commands = agent->commands.commands(),
             .refused = agent->commands.refused(),
             .starts = agent->starts,
             .carried = agent->carried,
             .battery = world_.now().power(agent->id).level,
             .mode = agent->process ? std::string(to_string(agent->process->robot().main().modes().mode()))
                                    : "off"});
    }
}

std::string to_string(const RobotWorldReport& report) {
    std::string text =
        fmt::format("seed {}: {}{}, {} robot{}, {:.1f} m2 seen\n", report.seed, duration_text(report.time),
                    report.time >= report.wanted ? "" : " of " + duration_text(report.wanted),
                    report.robots.size(), report.robots.size() == 1 ? "" : "s", report.area_seen);
    for (std::size_t i = 0; i < report.robots.size(); ++i) {
        const RobotStory& robot = report.robots[i];
        text += fmt::format(
            "  robot-{}: {:.0f} m, docked {} times, {} commands ({} refused), started {} times, carried {} "
            "times, battery {:.0f} %, "
            "{}, hardest collision {:.2f} m/s\n",
            i, robot.distance, robot.dockings, robot.commands, robot.refused, robot.starts, robot.carried,
            robot.battery * 100, robot.mode, robot.fastest_collision);
    }
    for (const auto& [what, count] : report.troubles) text += fmt::format("  met {} x {}\n", count, what);
    for (const std::string& violation : report.violations) text += fmt::format("  BROKEN: {}\n", violation);
    return text;
}

}  // namespace caribou::sim
