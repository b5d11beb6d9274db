// Time that a stop takes while attackers keep robot and station busy: bench_attack [METRIC...].

#include <algorithm>

#include <fmt/format.h>

#include "field/stop_under_attack.hpp"
#include "metrics.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// How many of 1,000 stops under all attacks at once took effect within 100 ms, and the slowest one.
void stop_under_attack(const Report& report, const Effort&) {
    constexpr int stops = 1000;
    constexpr Duration allowed = 100ms;
    constexpr Duration given_up = 30s;
    tests::StopUnderAttack field({"flood", "sessions", "handshakes", "requests", "watchers"});
    int good = 0;
    Duration worst{};
    for (int i = 0; i < stops; ++i) {
        const auto time = field.stop_once(given_up);
        if (!time) report.progress(fmt::format("stop {}: {}", i, field.trouble()));
        good += time && *time <= allowed ? 1 : 0;
        worst = std::max(worst, time.value_or(given_up));
        if (i % 100 == 99) report.progress(fmt::format("{} stops, {} in time", i + 1, good));
    }
    if (!field.attacked()) good = 0;  // otherwise the result would be meaningless
    report.add({"stop_under_attack_ok", static_cast<double>(good), "of 1000"});
    report.add({"stop_worst_ms", to_seconds(worst) * 1000, "ms"});
}

}  // namespace
}  // namespace caribou::bench

int main(int argc, char** argv) {
    using namespace caribou::bench;
    constexpr Metric metrics[] = {{"stop_under_attack_ok", stop_under_attack}};
    measure("attack", metrics, Effort{}, {argv, static_cast<std::size_t>(argc)});
}
