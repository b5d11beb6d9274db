#include "station/drive_screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"

namespace caribou::station {
namespace {

using What = DriveKey::What;
using motion::MovementCommand;

DriveKey moves(int right, int left) { return {What::move, MovementCommand::of(right, left).value()}; }

DriveKey arrow(char c, int level) {
    switch (c) {
        case 'A': return moves(level, level);
        case 'B': return moves(-level, -level);
        case 'C': return moves(-level, level);
        case 'D': return moves(level, -level);
        default: return {};
    }
}

DriveKey letter(char c, int level) {
    switch (c) {
        case 'w': return moves(level, level);
        case 's': return moves(-level, -level);
        case 'a': return moves(level, -level);
        case 'd': return moves(-level, level);
        case 'q': return moves(level, level - 1);
        case 'e': return moves(level - 1, level);
        case 'h': return {What::halt};
        case ' ': return {What::full_stop};
        case 'r': return {What::release_stop};
        case 't': return {What::take_lease};
        case 'x': return {What::quit};
        case '1':
        case '2':
        case '3': return {What::level, {}, c - '0'};
        default: return {};
    }
}

std::string speed_text(double speed) {
    return std::isnan(speed) ? "unknown" : fmt::format("{:+.2f} m/s", speed);
}

/// Returns lines about a robot without telemetry.
std::string blind_lines(const data::Status& status, double now) {
    std::string text = status.presence == data::Presence::no_telemetry
                           ? "  no telemetry, commands only: the robot is driven blind\n"
                           : "  no telemetry yet\n";
    if (!std::isnan(status.heard))
        text += fmt::format("  heard      {:.1f} s ago\n", std::max(0.0, now - status.heard));
    if (status.acknowledged_mode)
        text += fmt::format("  run mode   {}, confirmed {:.1f} s ago\n", to_string(*status.acknowledged_mode),
                            std::max(0.0, now - status.acknowledged_mode_at));
    return text;
}

/// Returns the line about wheels, which are at rest while a robot sleeps or is off, whatever it sent last.
std::string movement_line(const data::Status& status, const data::Motion& motion) {
    if (status.presence == data::Presence::asleep || status.presence == data::Presence::off)
        return fmt::format("  does       nothing: {}\n", to_string(status.presence));
    return fmt::format("  does       {}  right {}  left {}\n", to_string(motion.movement_state),
                       speed_text(motion.right.speed), speed_text(motion.left.speed));
}

/// Returns the line about a latched stop; empty if there is none.
std::string stop_line(const RobotPicture& robot, double now) {
    const auto stopped = is_stopped(robot.status, now);
    if (!stopped.value_or(was_stopped(robot.status))) return {};
    return fmt::format("  {}: press r to release the full stop{}\n",
                       stopped ? "STOPPED" : "STOPPED when last confirmed",
                       robot.is_in(link::RunMode::rm2) ? "; it will drive on by itself" : "");
}

std::string robot_lines(const RobotPicture& robot, double now) {
    const data::Status& status = robot.status;
    std::string text = fmt::format("  station    {}{}\n", to_string(status.mode),
                                   status.why.empty() ? "" : ": " + status.why);
    const std::string stopped = stop_line(robot, now);
    if (!robot.motion || !status.robot) return text + blind_lines(status, now) + stopped;
    const data::Motion& motion = *robot.motion;
    text += fmt::format("  run mode   {}  {}  battery {}\n", run_mode_text(robot),
                        to_string(status.robot->com_mode), link::level_text(status.robot->battery));
    text += movement_line(status, motion);
    text += fmt::format("  is at      x {:.2f} m  y {:.2f} m  heading {}°\n", motion.pose.x, motion.pose.y,
                        std::lround(motion.pose.heading * 180 / std::numbers::pi));
    text += fmt::format("  driven by  {}{}\n", motion.winner.empty() ? "nobody" : motion.winner,
                        motion.reason.empty() ? "" : ": " + motion.reason);
    // Counted here, too: the station may be silent.
    const double age = std::max(0.0, now - motion.at);
    std::string stale;
    if (status.stale)
        stale = fmt::format("  STALE: {}", to_string(status.presence));
    else if (status.stale_after > 0 && age > status.stale_after)
        stale = "  STALE: the robot's state is not known";
    text += fmt::format("  age        {:.1f} s{}\n", age, stale);
    text += stopped;
    if (!status.robot->faults.empty()) text += fmt::format("  faults     {}\n", listed(status.robot->faults));
    return text;
}

/// Returns the beginning of a line and a text, which continues on further lines after blanks instead of being
/// truncated.
std::string wrapped(std::string_view begin, std::string_view text, int columns) {
    const std::size_t indent = begin.size();
    const std::size_t room =
        std::max<std::size_t>(static_cast<std::size_t>(std::max(columns, 0)), indent + 20) - indent;
    std::string lines(begin);
    while (text.size() > room) {
        const std::size_t end = text.rfind(' ', room);
        if (end == std::string_view::npos || end == 0) break;
        lines += fmt::format("{}\n{:{}}", text.substr(0, end), "", indent);
        text.remove_prefix(end + 1);
    }
    return fmt::format("{}{}\n", lines, text);
}

/// Truncates every line to a number of characters (not bytes).
std::string fitted(const std::string& text, int columns) {
    std::string out;
    int column = 0;
    for (const char c : text) {
        const bool begins = (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
        if (c == '\n')
            column = 0;
        else if (begins)
            column += 1;
        if (column <= columns) out += c;
    }
    return out;
}

}  // namespace

DriveKey take_key(std::string_view& keys, int level) {
    if (keys.empty()) return {};
    if (keys.size() >= 3 && keys[0] == '\x1b' && (keys[1] == '[' || keys[1] == 'O')) {
        const char c = keys[2];
        keys.remove_prefix(3);
        return arrow(c, level);
    }
    const char c = keys[0];
    keys.remove_prefix(1);
    return letter(c, level);
}

std::string drive_screen(const DriveState& state, int columns) {
    std::string text = fmt::format("{}{}\n\n", state.robot, state.connected ? "" : "  (no station)");
    if (state.silent > silence_limit)
        text += fmt::format("  STATION SILENT for {:.1f} s: what follows is old, and nothing is driven\n",
                            state.silent);
    if (state.picture)
        text += robot_lines(*state.picture, state.now);
    else
        text += "  the station has never heard of it\n";
    if (const std::string stop = state.picture ? pending_stop_text(state.picture->status, state.now) : "";
        !stop.empty())
        text += wrapped("  ", stop, columns);
    const std::string driver = state.picture ? state.picture->status.driver : "";
    text += fmt::format("\n  lease      {}\n", driver.empty() ? "free" : driver);
    text += fmt::format("  key        {}\n", state.held          ? to_string(*state.held)
                                             : state.interrupted ? "ignored: release it, then press it again"
                                                                 : "none");
    text += fmt::format("  level      {}\n", state.level);
    text += fmt::format("  answer     {}\n", state.last_answer);
    if (const auto& refused = state.refused)
        text += wrapped("  REFUSED    ",
                        fmt::format("{}, {:.0f} s ago: {}", refused->command, std::floor(state.refused_age),
                                    refused->why),
                        columns);
    if (!state.notice.empty()) text += fmt::format("  notice     {}\n", state.notice);
    text +=
        "\n  w/↑ forward  s/↓ backward  a/← spin left  d/→ spin right  q/e curve left/right\n"
        "  1 2 3 level  h halt  SPACE full stop  r release it  t take the lease  x quit\n";
    return fitted(text, columns);
}

}  // namespace caribou::station
