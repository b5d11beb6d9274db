#include "caribou/stand_ins.hpp"

#include <filesystem>
#include <ranges>

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

}  // namespace caribou::app
