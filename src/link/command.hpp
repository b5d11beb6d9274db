#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "link/answer.hpp"
#include "link/run_mode.hpp"
#include "loop/time.hpp"

namespace caribou::link {

/// The commands of a robot. 0, 100-106 and 200-205 were defined before this program; additions are numbered
/// from 107, 206 and 300.
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
    drive = 110,
    go = 111,
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
    power_off = 309,
    map = 310,
};

/// A command with its arguments as text. `objection_to` checks it; the accessors may only be used on a valid
/// command.
struct Command {
    struct Argument {
        std::string name;
        std::string value;

        friend bool operator==(const Argument&, const Argument&) = default;
    };

    CommandId id{};
    CommandCode code{};
    std::vector<Argument> arguments{};

    /// Returns the argument, or null if it was not given.
    const std::string* find(std::string_view name) const;
    /// Returns an empty string if the argument was not given.
    std::string text(std::string_view name) const;
    /// Returns nullopt if the argument was not given or is not a number.
    std::optional<int> number(std::string_view name) const;
    std::optional<double> decimal(std::string_view name) const;
    std::optional<Duration> duration(std::string_view name) const;
    /// Returns whether the argument was given as `true`.
    bool flag(std::string_view name) const;

    friend bool operator==(const Command&, const Command&) = default;
};

/// Returns why a command is invalid for every robot: unknown command, unknown, missing or invalid argument.
/// Returns nullopt for a valid one.
std::optional<Objection> objection_to(const Command& command);

/// Parses `105 level=2 ttl=300ms`, `move_forward level=2` or `setRM(3,true)`; an argument with blanks is
/// quoted: `cubes line="play rainbow"`. Returns only valid commands, with id 0. Fails with Code::not_found if
/// there is no such command.
Result<Command> command_from(std::string_view text);
/// Returns the text for command_from() of a command whose words a shell has split and freed of quotes: the
/// value of each `NAME=VALUE` is quoted where needed. A value that is quoted already, and a word that is a
/// whole command, are left as they are.
std::string command_text(std::span<const std::string> words);
/// Returns the refusal for an error of command_from().
Objection objection_to_text(const Error& error);
/// Returns a text with the command's name that command_from() parses.
std::string to_string(const Command& command);

/// Returns whether the command moves the robot, and so requires a live driver.
bool is_motion(CommandCode code);

/// Returns whether a station states with the command when it was given, instead of when it was sent: the age
/// of a movement counts from there, and so does the order of a release and a full stop.
bool states_given(CommandCode code);

/// Returns whether the command requires the lease: it moves the robot, or changes its run mode.
bool needs_lease(CommandCode code);

/// Returns whether the command halts the robot: `move movement=HALT`, a movement of level 0, or `drive` with
/// zero. Like a full stop, a halt requires no role beyond observe and no lease, and never expires.
bool is_halt(const Command& command);

/// Maximum age of a request that can set a robot moving, other than a movement.
inline constexpr Duration max_start_age = std::chrono::seconds(2);
/// Returns the maximum age of a command when it is executed: the `ttl` of a movement, by default 0.5 s;
/// max_start_age for a command that can set a robot moving: a release, a change to another mode than RM0 and
/// RM1, `dock`, `go`, and what is passed to behaviors, bus, sensors and simulated faults. Returns nullopt if
/// the command never expires: a full stop, a halt, and every command that only ends motion or reads.
std::optional<Duration> max_age(const Command& command);
/// Returns EXPIRED if a command of this age is too old.
std::optional<Objection> objection_to_age(const Command& command, Duration age);
/// Same, for another request that sets a robot moving.
std::optional<Objection> objection_to_start_age(Duration age);

/// Limits on commands from outside; objection_to() refuses larger ones.
struct CommandLimits {
    static constexpr std::size_t arguments = 8;
    static constexpr std::size_t name = 32;     ///< bytes
    static constexpr std::size_t value = 2000;  ///< bytes
};

}  // namespace caribou::link
