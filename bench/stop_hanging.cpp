#include <memory>

#include "field/rebooting_robot.hpp"
#include "field/stalled_thread.hpp"
#include "stop_figures.hpp"
#include "trials.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// The robot of the tests, which turns without pause: only the hang, or the stop, can end that.
class DrivenRobot final : public tests::RebootingRobot {
public:
    static constexpr Duration main_silent_limit = stop_limit;
    static constexpr Duration rm5_limit = reboot_stop_limit;

    std::optional<Duration> hang_main() {
        why_ = "it does not move";
        if (!moves(*person_)) return std::nullopt;
        std::optional<Duration> time;
        {
            const Instant hung = clock.now();
            const tests::StalledThread main(field.robot->id(), "main");
            time = time_to_rest(*person_, hung);
        }
        const auto is_back = [](const station::RobotPicture& rover) {
            return !is_silent(rover) && rover.status.robot && rover.status.robot->stopped;
        };
        why_ = time ? "main is not back" : "it does not stop";
        if (!person_->sees(is_back, 30s)) return std::nullopt;
        why_ = "release_stop: " + person_->release(30s);
        return why_.contains("DONE") ? time : std::nullopt;
    }
    std::optional<Duration> stop_during_rm5(Duration delay) { return stop_after(*person_, delay, why_); }
    std::string why() const { return why_ + "\n" + text_of("robot.log"); }

private:
    void TestBody() override {}

    std::string why_;
    std::unique_ptr<tests::Operator> person_ = start_driving();
};

}  // namespace

void main_silent_stop(const Report& report, const Effort& effort) {
    Trials trials(report, {"main_silent_stop", "main_silent_stop_worst_ms", DrivenRobot::main_silent_limit},
                  effort.count);
    auto robot = std::make_unique<DrivenRobot>();
    while (!trials.done()) {
        const auto time = robot->hang_main();
        trials.add(time, [&] { return robot->why(); });
        if (!time) robot = std::make_unique<DrivenRobot>();
    }
    trials.finish();
}

void rm5_stop(const Report& report, const Effort& effort) {
    constexpr int per_robot = 50;  // max_reboots limits them
    Trials trials(report, {"rm5_stop", "rm5_stop_worst_ms", DrivenRobot::rm5_limit}, effort.count);
    std::unique_ptr<DrivenRobot> robot;
    while (!trials.done()) {
        if (trials.tried() % per_robot == 0) robot = std::make_unique<DrivenRobot>();
        const auto time = robot->stop_during_rm5(trials.tried() % 11 * 50ms);
        trials.add(time, [&] { return robot->why(); });
        if (!time) robot = std::make_unique<DrivenRobot>();
    }
    trials.finish();
}

}  // namespace caribou::bench
