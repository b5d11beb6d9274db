#include <array>

#include "bus_figures.hpp"
#include "bus_rate.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

void measure(std::string_view metric, std::string_view minimal_metric, std::size_t per_packet,
             const Report& report, const Effort& effort) {
    const RelayProcess relay;
    const MinimalBrokerProcess minimal;
    const BrokerProcess broker;
    const RelayProcess same_bytes;
    std::array lanes{Lane(relay.target()), Lane(same_bytes.target(Framing::packets)), Lane(minimal.target()),
                     Lane(broker.target())};
    const auto through = [&](std::size_t which) {
        return [&, which](Seconds round) { return rate(lanes[which], per_packet, round); };
    };
    const auto [bytes, plain, full] =
        interleave_all(effort, 50ms, through(0), through(1), through(2), through(3));
    report.add({"floor_relay_mps", full.floor / 1e6, "M msg/s", {}, how_the_floor_works});
    report.add(
        {"floor_relay_same_bytes_mps", bytes.value / 1e6, "M msg/s", bytes.floor / 1e6, how_same_bytes});
    report.add({minimal_metric, plain.value, "msg/s", plain.floor});
    report.add({metric, full.value, "msg/s", full.floor});
}

}  // namespace

void throughput_batched(const Report& report, const Effort& effort) {
    measure("throughput_batched", "throughput_batched_minimal", 100, report, effort);
}

void throughput_single(const Report& report, const Effort& effort) {
    measure("throughput_single", "throughput_single_minimal", 1, report, effort);
}

}  // namespace caribou::bench
