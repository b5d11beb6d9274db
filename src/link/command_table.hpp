#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "link/command.hpp"
#include "link/role.hpp"
#include "loop/time.hpp"

namespace caribou::link {

/// The valid values of an argument.
struct ArgumentRow {
    enum class Type : std::uint8_t {
        number,     ///< integer from low to high
        decimal,    ///< number from low to high, with a point
        duration,   ///< `300ms`, at most `high` seconds
        flag,       ///< `true` or `false`
        direction,  ///< `forward` or `backward`
        run_mode,   ///< 0 to 5
        reason,     ///< one of WaitReason
        text,
        text_or_empty,
    };
    std::string_view name;
    Type type;
    double low = 0;
    double high = 0;
    bool required = false;
    std::string_view what{};
};

/// The definition of one command, used for checks, help and documentation.
struct CommandRow {
    CommandCode code;
    std::string_view name;
    Role needs;
    std::string_view what;
    std::span<const ArgumentRow> arguments{};
};

/// Longest time from `ACCEPTED` to the final answer of `dock` and `go`, the slowest commands.
inline constexpr Duration dock_limit = std::chrono::seconds(240);

std::span<const CommandRow> command_table();
/// Returns null if there is no such command.
const CommandRow* find_command(CommandCode code);
/// Looks a command up by name or number: `full_stop`, `100`, `00`.
const CommandRow* find_command(std::string_view word);
/// Returns a description for people, such as `number from 0 to 3`.
std::string describe(const ArgumentRow& argument);
/// Returns why the value is invalid, or nullopt if it is valid.
std::optional<std::string> fault_in(const ArgumentRow& argument, std::string_view value);

}  // namespace caribou::link
