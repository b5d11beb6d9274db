// The rules that are checked for each robot after every step, from outside of its program.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loop/duration_text.hpp"
#include "sim/robot_agent.hpp"

namespace caribou::sim {

using namespace std::chrono_literals;

namespace {

/// Of a robot without broken parts: two that creep towards each other, and rounding.
constexpr double hardest_collision = 0.2;  // m/s

}  // namespace

void RobotWorld::sample_motion(Agent& agent) {
    const Instant now = loop_.clock().now();
    const world::World& world = world_.now();
    const auto bumpers = world.bumpers(agent.id);
    const auto cliffs = world.cliffs(agent.id);
    DriveAudit::Touch touch;
    if (bumpers)
        touch = {.ahead = bumpers->front, .behind = bumpers->rear, .aside = bumpers->left || bumpers->right};
    if (cliffs) {
        const bool ahead = cliffs->front_left || cliffs->front_right;
        const bool behind = cliffs->rear_left || cliffs->rear_right;
        touch.ahead = touch.ahead || ahead;
        touch.behind = touch.behind || behind;
        touch.lifted = ahead && behind;
    }
    agent.audit.drive.feel(touch, now);
    agent.audit.drive.mode(agent.process ? std::optional(agent.process->robot().main().modes().mode())
                                         : std::nullopt);
    const std::uint64_t stops = agent.process ? agent.process->robot().transmission().stops().executed() : 0;
    if (stops > agent.datagram_stops)
        agent.audit.on_datagram_stop(agent.commands.station().value_or(StreamNumber{}),
                                     sent_.open_stop(agent.name).value_or(0));
    agent.datagram_stops = stops;
    const world::WheelSpeeds wanted = world.wanted_speeds(agent.id);
    agent.audit.drive.driven({.right = wanted.right, .left = wanted.left}, now);
}

/// Checks that the robot is in RM3 only with a working link, sends heartbeats only while its threads run, or
/// while main hangs, and that it is stopped when main hangs.
void RobotWorld::watch_link(std::size_t index) {
    Agent& agent = *agents_[index];
    const Instant now = loop_.clock().now();
    const robot::RunModes& modes = agent.process->robot().main().modes();
    const bool hangs = agent.unhang_at.has_value();
    const bool main_hangs = (hangs && agent.hanging == 0) || now - agent.unhung < 1s;
    if (link::is_invalid_pair(modes.mode(), modes.com_mode()) ||
        (modes.mode() == link::RunMode::rm3 && modes.com_mode() != link::ComMode::cm3))
        violate(index,
                fmt::format("{} is combined with {}", to_string(modes.mode()), to_string(modes.com_mode())));
    const Duration silence = now - agent.commands.heard_station();
    const Duration limit = from_seconds(agent.program.config.link_lost) + 500ms;
    if (modes.mode() == link::RunMode::rm3 && !main_hangs && silence > limit)
        violate(index, fmt::format("it is in RM3, but received nothing from its station for {}",
                                   duration_text(silence)));
    if (hangs && agent.hanging != 0 && now - agent.hangs_since > 3500ms &&
        agent.commands.last_beat() > agent.hangs_since + 3500ms)
        violate(index, "it sends heartbeats while one of its threads hangs");
    if (hangs && agent.hanging == 0 && now - agent.hangs_since > robot::main_limit + 1s &&
        world_.now().wanted_speeds(agent.id) != world::WheelSpeeds{})
        violate(index, "it moves while its main thread hangs");
    if (options_.keyed && agent.machine.cookie.kept != station_host)
        violate(index,
                fmt::format("it belongs to `{}`, and no more to its station", agent.machine.cookie.kept));
}

/// Checks that a full stop of a person is executed in time: on the connection, or as a datagram.
void RobotWorld::watch_full_stop(std::size_t index) {
    Agent& agent = *agents_[index];
    if (!agent.full_stop_due || loop_.clock().now() < agent.full_stop_due->at) return;
    const Instant since = std::exchange(agent.full_stop_due, {})->since;
    if (agent.audit.last_stop() < since)
        violate(index, fmt::format("it has not executed the full stop that was requested {:.1f} s ago",
                                   to_seconds(loop_.clock().now() - since)));
}

void RobotWorld::watch_body(std::size_t index) {
    Agent& agent = *agents_[index];
    const std::size_t falls = world_.now().record(agent.id).falls;
    if (falls > agent.falls && loop_.clock().now() > agent.whole_since)
        violate(index, "it fell over an edge");
    agent.falls = falls;
    const double hardest = world_.now().record(agent.id).hardest_contact;
    // A robot with a broken part may hit another one.
    const bool are_whole = std::ranges::all_of(
        agents_, [now = loop_.clock().now()](const auto& each) { return now > each->whole_since; });
    if (hardest > hardest_collision && hardest > agent.hardest && are_whole)
        violate(index, fmt::format("it hit something at {:.2f} m/s", hardest));
    agent.hardest = hardest;
}

/// Checks that the station's lease ends when it is not used, and that its autopilot stops the robot when
/// telemetry is stale.
void RobotWorld::watch_station(std::size_t index) {
    Agent& agent = *agents_[index];
    const Instant now = loop_.clock().now();
    const station::RobotSession* const session = station_ ? station_->fleet().find(agent.name) : nullptr;
    const bool driven = session && session->mode() == station::StationMode::run2;
    if (driven) agent.audit.drive.sent(now, 600ms);
    if (driven) agent.drove.insert_or_assign(std::string(station::RobotSession::autopilot), now);
    if (session && station::is_running(session->mode()) && !session->driver().empty() &&
        now - agent.drove[session->driver()] > station::SessionSettings{}.lease_limit + 2s)
        violate(index, fmt::format("{} still holds the station's lease", session->driver()));
    constexpr Duration on_the_way = 1500ms;  // what was sent before the link was cut
    if (session && station::is_running(session->mode()) && agent.link_back &&
        now - agent.cut_since > station::SessionSettings{}.link_limit + on_the_way)
        violate(index, fmt::format("the station is still connected, though the link is cut for {}",
                                   duration_text(now - agent.cut_since)));
    if (agent.was_driven && !driven && session && station::is_running(session->mode()) &&
        session->why() == "telemetry has become stale" && agent.commands.station())
        agent.stop_due = Agent::StopDue{now + 5s, now - 200ms, *agent.commands.station()};
    agent.was_driven = driven;
    if (!agent.stop_due || now < agent.stop_due->at) return;
    if (agent.commands.station() == agent.stop_due->stream && agent.audit.last_stop() < agent.stop_due->since)
        violate(index, "it received no full stop from an autopilot whose telemetry was stale");
    agent.stop_due.reset();
}

}  // namespace caribou::sim
