// t12: conditions. Needs no broker: `t12_conditions`.
//
// A condition is a small test that is true or false. A behavior can have two kinds:
//   wants_when   evaluated while it is not active: it wants control only if all are true
//   cancel_when  evaluated while it is active: it ends as soon as one is true
// A condition has its own state, which is reset whenever it becomes live.

#include <cstdio>
#include <memory>

#include "behavior/act.hpp"
#include "behavior/and_condition.hpp"
#include "behavior/cooldown_condition.hpp"
#include "behavior/fact_condition.hpp"
#include "behavior/not_condition.hpp"
#include "behavior/runner.hpp"
#include "behavior/strict_priority.hpp"
#include "behavior/timer_condition.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

int main() {
    auto tree = std::make_unique<BehaviorTree>();
    auto& robot = tree->emplace<StrictPriority>("robot");
    auto& nap = tree->emplace<Idle>("nap");
    robot.add(nap);

    // It wants to nap if the battery is low and no person is there, at most once per second…
    std::vector<ConditionPtr> both;
    both.push_back(std::make_unique<FactCondition>("battery", Comparison::less, 30.0));
    both.push_back(std::make_unique<NotCondition>(std::make_unique<FactCondition>("somebody_there")));
    auto sleepy = std::make_unique<AndCondition>(std::move(both));
    if (!nap.wants_when(std::make_unique<CooldownCondition>(std::move(sleepy), 1s))) return 1;
    // …and it ends when a person comes, or after half a second.
    if (!nap.cancel_when(std::make_unique<FactCondition>("somebody_there"))) return 1;
    if (!nap.cancel_when(std::make_unique<TimerCondition>(500ms))) return 1;

    Facts facts;
    facts.set("battery", 80.0);
    BehaviorRunner runner(std::move(tree), facts);
    if (!runner.set_base("robot")) return 1;

    int naps = 0;
    bool was_napping = false;
    for (Instant now{}; now < Instant(2s); now += 100ms) {
        if (now == Instant(300ms)) facts.set("battery", 10.0);
        if (now == Instant(1500ms)) facts.set("somebody_there", true);
        runner.tick(now);
        const Behavior& sleeper = *runner.tree().find("nap");
        const bool is_napping = sleeper.state() == Behavior::State::active;
        if (is_napping && !was_napping) ++naps;
        was_napping = is_napping;
        // A behavior that does not want control reports which of its gates is closed, and why.
        const Wants answer = runner.why_not(sleeper);
        std::printf("%.1f s: %s %.*s\n", to_seconds(now.time_since_epoch()),
                    is_napping ? "napping" : "awake, needs",
                    is_napping ? 0 : static_cast<int>(answer.why_not().size()), answer.why_not().data());
    }
    return naps == 2 && !was_napping ? 0 : 1;
}
