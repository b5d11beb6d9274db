// t13: actions and results. Needs no broker: `t13_actions_and_results`.
//
// An action is something the robot does over several ticks: drive, speak, wait. A behavior in control
// delegates to an action just as to another behavior, and is notified of its result. Results are: succeeded,
// failed with a reason, or canceled.

#include <cstdio>
#include <memory>

#include "behavior/runner.hpp"
#include "behavior/sequential_action.hpp"
#include "behavior/wait_action.hpp"

using namespace caribou;
using namespace caribou::behavior;
using namespace std::chrono_literals;

namespace {

/// Drives until there is an obstacle. A real one would control the motors.
class DriveAction final : public Action {
public:
    explicit DriveAction(int steps) : steps_(steps) {}
    std::string_view name() const override { return "drive"; }
    void start(Instant) override { done_ = 0; }
    // Polled once per tick until it returns its result.
    std::optional<Outcome> poll(Instant) override {
        std::printf("  drives, step %d\n", ++done_);
        if (done_ == 4) return Outcome::failed("there is a wall");
        return done_ == steps_ ? std::optional(Outcome::succeeded()) : std::nullopt;
    }
    // Called instead of a result. Must stop whatever was started.
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
        // Two actions in sequence: the second starts only if the first succeeds.
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
    /// A callback may delegate again at once. The behavior ends with the result of its second trip.
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
