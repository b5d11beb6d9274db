#include "base/limits.hpp"
#include "bus_figures.hpp"
#include "bus_lane.hpp"
#include "bus_publisher.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr double warm_up = 0.2;               // share of a round that does not count
constexpr std::uint64_t most_ahead = 16'384;  // messages: 2 MB, a quarter of what a broker thins out

/// Messages per second that the subscriber gets; every one that was sent has to arrive.
double rate(Lane& lane, std::size_t per_packet, Seconds round) {
    Publisher publisher(lane.publisher(), lane.packet(per_packet), per_packet, most_ahead);
    Bytes room(256_KiB);
    const SteadyTime begin = now();
    SteadyTime counted_from{};
    std::uint64_t before = 0;
    std::uint64_t total = 0;
    SteadyTime time = begin;
    for (; time < begin + round; time = now()) {
        if (before == 0 && time > begin + round * warm_up) {
            counted_from = time;
            before = total;
        }
        total += lane.subscriber().receive(room);
        publisher.arrived(total);
    }
    const double result = static_cast<double>(total - before) / Seconds(time - counted_from).count();
    for (const std::uint64_t sent = publisher.stop(); total < sent;) total += lane.subscriber().receive(room);
    return result;
}

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
