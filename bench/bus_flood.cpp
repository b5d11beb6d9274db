// Whether one client that sends as much as it can delays the messages of others.

#include <algorithm>
#include <thread>
#include <vector>

#include "bus_figures.hpp"
#include "bus_lane.hpp"
#include "bus_rate.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t others = 10;

/// Returns the p50 in microseconds of messages of the lanes in turn, the next one after the arrival.
double p50(std::vector<Lane>& lanes, Seconds round) {
    std::vector<double> samples;
    const SteadyTime begin = now();
    for (std::size_t next = 0; now() < begin + round; ++next) {
        Lane& lane = lanes[next % lanes.size()];
        const Bytes message = lane.load();
        const SteadyTime sent = now();
        lane.publisher().send(message);
        lane.subscriber().receive_one();
        samples.push_back(microseconds(now() - sent));
    }
    return median(samples);
}

/// `flood_rate` is increased to the messages per second of the flood.
double p50_in_flood(std::vector<Lane>& lanes, Lane& flooded, Seconds round, double& flood_rate) {
    double messages = 0;
    std::thread flood([&] { messages = rate(flooded, 100, 1.2 * round); });
    const double result = p50(lanes, round);
    flood.join();
    flood_rate = std::max(flood_rate, messages);
    return result;
}

}  // namespace

void flood_latency(const Report& report, const Effort& effort) {
    const BrokerProcess broker;
    Lane flooded(broker.target());
    std::vector<Lane> lanes;
    for (std::size_t i = 0; i < others; ++i) lanes.emplace_back(broker.target());
    double flood_rate = 0;
    const Pair pair = interleave(
        effort, 100ms, [&](Seconds round) { return p50(lanes, round); },
        [&](Seconds round) { return p50_in_flood(lanes, flooded, round, flood_rate); });
    report.add({"flood_latency", pair.value, "us", pair.floor,
                "p50 of ten other clients while one floods the broker; floor: without the flood"});
    report.add({"flood_rate_mps", flood_rate / 1e6, "M msg/s", {}, "the fastest round of that flood"});
}

}  // namespace caribou::bench
