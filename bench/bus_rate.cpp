#include "bus_rate.hpp"

#include "base/limits.hpp"
#include "bus_publisher.hpp"

namespace caribou::bench {
namespace {

constexpr double warm_up = 0.2;  // share of a round before the measurement
// messages: 2 MB, a quarter of the limit at which a broker thins out
constexpr std::uint64_t most_ahead = 16'384;

}  // namespace

double rate(Lane& lane, std::size_t per_packet, Seconds round) {
    constexpr std::size_t at_once = Publisher::at_once;
    const Bytes load = lane.load(at_once, per_packet);
    Publisher publisher(lane.publisher(), {&load, 1}, at_once, most_ahead);
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

}  // namespace caribou::bench
