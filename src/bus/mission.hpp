#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::bus {

/// The notation of a value. Values in a .moos file are untyped words; TOML values have types.
enum class Spelling { word, text, number, boolean };

/// One `key = value`, with its line number.
struct MissionSetting {
    std::string key;
    std::string value;
    std::size_t line = 0;
    Spelling spelling = Spelling::word;

    friend bool operator==(const MissionSetting&, const MissionSetting&) = default;
};

/// The settings of one program: `ProcessConfig = name { … }`, or `[name]` in TOML.
struct MissionBlock {
    std::string name;
    std::size_t line = 0;
    std::vector<MissionSetting> settings{};

    /// Returns the first setting with that key, or null.
    const MissionSetting* find(std::string_view key) const;

    friend bool operator==(const MissionBlock&, const MissionBlock&) = default;
};

/// An error or warning about a line.
struct MissionFinding {
    enum class Kind { warning, error };
    Kind kind;
    std::size_t line;
    std::string text;

    friend bool operator==(const MissionFinding&, const MissionFinding&) = default;
};

/// The contents of a mission file, described in docs/formats/mission-file.md.
struct Mission {
    std::string path{};
    std::vector<MissionSetting> settings{};  ///< outside of blocks
    std::vector<MissionBlock> blocks{};
    std::vector<MissionFinding> findings{};

    /// Returns the first setting with that key, or null.
    const MissionSetting* find(std::string_view key) const;
    /// Returns the first block with that name, or null.
    const MissionBlock* find_block(std::string_view name) const;

    friend bool operator==(const Mission&, const Mission&) = default;
};

/// Returns whether two keys are equal, ignoring case and underscores, so that `AppTick` in a .moos file and
/// `app_tick` in TOML are the same key.
bool same_key(std::string_view a, std::string_view b);

bool has_errors(const std::vector<MissionFinding>& findings);
/// Returns `alpha.moos:12: error: …`, the format of compilers.
std::string to_string(std::string_view path, const MissionFinding& finding);
/// Returns only the errors, one per line.
std::string error_lines(std::string_view path, const std::vector<MissionFinding>& findings);

/// Returns the value of an environment variable, or nullopt if it is not set.
using Environment = std::function<std::optional<std::string>(std::string_view)>;

/// Parses a .moos file. Problems are added to the findings, and parsing continues.
Mission parse_moos_mission(std::string_view text, std::string path, const Environment& environment);
/// Parses the same from TOML: a table is a block, an array is a repeated key.
Mission parse_toml_mission(std::string_view text, std::string path);
/// Parses TOML if the path ends in `.toml`, otherwise the .moos format.
Mission parse_mission(std::string_view text, std::string path, const Environment& environment);

/// Limit for a line after macro expansion; longer lines are errors.
inline constexpr std::size_t max_mission_line = 2000;

}  // namespace caribou::bus
