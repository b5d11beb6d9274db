// t17: a robot that explores, charges and plays. Needs no broker: `t17_explore_charge_play
// examples/trees/robot.json`.
//
// Combines the previous tutorials: the tree is in a file, its actions change the facts of a small simulated
// world, and the robot runs in it for two minutes of virtual time.

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>

#include "behavior/engine_classes.hpp"
#include "behavior/fact_changes.hpp"
#include "behavior/runner.hpp"
#include "behavior/tree_loader.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

double number(const Facts& facts, std::string_view name) {
    const Value* value = facts.find(name);
    const double* known = value ? std::get_if<double>(value) : nullptr;
    return known ? *known : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string path = argc > 1 ? argv[1] : "examples/trees/robot.json";
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};

    // The actions `set` and `add` do not change facts within a tick: they request changes, which are applied
    // between two ticks. A real robot would have actions that drive and lift instead.
    FactChanges changes;
    ClassRegistry classes;
    register_engine_classes(classes);
    register_fact_actions(classes, changes);
    auto loaded = load_tree(std::vector<TreeText>{{path, text}}, classes);
    if (!loaded) return std::fputs(to_string(loaded.error()).c_str(), stderr), 1;

    Facts facts;
    facts.set("battery", 60.0);
    BehaviorRunner runner(std::move(loaded->tree), facts, {.seed = 7});
    if (!runner.set_base(loaded->base)) return 1;

    std::set<std::string> seen;
    std::string last;
    for (Instant now{}; now < Instant(120s); now += 60ms) {
        // The world: a cube is visible for a while, and a person lifts the robot once.
        if (now == Instant(12s)) facts.set("cube_seen", true);
        if (now == Instant(60s)) facts.set("off_ground", true);
        if (now == Instant(66s)) facts.set("off_ground", false);
        changes.apply_to(facts);
        runner.tick(now);

        std::string stack;
        for (const Behavior* active : runner.stack()) {
            stack += (stack.empty() ? "" : " > ") + active->id();
            seen.insert(active->id());
        }
        if (stack != last)
            std::printf("%6.2f s  battery %3.0f  %s\n", to_seconds(now.time_since_epoch()),
                        number(facts, "battery"), stack.c_str());
        last = stack;
    }
    // It has run all behaviors, and its battery was never empty.
    for (const char* id : {"explore", "charge", "play", "be_carried"})
        if (!seen.contains(id)) return std::fprintf(stderr, "it never did %s\n", id), 1;
    return number(facts, "battery") > 0 ? 0 : 1;
}
