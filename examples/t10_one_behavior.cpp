// t10: one behavior. Needs no broker: `t10_one_behavior`.
//
// A behavior is one thing that a robot can do. It does not run by itself: a runner calls it, once per tick,
// and always in the same order. This one prints each call, so that you can see the order.

#include <cstdio>
#include <memory>

#include "behavior/runner.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

class Greet final : public Behavior {
public:
    using Behavior::Behavior;

protected:
    // From now on the runner may query whether it wants control.
    void on_entered_activatable_scope(Scope&) override { std::puts("in scope"); }
    // Called each tick while it is not active. A refusal has a reason, for people.
    Wants wants_to_be_activated(const View& view) const override {
        return view.facts().holds("somebody_there") ? Wants::yes() : Wants::no("nobody is there");
    }
    // It has control now.
    void on_activated(Control&) override { std::puts("active: hello!"); }
    // Called once per tick, active or not.
    void update(Control& control) override {
        std::printf("tick %d: %s\n", static_cast<int>(control.tick()),
                    control.is_active() ? "active" : "waiting");
        // Ends after three ticks.
        if (control.is_active() && ++greeted_ == 3) std::ignore = control.finish(Outcome::succeeded());
    }
    void on_deactivated(const View&) override { std::puts("no longer active"); }
    void on_left_activatable_scope(const View&) override { std::puts("out of scope"); }

private:
    int greeted_ = 0;
};

}  // namespace

int main() {
    // A tree owns its behaviors. This one has a single behavior, which is also its base.
    auto tree = std::make_unique<BehaviorTree>();
    tree->emplace<Greet>("greet");

    // Facts are the engine's only knowledge of the world. The program sets them, behaviors read them.
    Facts facts;
    BehaviorRunner runner(std::move(tree), facts);
    if (!runner.set_base("greet")) return 1;

    // The engine has no clock: the time of a tick is an argument.
    for (Instant now{}; now < Instant(600ms); now += 60ms) {
        if (now == Instant(180ms)) facts.set("somebody_there", true);
        runner.tick(now);
        if (runner.idle()) return 0;  // the base has ended
    }
    return 1;
}
