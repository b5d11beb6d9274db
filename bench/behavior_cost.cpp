#include <ctime>

#include "behavior/recorder.hpp"
#include "behavior_figures.hpp"
#include "behavior_robot.hpp"

namespace caribou::bench {
namespace {

constexpr int ticks_per_look = 100;  // per check of the clock
constexpr Seconds a_round{0.02};

/// Returns the CPU time of this thread. The engine does not block, so time taken by other programs is
/// excluded.
Seconds worked() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

/// Returns the nanoseconds of CPU time per call of `once`.
template <class Once>
double nanoseconds_each(Seconds round, Once once) {
    const Seconds began = worked();
    double calls = 0;
    Seconds spent{};
    for (; spent < round; spent = worked() - began, calls += ticks_per_look)
        for (int i = 0; i < ticks_per_look; ++i) once();
    return spent.count() * 1e9 / calls;
}

/// Returns the cost of a tick, and of a plain loop over the same objects.
Pair tick_and_plain(const Effort& effort, Robot& robot) {
    return interleave(
        effort, a_round, [&](Seconds round) { return nanoseconds_each(round, [&] { robot.plain_round(); }); },
        [&](Seconds round) { return nanoseconds_each(round, [&] { robot.tick(); }); });
}

}  // namespace

void engine_ns_per_behavior(const Report& report, const Effort& effort) {
    Robot robot({});
    const Pair cost = tick_and_plain(effort, robot);
    const auto behaviors = static_cast<double>(robot.in_scope());
    report.add({.metric = "engine_ns_per_behavior",
                .value = (cost.value - cost.floor) / behaviors,
                .unit = "ns over the floor",
                .floor = cost.floor / behaviors});
}

void recording_ratio(const Report& report, const Effort& effort) {
    Robot robot({.busy = true});
    Robot recorded({.busy = true});
    behavior::Recorder recorder(recorded.runner());
    recorded.runner().add_observer(recorder);
    const auto tick_recorded = [&] {
        recorded.tick();
        if (recorder.bytes().size() > (1 << 20)) recorder.forget();
    };
    const Pair cost = interleave(
        effort, a_round, [&](Seconds round) { return nanoseconds_each(round, [&] { robot.tick(); }); },
        [&](Seconds round) { return nanoseconds_each(round, tick_recorded); });
    const double plain = nanoseconds_each(a_round, [&] { robot.plain_round(); });
    report.add({.metric = "recording_ratio",
                .value = (cost.value - plain) / (cost.floor - plain),
                .unit = "of the same without"});
}

void tree_10k_core(const Report& report, const Effort& effort) {
    Robot small({.dispatchers = true});
    Robot large({.in_tree = 10'000, .dispatchers = true});
    const Pair cost = interleave(
        effort, a_round, [&](Seconds round) { return nanoseconds_each(round, [&] { small.tick(); }); },
        [&](Seconds round) { return nanoseconds_each(round, [&] { large.tick(); }); });
    const auto per_cent_at_1khz = [](double nanoseconds) { return nanoseconds * 1e-9 * 1e3 * 100; };
    report.add({.metric = "tree_10k_core",
                .value = per_cent_at_1khz(cost.value),
                .unit = "% of a core",
                .floor = per_cent_at_1khz(cost.floor)});
}

}  // namespace caribou::bench
