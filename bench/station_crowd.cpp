// A thousand robots and one station, all on loopback.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "child.hpp"
#include "cpu_time.hpp"
#include "give_up.hpp"
#include "platform/descriptor_limit.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "platform/web_socket.hpp"
#include "station/fleet_picture.hpp"
#include "station/played_robot.hpp"
#include "station_figures.hpp"
#include "tcp.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

/// Bytes of a process's memory that no other process shares.
double private_memory(pid_t pid) {
    std::ifstream lines(fmt::format("/proc/{}/smaps_rollup", pid));
    double sum = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with("Private_")) sum += std::stod(line.substr(line.find(':') + 1)) * 1024;
    return sum;
}

/// Robots in a process of their own, all connected.
class Crowd {
public:
    Crowd(const Address& station, std::size_t first, std::size_t count)
        : child_([&] { play(station, first, count); }) {
        char connected = 0;
        if (::read(pipe_.ends[0], &connected, 1) != 1) give_up("not all robots were connected");
    }

private:
    struct Pipe {
        Pipe() { need(::pipe(ends) == 0, "make a pipe"); }
        int ends[2];
    };

    void play(const Address& station, std::size_t first, std::size_t count) const {
        NullLog log;
        EventLoop loop;
        SocketNetwork network(loop, log);
        std::vector<std::unique_ptr<station::PlayedRobot>> robots;
        std::size_t connected = 0;
        for (std::size_t i = first; i < first + count; ++i) {
            robots.push_back(std::make_unique<station::PlayedRobot>(
                loop, network,
                station::PlayedRobot::Settings{.name = fmt::format("robot_{}", i), .station = station}));
            robots.back()->telemetry.ranges.resize(36);
            robots.back()->on_auth = [&] { connected += 1; };
        }
        if (!loop.run_until([&] { return connected >= count; }, 60s)) give_up("robots were not connected");
        need(::write(pipe_.ends[1], "!", 1) == 1, "say that robots are connected");
        loop.run();
    }

    Pipe pipe_;
    Child child_;
};

class Watcher final : public TextChannelEvents {
public:
    void on_text(std::string_view text) override { static_cast<void>(picture.take(text)); }
    void on_closed(std::string_view) override {}
    station::FleetPicture picture;
};

/// A program that looks at the station, on its own loop.
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

/// A port that was free a moment ago.
std::uint16_t free_port() {
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    return (*network.listen(Address::ip("127.0.0.1", 0), [](std::unique_ptr<Stream>) {}))->address().port;
}

/// How many datagrams have come, by the station's own count.
double datagrams(const Address& web) {
    const TcpConnection connection(web.port);
    connection.send(bytes_of("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    constexpr std::string_view name = "datagrams_total{kind=\"all\"} ";
    std::string heard;
    std::size_t at = std::string::npos;
    while (at == std::string::npos || heard.find('\n', at) == std::string::npos) {
        std::array<std::byte, 4096> bytes;
        heard += text_of(ByteView(bytes).first(connection.receive(bytes)));
        at = heard.find(name);
    }
    return std::stod(heard.substr(at + name.size()));
}

struct Load {
    double core;  ///< its share that the station uses
    double hz;    ///< telemetry of each robot
};
Load measure_load(pid_t station, const Address& web, std::size_t robots, EventLoop& loop,
                  const Effort& effort) {
    const auto let_pass = [&](Duration time) { loop.run_until([] { return false; }, time); };
    let_pass(2s);  // for what is only done once
    const Seconds cpu = cpu_time(station);
    const double heard = datagrams(web);
    const SteadyTime start = now();
    let_pass(std::chrono::duration_cast<Duration>(effort.per_side));
    const Seconds passed = now() - start;
    return {(cpu_time(station) - cpu) / passed,
            (datagrams(web) - heard) / passed.count() / static_cast<double>(robots)};
}

}  // namespace

void robots_1000_core(const Report& report, const Effort& effort) {
    constexpr std::size_t few = 100;
    constexpr std::size_t all = 1000;
    const auto limit = raise_descriptor_limit();
    if (!limit || *limit < 3 * all + 100) give_up("1,000 robots need 3,000 descriptors (ulimit -Hn)");
    const Address web = Address::ip("127.0.0.1", free_port());
    std::optional<Program> program(std::in_place, beside_this_program("caribou"),
                                   std::vector<std::string>{"station", "--plain", "--quiet", "--listen",
                                                            "127.0.0.1:0", "--web", to_string(web)});
    const std::string& line = program->first_line();
    const Address at = Address::parse(line.substr(line.rfind(' ') + 1)).value();
    const double before = private_memory(program->pid());
    const auto kib_per_robot = [&](std::size_t count) {
        return (private_memory(program->pid()) - before) / 1024 / static_cast<double>(count);
    };

    const Crowd first(at, 0, few);
    LookingProgram watcher(web);
    const Load few_load = measure_load(program->pid(), web, few, watcher.loop, effort);
    const double few_kib = kib_per_robot(few);
    const Crowd others(at, few, all - few);
    const Load load = measure_load(program->pid(), web, all, watcher.loop, effort);
    report.add({"robots_1000_core", load.core, "core"});
    report.add({"robots_1000_hz", load.hz, "Hz"});
    report.add({"robots_100_core", few_load.core, "core"});
    report.add({"kib_per_robot", kib_per_robot(all), "KiB"});
    report.add({"kib_per_robot_of_100", few_kib, "KiB"});

    Seconds slowest{};
    for (int i = 0; i < 10; ++i) {
        const SteadyTime asked = now();
        const LookingProgram another(web);
        slowest = std::max(slowest, Seconds(now() - asked));
        if (another.robots() != all) give_up("the picture is not whole");
    }
    report.add({"watcher_full_ms", slowest.count() * 1e3, "ms"});
    program.reset();  // before its robots, whom it would miss
}

}  // namespace caribou::bench
