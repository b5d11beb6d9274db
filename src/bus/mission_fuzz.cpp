#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "bus/mission.hpp"

/// Arbitrary bytes as a mission file. Line numbers must exist in the file, keys must be found again, and no
/// line may exceed its limit after macro expansion.
namespace {

using namespace caribou;
using namespace caribou::bus;

void check_settings(const std::vector<MissionSetting>& settings, std::size_t lines) {
    for (const MissionSetting& setting : settings)
        check(setting.line >= 1 && setting.line <= lines, "a setting stands in a line of the file");
}

void check_mission(const Mission& mission, std::size_t lines) {
    check_settings(mission.settings, lines);
    for (const MissionSetting& setting : mission.settings)
        check(mission.find(setting.key) != nullptr, "a key can be found");
    for (const MissionBlock& block : mission.blocks) {
        check_settings(block.settings, lines);
        check(mission.find_block(block.name) != nullptr, "a block can be found");
    }
    for (const MissionFinding& finding : mission.findings)
        check(finding.line >= 1 && finding.line <= lines && !finding.text.empty(),
              "a finding has a line and a sentence");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    const Environment environment = [](std::string_view name) -> std::optional<std::string> {
        if (name == "HOME") return "home";
        return std::nullopt;
    };
    const Mission moos = parse_moos_mission(text, "f.moos", environment);
    check_mission(moos, lines);
    for (const MissionBlock& block : moos.blocks)
        for (const MissionSetting& setting : block.settings)
            check(setting.value.size() <= max_mission_line, "no value is longer than a line");
    check_mission(parse_toml_mission(text, "f.toml"), lines);
    return 0;
}
