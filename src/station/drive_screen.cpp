#include "station/drive_screen.hpp"

#include <algorithm>
#include <array>
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

std::string speed_text(const std::optional<double>& speed) {
    return speed ? fmt::format("{:+.2f} m/s", *speed) : "unknown";
}

std::string robot_lines(const RobotPicture& robot, double now) {
    std::string text =
        fmt::format("  station    {}{}\n", robot.mode, robot.why.empty() ? "" : ": " + robot.why);
    if (!robot.at) return text + "  no telemetry yet\n";
    text += fmt::format("  run mode   {}{}  {}  battery {:.0f} %\n", robot.run_mode,
                        robot.waits_for.empty() ? "" : "(" + robot.waits_for + ")", robot.com_mode,
                        robot.battery * 100);
    text += fmt::format("  does       {}  right {}  left {}\n", robot.movement, speed_text(robot.right_speed),
                        speed_text(robot.left_speed));
    text += fmt::format("  is at      x {:.2f} m  y {:.2f} m  heading {:.0f}°\n", robot.pose.x, robot.pose.y,
                        robot.pose.heading * 180 / std::numbers::pi);
    text += fmt::format("  driven by  {}{}\n", robot.winner.empty() ? "nobody" : robot.winner,
                        robot.reason.empty() ? "" : ": " + robot.reason);
    text += fmt::format("  age        {:.1f} s{}\n", std::max(0.0, now - *robot.at),
                        robot.stale ? "  STALE" : "");
    if (robot.stopped) text += "  STOPPED: press r to release the full stop\n";
    if (!robot.faults.empty()) text += fmt::format("  faults     {}\n", listed(robot.faults));
    return text;
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
    if (state.picture)
        text += robot_lines(*state.picture, state.now);
    else
        text += "  the station has never heard of it\n";
    const std::string driver = state.picture ? state.picture->driver : "";
    text += fmt::format("\n  lease      {}\n", driver.empty() ? "free" : driver);
    text += fmt::format("  key        {}\n", state.held ? to_string(*state.held) : "none");
    text += fmt::format("  level      {}\n", state.level);
    text += fmt::format("  answer     {}\n", state.last_answer);
    if (!state.notice.empty()) text += fmt::format("  notice     {}\n", state.notice);
    text +=
        "\n  w/↑ forward  s/↓ backward  a/← spin left  d/→ spin right  q/e curve left/right\n"
        "  1 2 3 level  h halt  SPACE full stop  r release it  t take the lease  x quit\n";
    return fitted(text, columns);
}

}  // namespace caribou::station
