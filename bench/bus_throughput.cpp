#include "bus_figures.hpp"
#include "bus_rate.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

void measure(std::string_view metric, std::size_t per_packet, const Report& report, const Effort& effort) {
    const RelayProcess relay;
    const BrokerProcess broker;
    Lane through_relay(relay.target());
    Lane through_broker(broker.target());
    const Pair pair = interleave(
        effort, 50ms, [&](Seconds round) { return rate(through_relay, per_packet, round); },
        [&](Seconds round) { return rate(through_broker, per_packet, round); });
    report.add({metric, pair.value, "msg/s", pair.floor});
}

}  // namespace

void throughput_batched(const Report& report, const Effort& effort) {
    measure("throughput_batched", 100, report, effort);
}

void throughput_single(const Report& report, const Effort& effort) {
    measure("throughput_single", 1, report, effort);
}

}  // namespace caribou::bench
