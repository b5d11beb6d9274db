#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "link/answer.hpp"
#include "link/run_mode.hpp"
#include "loop/time.hpp"

namespace caribou::link {

/// What a robot can be told. 0, 100-106 and 200-205 are older than this program; additions are
/// numbered from 107, 206 and 300 on.
enum class CommandCode : std::uint16_t {
    set_run_mode = 0,
    full_stop = 100,
    spin_left = 101,
    spin_right = 102,
    turn_left = 103,
    turn_right = 104,
    move_forward = 105,
    move_backward = 106,
    move = 107,
    release_stop = 108,
    dock = 109,
    set_udp_port = 200,
    set_parameter = 201,
    disable_sensor = 202,
    disable_telemetry = 203,
    disable_server = 204,
    go_to_run_mode = 205,
    enable_sensor = 206,
    enable_telemetry = 207,
    status = 300,
    ping = 301,
    cubes = 302,
    behaviors = 303,
    take_lease = 304,
    release_lease = 305,
    bus = 306,
    topics = 307,
    faults = 308,
};

/// A command with its arguments as they were written. `objection_to` says whether it makes sense; the
/// accessors are for one that does.
struct Command {
    struct Argument {
        std::string name;
        std::string value;

        friend bool operator==(const Argument&, const Argument&) = default;
    };

    CommandId id{};
    CommandCode code{};
    std::vector<Argument> arguments{};

    /// Null: it was not given.
    const std::string* find(std::string_view name) const;
    std::string text(std::string_view name) const;
    /// None: not given, or no number.
    std::optional<int> number(std::string_view name) const;
    std::optional<Duration> duration(std::string_view name) const;
    bool flag(std::string_view name) const;

    friend bool operator==(const Command&, const Command&) = default;
};

/// Why it makes no sense for any robot: no such command, no such argument, one out of range or missing.
std::optional<Objection> objection_to(const Command& command);

/// Reads `105 level=2 ttl=300ms`, `move_forward level=2` or `setRM(3,true)`; an argument with blanks
/// stands in quotes: `cubes line="play rainbow"`. The command makes sense. The id is left 0.
Result<Command> command_from(std::string_view text);
/// The same back, by name.
std::string to_string(const Command& command);

/// Whether it makes the robot move, and so needs a living driver.
bool is_motion(CommandCode code);

/// How old a command may be when it is carried out: the `ttl` of one that moves the robot, 0.5 s without one.
/// nullopt: it is never too old, as a full stop, a halt, and whatever does not move the robot.
std::optional<Duration> max_age(const Command& command);
/// Returns EXPIRED if a command of this age is too old.
std::optional<Objection> objection_to_age(const Command& command, Duration age);

struct CommandLimits {
    static constexpr std::size_t arguments = 8;
    static constexpr std::size_t name = 32;     ///< bytes
    static constexpr std::size_t value = 2000;  ///< bytes
};

}  // namespace caribou::link
