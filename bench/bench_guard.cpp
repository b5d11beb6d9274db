// Time from the last feed of a disturbed robot to zero ordered in the world's process: bench_guard
// [METRIC...].

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "guard/guarded_drive.hpp"
#include "metrics.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// How many of 1,000 cuts took effect within the limit of docs/safety.md, and the slowest one. The robot's
/// process is stopped, killed, stopped in its propulsion thread alone, and frozen together with its driver,
/// in turn.
void guard_cut(const Report& report, const Effort&) {
    constexpr int cuts = 1000;
    constexpr Duration allowed = 220ms;  // 200 ms and one period of propulsion; the world stops at once
    constexpr std::array troubles{tests::Trouble::stopped, tests::Trouble::killed,
                                  tests::Trouble::propulsion_stopped, tests::Trouble::frozen};
    tests::GuardedDrive drive;
    int good = 0;
    Duration worst{};
    for (int i = 0; i < cuts; ++i) {
        const auto trouble = troubles[static_cast<std::size_t>(i) % troubles.size()];
        const auto time = drive.cut_once(trouble);
        if (!time) report.progress(fmt::format("cut {} ({}): {}", i, to_string(trouble), drive.why()));
        if (time && *time > allowed)
            report.progress(fmt::format("cut {} ({}): {:.1f} ms\n{}", i, to_string(trouble),
                                        to_seconds(*time) * 1000, drive.log()));
        good += time && *time <= allowed ? 1 : 0;
        if (time) worst = std::max(worst, *time);
        if (i % 100 == 99) report.progress(fmt::format("{} cuts, {} in time", i + 1, good));
    }
    report.add({"guard_cut_ok", static_cast<double>(good), "of 1000"});
    report.add({"guard_cut_worst_ms", to_seconds(worst) * 1000, "ms"});
}

}  // namespace
}  // namespace caribou::bench

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {{"guard_cut_ok", guard_cut}};
    measure("guard", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
