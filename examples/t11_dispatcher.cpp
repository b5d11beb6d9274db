// t11: a dispatcher. Needs no broker: `t11_dispatcher`.
//
// Active behaviors form a stack: the base at the bottom, and above it the behavior it has delegated to, and
// so on. A dispatcher is a behavior that only chooses among its children. The strict priority delegates to
// the first child that wants control, and interrupts a child of lower priority.

#include <cstdio>
#include <memory>
#include <string>

#include "behavior/act.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/runner.hpp"
#include "behavior/strict_priority.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

std::string stack_of(const BehaviorRunner& runner) {
    std::string text;
    for (const Behavior* active : runner.stack()) text += (text.empty() ? "" : " > ") + active->id();
    return text;
}

}  // namespace

int main() {
    auto tree = std::make_unique<BehaviorTree>();
    auto& robot = tree->emplace<StrictPriority>("robot");
    // Idle does nothing until it is interrupted.
    auto& flee = tree->emplace<Idle>("flee");
    auto& play = tree->emplace<Idle>("play");
    auto& rest = tree->emplace<Idle>("rest");
    // From the highest priority to the lowest.
    robot.add(flee);
    robot.add(play);
    robot.add(rest);
    // A child wants control unless a condition is false. Here the conditions test facts.
    if (!flee.wants_when(std::make_unique<FactCondition>("cat_nearby"))) return 1;
    if (!play.wants_when(std::make_unique<FactCondition>("ball_nearby"))) return 1;

    Facts facts;
    BehaviorRunner runner(std::move(tree), facts);
    if (!runner.set_base("robot")) return 1;

    runner.tick(Instant(0ms));
    std::printf("nothing to do:   %s\n", stack_of(runner).c_str());
    facts.set("ball_nearby", true);
    runner.tick(Instant(60ms));
    std::printf("there is a ball: %s\n", stack_of(runner).c_str());
    facts.set("cat_nearby", true);
    runner.tick(Instant(120ms));
    std::printf("there is a cat:  %s\n", stack_of(runner).c_str());
    // `flee` does not end by itself, and `play` must not interrupt it: it stays active even without a cat.
    // The next tutorial shows how to end it.
    facts.set("cat_nearby", false);
    runner.tick(Instant(180ms));
    std::printf("the cat is gone: %s\n", stack_of(runner).c_str());
    return stack_of(runner) == "robot > flee" ? 0 : 1;
}
