// t13: actions and results. Needs no broker: `t13_actions_and_results`.
//
// An action is something the robot does over several ticks: drive, say, wait. A behavior in control
// gives control to an action just as to another behavior, and hears how it ended. Whoever ends has a
// result: succeeded, failed with a reason, or cancelled.

#include <cstdio>
#include <memory>

#include "behavior/runner.hpp"
#include "behavior/sequential_action.hpp"
#include "behavior/wait_action.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

/// Drives until something is in the way. A real one would talk to the motors.
class DriveAction final : public Action {
public:
    explicit DriveAction(int steps) : steps_(steps) {}
    std::string_view name() const override { return "drive"; }
    void start(Instant) override { done_ = 0; }
    // Polled once per tick until it returns how it ended.
    std::optional<Outcome> poll(Instant) override {
        std::printf("  drives, step %d\n", ++done_);
        if (done_ == 4) return Outcome::failed("there is a wall");
        return done_ == steps_ ? std::optional(Outcome::succeeded()) : std::nullopt;
    }
    // Comes in place of a result. Whatever was started has to be stopped here.
    void cancel() override { std::puts("  stops driving"); }

private:
    int steps_;
    int done_ = 0;
};

class Explore final : public Behavior {
public:
    using Behavior::Behavior;

protected:
    void on_activated(Control& control) override {
        // Two actions in a row: the second starts only if the first succeeds.
        std::vector<std::unique_ptr<Action>> parts;
        parts.push_back(std::make_unique<DriveAction>(2));
        parts.push_back(std::make_unique<WaitAction>(120ms));
        std::ignore = control.delegate(std::make_unique<SequentialAction>(std::move(parts)),
                                       [](Control& self, const Outcome& outcome) {
                                           std::printf("first trip: %s\n", to_string(outcome).c_str());
                                           drive_too_far(self);
                                       });
    }

private:
    /// A callback may go on at once. The behavior ends with the result of its second trip.
    static void drive_too_far(Control& self) {
        std::ignore =
            self.delegate(std::make_unique<DriveAction>(9), [](Control& again, const Outcome& outcome) {
                std::printf("second trip: %s\n", to_string(outcome).c_str());
                std::ignore = again.finish(outcome);
            });
    }
};

}  // namespace

int main() {
    auto tree = std::make_unique<BehaviorTree>();
    tree->emplace<Explore>("explore");
    const Facts facts;
    BehaviorRunner runner(std::move(tree), facts);
    if (!runner.set_base("explore")) return 1;
    for (Instant now{}; now < Instant(2s); now += 60ms) {
        runner.tick(now);
        if (runner.idle()) return 0;
    }
    return 1;
}
