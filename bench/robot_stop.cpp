#include <atomic>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "base/random.hpp"
#include "robot_figures.hpp"
#include "robot_jitter.hpp"
#include "robot_probe.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr int robots = 20;
constexpr int rounds = 50;
constexpr auto allowed = 10ms;

/// Keeps all cores busy and all queues of these robots full.
class Nuisance {
public:
    explicit Nuisance(std::vector<std::unique_ptr<BareRobot>>& victims) {
        for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i)
            threads_.emplace_back([this, &victims] {
                while (!ends_)
                    for (const auto& robot : victims) robot->order(1);
            });
    }
    ~Nuisance() {
        ends_ = true;
        for (std::thread& thread : threads_) thread.join();
    }
    Nuisance(const Nuisance&) = delete;
    Nuisance& operator=(const Nuisance&) = delete;

private:
    std::atomic<bool> ends_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace

void stop_ok(const Report& report, const Effort&) {
    std::vector<std::unique_ptr<BareRobot>> fleet;
    for (int i = 0; i < robots; ++i) fleet.push_back(std::make_unique<BareRobot>());
    const Nuisance nuisance(fleet);
    TimerJitter jitter;
    int good = 0;
    int apart = 0;
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        for (const auto& robot : fleet) robot->propulsion.release_stop();
        for (const auto& robot : fleet) robot->get_moving();
        for (const auto& robot : fleet) {
            robot->motors.watch_for(MotorProbe::Event::rest);
            jitter.take();
            const SteadyTime called = now();
            robot->propulsion.full_stop(motion::StopCause::operator_);
            const auto noted = robot->motors.noted();
            const auto late = jitter.take();
            const bool in_time = noted && *noted - called <= allowed + BareRobot::settings().period;
            const bool machine_late =
                !late.empty() && std::ranges::max(late) > microseconds(SteadyTime::duration(allowed));
            if (noted) times.push_back(microseconds(*noted - called));
            good += in_time ? 1 : 0;
            apart += !in_time && machine_late ? 1 : 0;
        }
        if (round % 10 == 9)
            report.progress(fmt::format("{} of {} stops", (round + 1) * robots, robots * rounds));
    }
    report.add({"stop_ok", static_cast<double>(good), fmt::format("of {}", robots * rounds - apart)});
    report.add({"stop_machine_late", static_cast<double>(apart), "trials"});
    report.add({"stop_p50_us", percentile(times, 0.50), "us"});
    report.add({"stop_worst_us", percentile(times, 1.0), "us"});
}

}  // namespace caribou::bench
