#include <time.h>

#include "bus_figures.hpp"
#include "bus_lane.hpp"
#include "core.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

void wait_until(SteadyTime when) {
    const auto since = when.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    const timespec instant{.tv_sec = seconds.count(), .tv_nsec = (since - seconds).count()};
    // tidy: allow sleep: a publisher with a rate of its own, on a blocking socket
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &instant, nullptr);
}

/// Returns the p50 in microseconds from before the publisher's send to after the subscriber's receive, both
/// in this thread. One message per `period`; 0: as soon as the last one has arrived.
double p50(Lane& lane, std::chrono::nanoseconds period, Seconds round) {
    const Bytes packet = lane.load();
    std::vector<double> samples;
    const SteadyTime begin = now();
    for (SteadyTime sent = begin; sent < begin + round; sent = now()) {
        lane.publisher().send(packet);
        lane.subscriber().receive_one();
        samples.push_back(microseconds(now() - sent));
        if (period.count() > 0) wait_until(sent + period);
    }
    return median(samples);
}

void measure(std::string_view metric, std::chrono::nanoseconds period, Seconds round, const Report& report,
             const Effort& effort) {
    const OneCore core;
    const RelayProcess relay;
    const BrokerProcess broker;
    Lane through_relay(relay.target());
    Lane through_broker(broker.target());
    const Pair pair = interleave(
        effort, round, [&](Seconds length) { return p50(through_relay, period, length); },
        [&](Seconds length) { return p50(through_broker, period, length); });
    report.add({metric, pair.value, "us", pair.floor});
}

}  // namespace

void latency_closed(const Report& report, const Effort& effort) {
    measure("latency_closed", 0ms, 5ms, report, effort);
}

void latency_1khz(const Report& report, const Effort& effort) {
    measure("latency_1khz", 1ms, 25ms, report, effort);
}

}  // namespace caribou::bench
