// t16: change a tree while it runs. Needs no broker: `t16_change_while_running`.
//
// A file may change while the robot runs. The new text is loaded and checked as a whole. If it is valid, the
// robot switches to it in the next tick; if not, it continues with the old one, and the errors are reported.

#include <cstdio>
#include <memory>
#include <string>

#include "behavior/engine_classes.hpp"
#include "behavior/tree_reload.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

int main() {
    ClassRegistry classes;
    register_engine_classes(classes);
    const TreeText first{"robot.json", R"({"base": "robot", "behaviors": [
  {"class": "queue", "id": "robot", "children": ["rest"]},
  {"class": "idle", "id": "rest"}
]})"};
    const TreeText mistyped{"robot.json", R"({"base": "robot", "behaviors": [
  {"class": "queue", "id": "robot", "children": ["paly"]},
  {"class": "idle", "id": "play"}
]})"};
    const TreeText corrected{"robot.json", R"({"base": "robot", "behaviors": [
  {"class": "queue", "id": "robot", "children": ["play"]},
  {"class": "idle", "id": "play"}
]})"};

    auto loaded = load_tree(std::vector<TreeText>{first}, classes);
    if (!loaded) return std::fputs(to_string(loaded.error()).c_str(), stderr), 1;
    const Facts facts;
    BehaviorRunner runner(std::move(loaded->tree), facts);
    if (!runner.set_base(loaded->base)) return 1;
    // The program must watch the file itself: this only takes its text.
    TreeReload reload(runner, classes, {first});

    Instant now{};
    const auto tick = [&] {
        runner.tick(now += 60ms);
        std::printf("on top: %s\n", runner.stack().back()->id().c_str());
    };
    tick();
    if (const auto changed = reload.change(mistyped); !changed)
        std::printf("refused:\n%s", to_string(changed.error()).c_str());
    tick();
    if (!reload.change(corrected)) return 1;
    std::puts("taken");
    tick();
    return runner.stack().back()->id() == "play" ? 0 : 1;
}
