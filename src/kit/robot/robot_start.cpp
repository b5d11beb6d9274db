#include "kit/robot/robot_start.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kit/program/writable_check.hpp"
#include "kit/robot/driver_check.hpp"
#include "kit/robot/robot_body.hpp"
#include "kit/robot/robot_camera.hpp"
#include "kit/robot/robot_guard.hpp"
#include "kit/robot/robot_link.hpp"
#include "kit/robot/tree_files.hpp"
#include "kit/robot/tree_world.hpp"
#include "robot/default_tree.hpp"

namespace caribou::app {

std::vector<std::string> tree_paths(const robot::RobotConfig& config) {
    std::vector<std::string> paths = config.ai_tree;
    std::erase(paths, "");
    return paths;
}

Result<std::vector<behavior::TreeText>> configured_tree(const robot::RobotConfig& config) {
    const std::vector<std::string> paths = tree_paths(config);
    if (paths.empty())
        return std::vector<behavior::TreeText>{{"built-in", std::string(robot::default_tree())}};
    auto files = read_tree_files(paths);
    if (!files) return fail(files.error().code, "ai.tree: " + files.error().message);
    return files;
}

Result<std::vector<behavior::TreeText>> check_tree(const robot::RobotConfig& config,
                                                   const robot::AddOwnClasses& own,
                                                   const Result<std::vector<DescribedProgram>>& programs,
                                                   std::vector<behavior::TreeFault>* warnings) {
    auto files = configured_tree(config);
    if (!files) return files;
    if (!programs) return fail(programs.error());
    const auto error = std::make_shared<std::string>();
    const FakeWorld world({}, TreeActions::of_robots, config.ai_bus_facts,
                          with_programs(own, *programs, error));
    if (!error->empty()) return fail(Code::malformed, *error);
    auto loaded = behavior::load_tree(*files, world.classes());
    if (!loaded) return fail(Code::malformed, "ai.tree is refused\n" + to_string(loaded.error()));
    if (warnings) *warnings = std::move(loaded->warnings);
    return files;
}

std::vector<robot::Contradiction> check_parts(const robot::RobotConfig& config, const KeyFolder& keys) {
    std::vector<robot::Contradiction> found = RobotBody::check(config);
    const bool has_body = found.empty();
    const auto add = [&](std::string key, const Result<void>& checked) {
        if (checked) return;
        const std::string& why = checked.error().message;
        const std::string section = key.substr(0, key.find('.') + 1);
        const bool names_it = why.starts_with(key) || (!section.empty() && why.starts_with(section));
        std::string text = names_it ? why : key + ": " + why;
        found.push_back({std::move(key), std::move(text)});
    };
    if (has_body) add("body.kind", check_guard(config));
    add("camera.command", RobotCamera::check(config));
    if (!config.log.empty()) add("log", check_writable(config.log));
    if (!config.body_trace.empty()) add("body.trace", check_writable(config.body_trace));
    if (RobotLink::is_needed(config)) add("link.keys", RobotLink::check(config, keys));
    return found;
}

std::vector<robot::Contradiction> check_start(const robot::RobotConfig& config, const KeyFolder& keys,
                                              const robot::AddOwnClasses& own,
                                              std::vector<behavior::TreeFault>& warnings) {
    std::vector<robot::Contradiction> found = check_parts(config, keys);
    if (const auto tree = check_tree(config, own, describe_programs(config), &warnings); !tree) {
        const std::string& why = tree.error().message;
        const bool is_program = why.starts_with("ai.programs");
        found.push_back(
            {is_program ? "ai.programs" : "ai.tree", why.starts_with("ai.") ? why : "ai.tree: " + why});
    }
    const bool has_driver = std::ranges::none_of(
        found, [](const robot::Contradiction& each) { return each.key == "body.command"; });
    if (has_driver)
        if (const auto driver = check_own_driver(config); !driver)
            found.push_back({"body.command", "body.command: " + driver.error().message});
    return found;
}

}  // namespace caribou::app
