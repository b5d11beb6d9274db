#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace caribou::bus {

/// How a value is written. A .moos file has nothing but words; TOML tells what it means.
enum class Spelling { word, text, number, boolean };

/// One `key = value`, and the line it stands in.
struct MissionSetting {
    std::string key;
    std::string value;
    std::size_t line = 0;
    Spelling spelling = Spelling::word;

    friend bool operator==(const MissionSetting&, const MissionSetting&) = default;
};

/// What one program is told: `ProcessConfig = name { … }`, or `[name]` in TOML.
struct MissionBlock {
    std::string name;
    std::size_t line = 0;
    std::vector<MissionSetting> settings{};

    /// The first of that key, or null.
    const MissionSetting* find(std::string_view key) const;

    friend bool operator==(const MissionBlock&, const MissionBlock&) = default;
};

/// Something about a line that its author should know.
struct MissionFinding {
    enum class Kind { warning, error };
    Kind kind;
    std::size_t line;
    std::string text;

    friend bool operator==(const MissionFinding&, const MissionFinding&) = default;
};

/// What a mission file says. docs/formats/mission-file.md tells the format.
struct Mission {
    std::string path{};
    std::vector<MissionSetting> settings{};  ///< that stand outside every block
    std::vector<MissionBlock> blocks{};
    std::vector<MissionFinding> findings{};

    /// The first of that key, or null.
    const MissionSetting* find(std::string_view key) const;
    /// The first of that name, or null.
    const MissionBlock* find_block(std::string_view name) const;

    friend bool operator==(const Mission&, const Mission&) = default;
};

/// Whether two keys mean the same: neither case nor underscores count, so that `AppTick` of a .moos
/// file and `app_tick` of TOML are one.
bool same_key(std::string_view a, std::string_view b);

bool has_errors(const std::vector<MissionFinding>& findings);
/// `alpha.moos:12: error: …`, as compilers write it.
std::string to_string(std::string_view path, const MissionFinding& finding);
/// The errors alone, one a line.
std::string error_lines(std::string_view path, const std::vector<MissionFinding>& findings);

/// The value of an environment variable, if it is set.
using Environment = std::function<std::optional<std::string>(std::string_view)>;

/// Reads a .moos file. Whatever is wrong is among the findings; the rest is read all the same.
Mission parse_moos_mission(std::string_view text, std::string path, const Environment& environment);
/// Reads the same out of TOML: a table is a block, an array is a key several times over.
Mission parse_toml_mission(std::string_view text, std::string path);
/// TOML if the path ends in `.toml`.
Mission parse_mission(std::string_view text, std::string path, const Environment& environment);

/// Longer lines are refused, also when it is macros that make them long.
inline constexpr std::size_t max_mission_line = 2000;

}  // namespace caribou::bus
