#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bus/mission.hpp"

namespace caribou::bus {

/// The command line of a MOOS app: `pName [MISSION [NAME]] [--option[=value]]…`.
struct AppCommandLine {
    enum class Wish { run, help, version, example, parameters };

    Wish wish = Wish::run;
    std::string app_name{};              ///< name of the app and of its block; empty: the program's
    std::string client_name{};           ///< name at the broker; empty: same as app_name
    std::optional<std::string> mission;  ///< path of the mission file
    /// All other options, as settings: for keys outside blocks, and for keys in the app's block. Their `line`
    /// is the index of the word.
    std::vector<MissionSetting> globals{};
    std::vector<MissionSetting> settings{};
};

/// Parses the words after the program's name. `--name=value` with an unknown name is accepted, because it may
/// be a parameter of the app; an unknown option without a value is an error.
Result<AppCommandLine> parse_app_command_line(std::span<const std::string> words);

/// Returns the text that `--help` prints.
std::string app_help(std::string_view program);

}  // namespace caribou::bus
