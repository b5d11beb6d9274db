#include <time.h>

#include "bus_figures.hpp"
#include "bus_lane.hpp"

namespace caribou::bench {
namespace {

struct Pace {
    std::chrono::nanoseconds period{0};  ///< from one message to the next; 0: at once
    double warm_up = 0.2;                ///< share of a round that does not count
};

void wait_until(SteadyTime when) {
    const auto since = when.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    const timespec instant{.tv_sec = seconds.count(), .tv_nsec = (since - seconds).count()};
    // tidy: allow sleep: a publisher with a rate of its own, on a blocking socket
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &instant, nullptr);
}

/// p50 of the time from before the publisher's send to after the subscriber's receive, both in
/// this thread, in microseconds.
double p50(const Target& target, const Pace& pace, Seconds round) {
    Lane lane(target);
    const Bytes packet = lane.packet();
    const SteadyTime begin = now();
    std::vector<double> samples;
    for (SteadyTime sent = begin; sent < begin + round;) {
        lane.publisher().send(packet);
        lane.subscriber().receive_one();
        const SteadyTime received = now();
        if (sent > begin + round * pace.warm_up) samples.push_back(microseconds(received - sent));
        if (pace.period.count() > 0) wait_until(sent + pace.period);
        sent = now();
    }
    return median(samples);
}

void measure(std::string_view metric, const Pace& pace, const Report& report, const Effort& effort) {
    const RelayProcess relay;
    const BrokerProcess broker;
    const Pair pair = interleave(
        effort, [&](Seconds round) { return p50(relay.target(), pace, round); },
        [&](Seconds round) { return p50(broker.target(), pace, round); });
    report.add({metric, pair.value, "us", pair.floor});
}

}  // namespace

void latency_closed(const Report& report, const Effort& effort) {
    measure("latency_closed", {}, report, effort);
}

void latency_1khz(const Report& report, const Effort& effort) {
    measure("latency_1khz", {.period = std::chrono::milliseconds(1)}, report, effort);
}

}  // namespace caribou::bench
