#include "link/command_table.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "base/number_text.hpp"
#include "link/command_movement.hpp"
#include "link/names.hpp"
#include "loop/duration_text.hpp"

namespace caribou::link {
namespace {

using Type = ArgumentRow::Type;
using enum CommandCode;

constexpr ArgumentRow level{"level", Type::number, 0, 3, false, "speed; 1 if not given"};
constexpr ArgumentRow ttl{"ttl",
                          Type::duration,
                          0,
                          10,
                          false,
                          "how long it lives unless it is renewed, and no longer than the robot's "
                          "safety.max_time_to_live, 2 s by default; its dead man's switch if not given"};

constexpr std::array set_mode_arguments{
    ArgumentRow{"mode", Type::run_mode, 0, 5, true, "the run mode"},
    ArgumentRow{"drop_server", Type::flag, 0, 0, false, "forget the paired station; ignored for RM3"},
    ArgumentRow{"reason", Type::reason, 0, 0, false,
                "for RM1; TimedSleep with a time and RequestedSleep without one if not given"},
    ArgumentRow{"time", Type::duration, 0, 604'800, false, "for RM1: when to wake up"},
};
constexpr std::array straight_arguments{level, ttl};
constexpr std::array turn_arguments{
    level,
    ArgumentRow{"inner_level", Type::number, 0, 3, false, "speed of the inner wheel; 0 if not given"},
    ArgumentRow{"direction", Type::direction, 0, 0, false, "forward if not given"},
    ttl,
};
constexpr std::array move_arguments{
    ArgumentRow{"movement", Type::text, 0, 0, true, "such as TURN_FW_2_1"},
    ttl,
};
constexpr std::array drive_arguments{
    ArgumentRow{"forward", Type::decimal, -max_forward, max_forward, false,
                "m/s; negative: backward; 0 if not given"},
    ArgumentRow{"turn", Type::decimal, -max_turn, max_turn, false,
                "rad/s; positive: to the left; 0 if not given"},
    ttl,
};
constexpr std::array go_arguments{
    ArgumentRow{"place", Type::text, 0, 0, true, "the name of a place on the map, such as `kitchen`"}};
constexpr std::array port_arguments{ArgumentRow{"port", Type::number, 1, 65'535, true, "of the station"}};
constexpr std::array parameter_arguments{
    ArgumentRow{"name", Type::text, 0, 0, true, "a key of the configuration, such as telemetry.rate"},
    ArgumentRow{"value", Type::text_or_empty, 0, 0, true, "as it is written in the file"},
};
constexpr std::array sensor_arguments{ArgumentRow{"sensor", Type::text, 0, 0, true, "its name"}};
constexpr std::array server_arguments{
    ArgumentRow{"connect_to_me", Type::duration, 0, 86'400, false,
                "come back this often, announce and listen for a short time; needed in RM3"},
};
constexpr std::array line_arguments{
    ArgumentRow{"line", Type::text, 0, 0, true, "what to do; `help` lists it"}};
constexpr std::array status_arguments{
    ArgumentRow{"brief", Type::flag, 0, 0, false, "only modes and whether it is stopped, for programs"},
    ArgumentRow{"telemetry", Type::flag, 0, 0, false,
                "send one telemetry also during a sleep, for programs"}};
constexpr std::array text_arguments{ArgumentRow{"text", Type::text, 0, 0, false, "comes back"}};

constexpr std::array table{
    CommandRow{set_run_mode, "set_run_mode", Role::drive, "Switch to a run mode", set_mode_arguments},
    CommandRow{full_stop, "full_stop", Role::observe, "Stop, and stay stopped until released"},
    CommandRow{spin_left, "spin_left", Role::drive, "Rotate left on the spot", straight_arguments},
    CommandRow{spin_right, "spin_right", Role::drive, "Rotate right on the spot", straight_arguments},
    CommandRow{turn_left, "turn_left", Role::drive, "Take a left turn", turn_arguments},
    CommandRow{turn_right, "turn_right", Role::drive, "Take a right turn", turn_arguments},
    CommandRow{move_forward, "move_forward", Role::drive, "Move forward", straight_arguments},
    CommandRow{move_backward, "move_backward", Role::drive, "Move backward", straight_arguments},
    CommandRow{move, "move", Role::drive, "Any movement, in full", move_arguments},
    CommandRow{CommandCode::drive, "drive", Role::drive, "Drive at a velocity", drive_arguments},
    CommandRow{release_stop, "release_stop", Role::drive, "Release a full stop"},
    CommandRow{dock, "dock", Role::drive, "Go to the charger"},
    CommandRow{go, "go", Role::drive, "Go to a place that has a name", go_arguments},
    CommandRow{set_udp_port, "set_udp_port", Role::admin, "Send telemetry to another port of the station",
               port_arguments},
    CommandRow{set_parameter, "set_parameter", Role::admin, "Change the configuration file",
               parameter_arguments},
    CommandRow{disable_sensor, "disable_sensor", Role::admin, "Skip a sensor, powered down if it can be",
               sensor_arguments},
    CommandRow{disable_telemetry, "disable_telemetry", Role::admin,
               "Stop collecting telemetry, and power down what can be"},
    CommandRow{disable_server, "disable_server", Role::admin, "Stop listening for commands",
               server_arguments},
    CommandRow{go_to_run_mode, "go_to_run_mode", Role::drive, "The same as set_run_mode", set_mode_arguments},
    CommandRow{enable_sensor, "enable_sensor", Role::admin, "Undo disable_sensor", sensor_arguments},
    CommandRow{enable_telemetry, "enable_telemetry", Role::admin, "Undo disable_telemetry"},
    CommandRow{status, "status", Role::observe, "Report modes, movement, battery and faults",
               status_arguments},
    CommandRow{ping, "ping", Role::observe, "Answer", text_arguments},
    CommandRow{cubes, "cubes", Role::drive, "A line for the cubes", line_arguments},
    CommandRow{behaviors, "behaviors", Role::drive, "A line for the behaviors", line_arguments},
    CommandRow{take_lease, "take_lease", Role::drive, "Become the driver, in place of another"},
    CommandRow{release_lease, "release_lease", Role::drive, "Release the lease, so that others can drive"},
    CommandRow{bus, "bus", Role::drive, "A line for the bus that it is on", line_arguments},
    CommandRow{topics, "topics", Role::drive, "A line for the station's subscriptions to scan and map",
               line_arguments},
    CommandRow{power_off, "power_off", Role::drive, "Go to RM0 as by the signal PowerOff, from every mode"},
    CommandRow{map, "map", Role::drive, "A line for the map, the stored ones and its places", line_arguments},
    CommandRow{faults, "faults", Role::admin, "A line for the faults of a simulated body", line_arguments},
};

bool is_flag(std::string_view text) { return text == "true" || text == "false"; }

std::optional<long> whole(std::string_view text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool fits(const ArgumentRow& argument, std::string_view value) {
    switch (argument.type) {
        case Type::number: {
            const auto number = whole(value);
            return number && static_cast<double>(*number) >= argument.low &&
                   static_cast<double>(*number) <= argument.high;
        }
        case Type::decimal: {
            const auto number = number_in(value);
            return number && *number >= argument.low && *number <= argument.high;
        }
        case Type::duration: {
            const auto time = duration_from(value);
            return time && *time > Duration::zero() && to_seconds(*time) <= argument.high;
        }
        case Type::flag: return is_flag(value);
        case Type::direction: return value == "forward" || value == "backward";
        case Type::run_mode: {
            const auto mode = run_mode_from(value);
            return mode && *mode != RunMode::init;
        }
        case Type::reason: return wait_reason_from(value).has_value();
        case Type::text: return !value.empty() && value.find('\0') == std::string_view::npos;
        case Type::text_or_empty: return value.find('\0') == std::string_view::npos;
    }
    return false;
}

}  // namespace

std::span<const CommandRow> command_table() { return table; }

const CommandRow* find_command(CommandCode code) {
    const auto* const row = std::ranges::find(table, code, &CommandRow::code);
    return row == table.end() ? nullptr : &*row;
}

const CommandRow* find_command(std::string_view word) {
    if (const auto number = whole(word); number && *number >= 0 && *number <= 0xffff)
        return find_command(static_cast<CommandCode>(*number));
    if (same_name(word, "stop")) return find_command(full_stop);  // the first word that comes to mind
    const auto* const row =
        std::ranges::find_if(table, [&](const CommandRow& each) { return same_name(each.name, word); });
    return row == table.end() ? nullptr : &*row;
}

std::string describe(const ArgumentRow& argument) {
    switch (argument.type) {
        case Type::number: return fmt::format("a whole number from {} to {}", argument.low, argument.high);
        case Type::decimal: return fmt::format("a number from {} to {}", argument.low, argument.high);
        case Type::duration:
            return fmt::format("a time such as `300ms`, at most {}",
                               duration_text(from_seconds(argument.high)));
        case Type::flag: return "`true` or `false`";
        case Type::direction: return "`forward` or `backward`";
        case Type::run_mode: return "a run mode from 0 to 5";
        case Type::reason: {
            std::string all;
            for (std::size_t i = 0; i < 5; ++i)
                all += fmt::format("{}{}",
                                   i == 0   ? ""
                                   : i == 4 ? " or "
                                            : ", ",
                                   to_string(static_cast<WaitReason>(i)));
            return all;
        }
        case Type::text: return "a text that is not empty";
        case Type::text_or_empty: return "a text";
    }
    return {};
}

std::optional<std::string> fault_in(const ArgumentRow& argument, std::string_view value) {
    if (value.size() > CommandLimits::value)
        return fmt::format("{} has {} bytes; at most {} are allowed", argument.name, value.size(),
                           CommandLimits::value);
    if (fits(argument, value)) return std::nullopt;
    constexpr std::size_t shown = 40;
    return fmt::format("{} is `{}`{}, and should be {}", argument.name, value.substr(0, shown),
                       value.size() > shown ? "…" : "", describe(argument));
}

}  // namespace caribou::link
