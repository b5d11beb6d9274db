#include "bus/mission.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace caribou::bus {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <class Things, class Name>
auto* find_by(Things& things, Name name, std::string_view wanted) {
    const auto found =
        std::ranges::find_if(things, [&](const auto& thing) { return same_key(thing.*name, wanted); });
    return found == things.end() ? nullptr : &*found;
}

}  // namespace

bool same_key(std::string_view a, std::string_view b) {
    std::size_t i = 0;
    std::size_t j = 0;
    for (;;) {
        while (i < a.size() && a[i] == '_') ++i;
        while (j < b.size() && b[j] == '_') ++j;
        if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
        if (lower(a[i++]) != lower(b[j++])) return false;
    }
}

const MissionSetting* MissionBlock::find(std::string_view key) const {
    return find_by(settings, &MissionSetting::key, key);
}

const MissionSetting* Mission::find(std::string_view key) const {
    return find_by(settings, &MissionSetting::key, key);
}

const MissionBlock* Mission::find_block(std::string_view name) const {
    return find_by(blocks, &MissionBlock::name, name);
}

bool has_errors(const std::vector<MissionFinding>& findings) {
    return std::ranges::any_of(
        findings, [](const auto& finding) { return finding.kind == MissionFinding::Kind::error; });
}

std::string to_string(std::string_view path, const MissionFinding& finding) {
    return fmt::format("{}:{}: {}: {}", path, finding.line,
                       finding.kind == MissionFinding::Kind::error ? "error" : "warning", finding.text);
}

std::string error_lines(std::string_view path, const std::vector<MissionFinding>& findings) {
    std::string lines;
    for (const MissionFinding& finding : findings) {
        if (finding.kind != MissionFinding::Kind::error) continue;
        if (!lines.empty()) lines += '\n';
        lines += to_string(path, finding);
    }
    return lines;
}

Mission parse_mission(std::string_view text, std::string path, const Environment& environment) {
    if (path.ends_with(".toml")) return parse_toml_mission(text, std::move(path));
    return parse_moos_mission(text, std::move(path), environment);
}

}  // namespace caribou::bus
