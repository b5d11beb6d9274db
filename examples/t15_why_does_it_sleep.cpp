// t15: why does it sleep? Needs no broker: `t15_why_does_it_sleep`.
//
// When a robot does nothing, people ask why. After each tick the runner reports all changes to its observers.
// A recorder is such an observer; its recording can explain any tick later.

#include <cstdio>
#include <memory>

#include "behavior/act.hpp"
#include "behavior/explain.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/queue.hpp"
#include "behavior/recorder.hpp"
#include "behavior/runner.hpp"
#include "behavior/strict_priority.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

/// An observer of our own: prints the changes.
class Printer final : public Observer {
public:
    void on_tick(const Difference& difference) override {
        for (const Change& change : difference.changes)
            std::printf("tick %d: %s\n", static_cast<int>(difference.tick),
                        describe(change, difference.tree).c_str());
    }
};

}  // namespace

int main() {
    auto tree = std::make_unique<BehaviorTree>();
    auto& robot = tree->emplace<StrictPriority>("robot");
    auto& play = tree->emplace<Queue>("play");
    auto& roll = tree->emplace<Idle>("roll");
    robot.add(play);
    play.add(roll);
    if (!play.wants_when(std::make_unique<FactCondition>("cube"))) return 1;
    if (!play.wants_when(std::make_unique<FactCondition>("battery", Comparison::greater, 30.0))) return 1;

    Facts facts;
    facts.set("cube", true);
    BehaviorRunner runner(std::move(tree), facts);
    Printer printer;
    Recorder recorder(runner);
    runner.add_observer(printer);
    runner.add_observer(recorder);
    if (!runner.set_base("robot")) return 1;
    const TreeGraph graph = graph_of(runner.tree(), 0);

    runner.tick(Instant(0ms));
    facts.set("battery", 80.0);
    runner.tick(Instant(60ms));

    // `caribou tree explain` does the same with a file.
    const auto recording = Recording::read(recorder.bytes());
    if (!recording) return 1;
    Replay replay(*recording);
    for (const std::uint64_t tick : {1U, 2U}) {
        if (!replay.seek(tick)) return 1;
        const auto lines = explain(replay, "roll", &graph);
        if (!lines) return 1;
        std::printf("why is roll not active after tick %d?\n", static_cast<int>(tick));
        for (const std::string& line : *lines) std::printf("  %s\n", line.c_str());
    }
    return replay.state().is_active(replay.find("roll")) ? 0 : 1;
}
