// A thousand robots and one station, all on loopback.

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cpu_time.hpp"
#include "give_up.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/web_socket.hpp"
#include "station/fleet_picture.hpp"
#include "station_figures.hpp"
#include "station_program.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// Returns the bytes of a process's memory that are not shared.
double private_memory(pid_t pid) {
    std::ifstream lines(fmt::format("/proc/{}/smaps_rollup", pid));
    double sum = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("Private_")) sum += std::stod(line.substr(line.find(':') + 1)) * 1024;
    return sum;
}

class Watcher final : public TextChannelEvents {
public:
    void on_text(std::string_view text) override { static_cast<void>(picture.take(text)); }
    void on_closed(std::string_view) override {}
    station::FleetPicture picture;
};

/// A program that watches the station, on its own loop.
class LookingProgram {
public:
    explicit LookingProgram(const Address& web)
        : channel_(dial_web_socket(loop, {.at = web, .target = "/api/v1/stream"}, watcher_)) {
        if (!loop.run_until([&] { return watcher_.picture.complete(); }, 10s))
            give_up("a watcher sees nothing");
    }
    std::size_t robots() const { return watcher_.picture.robots().size(); }

    EventLoop loop;

private:
    Watcher watcher_;
    std::unique_ptr<TextChannel> channel_;
};

struct Load {
    double core;  ///< share of a core used by the station
    double hz;    ///< telemetry rate per robot
};
Load measure_load(const StationProgram& station, std::size_t robots, EventLoop& loop, const Effort& effort) {
    constexpr std::string_view datagrams = "datagrams_total{kind=\"all\"}";
    const auto let_pass = [&](Duration time) { loop.run_until([] { return false; }, time); };
    let_pass(2s);  // excludes one-time costs
    const Seconds cpu = cpu_time(station.pid());
    const double heard = station.count(datagrams);
    const SteadyTime start = now();
    let_pass(std::chrono::duration_cast<Duration>(effort.per_side));
    const Seconds passed = now() - start;
    return {(cpu_time(station.pid()) - cpu) / passed,
            (station.count(datagrams) - heard) / passed.count() / static_cast<double>(robots)};
}

}  // namespace

void robots_1000_core(const Report& report, const Effort& effort) {
    constexpr std::size_t few = 100;
    constexpr std::size_t all = 1000;
    const auto limit = raise_descriptor_limit();
    if (!limit || *limit < 3 * all + 100) give_up("1,000 robots need 3,000 descriptors (ulimit -Hn)");
    StationProgram station(all);
    const double before = private_memory(station.pid());
    const auto kib_per_robot = [&](std::size_t count) {
        return (private_memory(station.pid()) - before) / 1024 / static_cast<double>(count);
    };

    const RobotCrowd first(station.address(), {.count = few});
    first.call();
    first.await();
    LookingProgram watcher(station.web());
    const Load few_load = measure_load(station, few, watcher.loop, effort);
    const double few_kib = kib_per_robot(few);
    const RobotCrowd others(station.address(), {.first = few, .count = all - few});
    others.call();
    others.await();
    const Load load = measure_load(station, all, watcher.loop, effort);
    report.add({"robots_1000_core", load.core, "core"});
    report.add({"robots_1000_hz", load.hz, "Hz"});
    report.add({"robots_100_core", few_load.core, "core"});
    report.add({"kib_per_robot", kib_per_robot(all), "KiB"});
    report.add({"kib_per_robot_of_100", few_kib, "KiB"});

    Seconds slowest{};
    for (int i = 0; i < 10; ++i) {
        const SteadyTime asked = now();
        const LookingProgram another(station.web());
        slowest = std::max(slowest, Seconds(now() - asked));
        if (another.robots() != all) give_up("the picture is not whole");
    }
    report.add({"watcher_full_ms", slowest.count() * 1e3, "ms"});
    station.end();  // before its robots, whose loss it would log
}

}  // namespace caribou::bench
