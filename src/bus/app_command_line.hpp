#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

/// What a MOOS app is told on its command line: `pName [MISSION [NAME]] [--option[=value]]…`.
struct AppCommandLine {
    enum class Wish { run, help, version, example, parameters };

    Wish wish = Wish::run;
    std::string app_name{};              ///< the block to read; empty: the program's own
    std::string client_name{};           ///< for the broker; empty: the same
    std::optional<std::string> mission;  ///< the file to read
    /// The rest, as if it stood in a mission file: outside blocks, and in the app's block. Their
    /// `line` is the number of the word.
    std::vector<MissionSetting> globals{};
    std::vector<MissionSetting> settings{};
};

/// Refuses what is no option of a MOOS app and has no value: `--name=value` may be a parameter
/// of the app itself.
Result<AppCommandLine> parse_app_command_line(std::span<const std::string> words);

/// What `--help` prints.
std::string app_help(std::string_view program);

}  // namespace caribou::bus
