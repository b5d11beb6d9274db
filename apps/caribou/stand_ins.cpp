#include "caribou/stand_ins.hpp"

#include <filesystem>
#include <ranges>

#include <fmt/format.h>

#include "caribou/moos_names.hpp"
#include "platform/environment.hpp"

namespace caribou::app {
namespace {

bool is_installed(const std::string& program) {
    std::error_code ignored;
    if (program.contains('/')) return std::filesystem::is_regular_file(program, ignored);
    const std::string path = environment("PATH").value_or("");
    for (const auto part : std::views::split(path, ':')) {
        std::error_code failed;
        const std::filesystem::path folder(std::string_view(part.begin(), part.end()));
        if (std::filesystem::is_regular_file(folder / program, failed)) return true;
    }
    return false;
}

/// Returns the line that starts a program: a `Run` line, or a table.
std::size_t line_of(const bus::Mission& mission, const std::string& program) {
    for (const bus::MissionBlock& block : mission.blocks)
        if (bus::same_key(block.name, "ANTLER") || bus::same_key(block.name, "program"))
            for (const bus::MissionSetting& setting : block.settings)
                if (setting.value.contains(program)) return setting.line;
    return 1;
}

}  // namespace

std::optional<std::string_view> left_out_for(const bus::LaunchProgram& program) {
    const std::string& path = program.words.front();
    const auto instead = instead_of(std::string_view(path).substr(path.rfind('/') + 1));
    return instead && !is_installed(path) ? instead : std::nullopt;
}

void replace_missing(bus::LaunchProgram& program, const std::string& self) {
    const auto command = command_for(program.words.front());
    if (!command || is_installed(program.words.front())) return;
    program.words.front() = self;
    program.words.emplace(program.words.begin() + 1, *command);
}

std::vector<bus::MissionFinding> missing_programs(const bus::Mission& mission) {
    constexpr const char* own = "caribou";
    std::vector<bus::MissionFinding> findings;
    const auto plan = bus::plan_launch(mission, {own, "db"});
    if (!plan) return findings;
    for (const bus::LaunchProgram& program : plan->programs) {
        const std::string& path = program.words.front();
        if (path == own || is_installed(path) || command_for(path) || left_out_for(program)) continue;
        findings.push_back({bus::MissionFinding::Kind::warning,
                            line_of(mission, path.substr(path.rfind('/') + 1)),
                            fmt::format("{} is not installed here, so that a launch cannot start it", path)});
    }
    return findings;
}

}  // namespace caribou::app
