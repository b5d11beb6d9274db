#include "kit/program/command_check.hpp"

#include <unistd.h>

#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "platform/environment.hpp"

namespace caribou::app {
namespace {

bool is_executable(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

/// Whether a name is that of a program: a path, or one that is found in PATH.
bool is_program(const std::string& name) {
    if (name.find('/') != std::string::npos) return is_executable(name);
    std::stringstream folders(environment("PATH").value_or(""));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (is_executable(folder + "/" + name)) return true;
    return false;
}

/// Whether the program reads its instructions from the file that is its first argument.
bool is_interpreter(const std::string& program) {
    const std::string name = std::filesystem::path(program).filename();
    for (const char* const known : {"python", "bash", "sh", "perl", "ruby", "lua", "node"})
        if (name.starts_with(known)) return true;
    return false;
}

}  // namespace

Result<void> check_command(std::string_view key, const std::vector<std::string>& command) {
    if (!is_program(command.front()))
        return fail(Code::not_found,
                    fmt::format("{}: `{}` is not an executable file; expected a path, or a program in PATH",
                                key, command.front()));
    std::error_code ignored;
    if (command.size() > 1 && is_interpreter(command.front()) && !command[1].starts_with('-') &&
        !std::filesystem::is_regular_file(command[1], ignored))
        return fail(Code::not_found, fmt::format("{}: there is no file `{}`, which {} would execute", key,
                                                 command[1], command.front()));
    return {};
}

}  // namespace caribou::app
