// Time from the last feed of a disturbed robot to zero ordered in the world's process: bench_guard
// [METRIC...] [--count N].

#include <array>

#include <fmt/format.h>

#include "guard/guarded_drive.hpp"
#include "metrics.hpp"
#include "trials.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;
using tests::Trouble;

void try_cuts(Trials& trials, std::span<const Trouble> troubles) {
    tests::GuardedDrive drive;
    while (!trials.done()) {
        const Trouble trouble = troubles[static_cast<std::size_t>(trials.tried()) % troubles.size()];
        const auto time = drive.cut_once(trouble);
        trials.add(time, [&] {
            return fmt::format("{}: {}", to_string(trouble), time ? drive.log() : drive.why());
        });
    }
    trials.finish();
}

/// How many cuts took effect within the limit of docs/safety.md, and the slowest one. The robot's process is
/// stopped, killed, stopped in its propulsion thread alone, and frozen together with its driver, in turn.
void guard_cut(const Report& report, const Effort& effort) {
    constexpr Duration allowed = 220ms;  // 200 ms and one period of propulsion; the world stops at once
    constexpr std::array troubles{Trouble::stopped, Trouble::killed, Trouble::propulsion_stopped,
                                  Trouble::frozen};
    Trials trials(report, {"guard_cut", "guard_cut_worst_ms", allowed}, effort.count);
    try_cuts(trials, troubles);
}

/// The same for a driver that hangs (SIGSTOP), from the signal on.
void hanging_driver(const Report& report, const Effort& effort) {
    constexpr std::array troubles{Trouble::driver_stopped};
    Trials trials(report, {"hanging_driver_cut", "hanging_driver_cut_worst_ms", 300ms}, effort.count);
    try_cuts(trials, troubles);
}

}  // namespace
}  // namespace caribou::bench

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {{"guard_cut_ok", guard_cut}, {"hanging_driver_cut_ok", hanging_driver}};
    return measure("guard", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
