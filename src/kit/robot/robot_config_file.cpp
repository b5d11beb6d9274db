#include "kit/robot/robot_config_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "adapters/robot_files/software_check.hpp"
#include "base/json_node.hpp"
#include "kit/robot/behavior_programs.hpp"
#include "kit/robot/robot_guard.hpp"
#include "kit/robot/robot_start.hpp"
#include "robot/robot_config.hpp"

namespace caribou::app {

Result<void> RobotConfigFile::write(const std::string& text) {
    if (is_installed(manifest_of(own_program()), path_))
        return fail(Code::refused,
                    fmt::format("{} is part of the installation; start the robot with a copy of it", path_));
    // A symbolic link stays one: the file that it names is replaced.
    std::error_code unresolved;
    const std::filesystem::path file = std::filesystem::canonical(path_, unresolved);
    return unresolved ? file_.write(text) : ConfigFile(file.string()).write(text);
}

Result<void> RobotConfigFile::check(const robot::ReadConfig& read) {
    const robot::RobotConfig& config = read.config;
    if (config.name != running_.name)
        return fail(Code::refused, fmt::format("name is `{}` now; only a new start of the program can rename "
                                               "the robot {}, because its keys and its stop are stored under "
                                               "its name",
                                               config.name, running_.name));
    std::vector<robot::Contradiction> wrong = check_parts(config, running_.keys(config.link_keys));
    if (const auto plan = guard_plan_of(config); plan && !*plan && running_.is_guarded)
        wrong.push_back({"body.kind",
                         "the body of this configuration has no guard, but the program was started with one; "
                         "end the program and start it again"});
    if (const auto tree = configured_tree(config); !tree) wrong.push_back({"ai.tree", tree.error().message});
    if (wrong.empty()) return {};
    std::vector<std::string> errors;
    for (robot::Contradiction& each : wrong)
        errors.push_back(to_string(read.fault_of(each.key, std::move(each.text))));
    return fail(Code::refused, fmt::format("{}", fmt::join(errors, "; ")));
}

Result<void> RobotConfigFile::check_value(const std::string& key, const robot::ReadConfig& read) {
    if (key != "ai.tree") return {};
    if (!running_.has_own_classes && read.config.ai_programs.empty()) {
        const auto tree = check_tree(read.config, {}, std::vector<DescribedProgram>{});
        return tree ? Result<void>() : fail(tree.error());
    }
    const auto files = configured_tree(read.config);
    if (!files) return fail(files.error());
    for (const behavior::TreeText& file : *files)
        if (const auto json = read_json(file.text); !json)
            return fail(Code::malformed, fmt::format("ai.tree: {}: {}", file.name, json.error().message));
    return {};
}

}  // namespace caribou::app
