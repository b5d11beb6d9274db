// Many clients at once: time to connect, and memory while connected.

#include "bus_crowd.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

#include <fmt/format.h>

#include "bus_figures.hpp"
#include "give_up.hpp"
#include "platform/descriptor_limit.hpp"

namespace caribou::bench {
namespace {

/// Returns the sum, in bytes, of the values in a file of /proc whose names start with `name`.
double memory(pid_t pid, const char* file, std::string_view name) {
    std::ifstream lines(fmt::format("/proc/{}/{}", pid, file));
    double sum = 0;
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(name)) sum += std::stod(line.substr(line.find(':') + 1)) * 1024;
    if (sum == 0) give_up("cannot read the broker's memory");
    return sum;
}

}  // namespace

Crowd::Crowd(const Target& broker, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        clients_.emplace_back(broker.port).say_name(fmt::format("client_{}", i));
    for (RawClient& client : clients_) client.await_welcome();
}

void Crowd::heartbeat() {
    for (RawClient& client : clients_) client.heartbeat();
}

void allow_descriptors(std::size_t count) {
    const auto limit = raise_descriptor_limit();
    if (!limit || *limit < count + 100)
        give_up(fmt::format("{} clients need as many descriptors; raise the hard limit (ulimit -Hn)", count));
}

void connect_1000_s(const Report& report, const Effort&) {
    constexpr std::size_t count = 1000;
    allow_descriptors(count);
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
        const BrokerProcess broker;
        const SteadyTime begin = now();
        const Crowd crowd(broker.target(), count);
        times.push_back(Seconds(now() - begin).count());
    }
    report.add({"connect_1000_s", median(times), "s"});
}

void bytes_per_client(const Report& report, const Effort&) {
    constexpr std::size_t count = 1000;
    allow_descriptors(count);
    const BrokerProcess broker;
    // Excludes the one-time cost of the first client.
    { const Crowd first(broker.target(), 1); }
    const double before = memory(broker.pid(), "smaps_rollup", "Private_");
    const Crowd crowd(broker.target(), count);
    const double after = memory(broker.pid(), "smaps_rollup", "Private_");
    report.add({"bytes_per_client", (after - before) / count, "B"});
}

void hold_10000_mb(const Report& report, const Effort&) {
    constexpr std::size_t count = 10'000;
    allow_descriptors(count);
    const BrokerProcess broker;
    const SteadyTime begin = now();
    Crowd crowd(broker.target(), count);
    report.add({"connect_10000_s", Seconds(now() - begin).count(), "s"});
    crowd.heartbeat();
    report.add({"hold_10000_mb", memory(broker.pid(), "status", "VmRSS") / 1e6, "MB"});
}

}  // namespace caribou::bench
