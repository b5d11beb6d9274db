#include <future>
#include <memory>

#include <fmt/format.h>

#include "base/random.hpp"
#include "give_up.hpp"
#include "loop/virtual_loop.hpp"
#include "robot_figures.hpp"
#include "robot_jitter.hpp"
#include "robot_probe.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr int side_by_side = 40;
constexpr int rounds_each = 10;
constexpr int steps_of_the_clock = 200;

Duration limit() {
    const motion::MotionSettings settings = BareRobot::settings();
    return settings.time_to_live + settings.period + 10ms;
}

/// Renews a robot's orders on its own thread, until it is killed or hangs.
class Source {
public:
    explicit Source(BareRobot& robot) : robot_(robot) {
        timer_->arm(thread_.loop().clock().now());
        if (!thread_.start()) give_up("no thread for a source of orders");
    }
    ~Source() {
        resume_.set_value();
        thread_.stop();
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    /// Stops the orders. Returns when the last one was given.
    SteadyTime kill() {
        thread_.stop();
        return last_;
    }
    /// The same, but the thread hangs in a call that does not return.
    SteadyTime hang() {
        std::promise<SteadyTime> hangs;
        thread_.loop().post_from_any_thread([&] {
            hangs.set_value(last_);
            resume_.get_future().wait();
        });
        return hangs.get_future().get();
    }

private:
    void renew() {
        last_ = now();
        robot_.order(1);
        timer_->arm(thread_.loop().clock().now() + 100ms);
    }

    BareRobot& robot_;
    NullLog log_;
    NamedThread thread_{{"source"}, log_};
    SteadyTime last_;
    std::promise<void> resume_;
    std::unique_ptr<Timer> timer_ = thread_.loop().make_timer([this] { renew(); });
};

/// Removes the source of every robot, and returns how many slowed their motors in time.
int lost_sources(std::vector<std::unique_ptr<BareRobot>>& fleet, SteadyTime (Source::*lose)(),
                 std::vector<double>& times) {
    std::vector<std::unique_ptr<Source>> sources;
    for (const auto& robot : fleet) {
        robot->get_moving();
        sources.push_back(std::make_unique<Source>(*robot));
    }
    std::vector<SteadyTime> last;
    for (std::size_t i = 0; i < fleet.size(); ++i) {
        fleet[i]->motors.watch_for(MotorProbe::Event::slower);
        last.push_back((*sources[i].*lose)());
    }
    int good = 0;
    for (std::size_t i = 0; i < fleet.size(); ++i) {
        const auto noted = fleet[i]->motors.noted();
        if (!noted) continue;
        times.push_back(microseconds(*noted - last[i] - BareRobot::settings().time_to_live));
        good += *noted - last[i] <= limit() ? 1 : 0;
    }
    return good;
}

/// The time of day jumps by up to a year in either direction while an order is active.
int stepped_clocks() {
    class Silence final : public motion::MotionEvents {
        void on_answer(const motion::MotionAnswer&) override {}
        void on_report(const motion::MotionReport&) override {}
    } silence;
    Random random(1);
    int good = 0;
    for (int i = 0; i < steps_of_the_clock; ++i) {
        VirtualLoop loop;
        motion::NullBody body;
        motion::ThreadPropulsion propulsion(loop, body, BareRobot::settings(), silence);
        propulsion.start();
        propulsion.permit({true, {motion::MotionSource::operator_}});
        loop.advance(std::chrono::microseconds(random.between(0, 100'000)));
        propulsion.order({motion::MotionSource::operator_, *motion::MovementCommand::of(1, 1)});
        loop.advance(std::chrono::milliseconds(random.between(20, 400)));
        const bool moved = propulsion.report().driven.right > 0.0;
        loop.step_wall(std::chrono::hours(random.between(-8760, 8760)));
        loop.advance(limit() - 20ms);
        good += moved && propulsion.report().reason == motion::MotionReason::dead_man ? 1 : 0;
    }
    return good;
}

}  // namespace

void deadman_ok(const Report& report, const Effort&) {
    std::vector<std::unique_ptr<BareRobot>> fleet;
    for (int i = 0; i < side_by_side; ++i) fleet.push_back(std::make_unique<BareRobot>());
    TimerJitter jitter;
    std::vector<double> times;
    int good = stepped_clocks();
    for (int round = 0; round < rounds_each; ++round) {
        good += lost_sources(fleet, &Source::kill, times);
        good += lost_sources(fleet, &Source::hang, times);
        report.progress(fmt::format("{} of {} sources lost", 2 * (round + 1) * side_by_side,
                                    2 * rounds_each * side_by_side));
    }
    report.add({"deadman_ok", static_cast<double>(good),
                fmt::format("of {}", 2 * rounds_each * side_by_side + steps_of_the_clock)});
    report.add({"deadman_overdue_worst_us", percentile(times, 1.0), "us", percentile(jitter.take(), 1.0)});
}

}  // namespace caribou::bench
