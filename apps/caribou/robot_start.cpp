#include "caribou/robot_start.hpp"

#include <string>
#include <utility>

#include "caribou/robot_body.hpp"
#include "caribou/robot_guard.hpp"
#include "caribou/tree_files.hpp"
#include "caribou/tree_world.hpp"
#include "robot/default_tree.hpp"

namespace caribou::app {

Result<std::vector<behavior::TreeText>> check_tree(const robot::RobotConfig& config) {
    if (config.ai_tree.empty())
        return std::vector<behavior::TreeText>{{"built-in", std::string(robot::default_tree())}};
    auto files = read_tree_files({config.ai_tree});
    if (!files) return fail(files.error().code, "ai.tree: " + files.error().message);
    const FakeWorld world({}, TreeActions::of_robots);
    if (const auto loaded = behavior::load_tree(*files, world.classes()); !loaded)
        return fail(Code::malformed, "ai.tree is refused\n" + to_string(loaded.error()));
    return files;
}

Result<void> check_start(const robot::RobotConfig& config) {
    if (auto body = RobotBody::check(config); !body) return body;
    if (auto guard = check_guard(config); !guard) return guard;
    if (auto tree = check_tree(config); !tree) return fail(std::move(tree.error()));
    return {};
}

}  // namespace caribou::app
