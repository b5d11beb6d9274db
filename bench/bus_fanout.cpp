#include <sys/epoll.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/limits.hpp"
#include "bus_figures.hpp"
#include "bus_lane.hpp"
#include "bus_publisher.hpp"
#include "give_up.hpp"

namespace caribou::bench {
namespace {

constexpr std::size_t subscribers = 50;
constexpr double warm_up = 0.2;  // share of a round before the measurement
constexpr std::size_t per_packet = 100;
/// Messages ahead of the slowest subscriber: for each less than a tenth of the backlog at which a broker
/// thins out.
constexpr std::uint64_t most_ahead = 4'000;

/// All subscribers of a lane, read by one thread.
class Audience {
public:
    explicit Audience(Lane& lane) : lane_(lane) {
        for (std::size_t i = 0; i < subscribers; ++i) {
            epoll_event event{.events = EPOLLIN, .data = {.u64 = i}};
            need(::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, lane.subscriber(i).connection().descriptor(),
                             &event) == 0,
                 "watch a socket");
        }
        last_heard_.fill(now());
    }

    void turn() {
        std::array<epoll_event, subscribers> events;
        const int count = ::epoll_wait(epoll_.number(), events.data(), events.size(), 5000);
        if (count <= 0) give_up("the subscribers wait in vain: messages were lost");
        for (const epoll_event& event : std::span(events).first(static_cast<std::size_t>(count))) {
            arrived_.at(event.data.u64) += lane_.subscriber(event.data.u64).receive(room_);
            const SteadyTime time = now();
            SteadyTime& last = last_heard_.at(event.data.u64);
            longest_pause = std::max<Seconds>(longest_pause, time - last);
            last = time;
        }
    }

    /// Returns the number of deliveries to all.
    std::uint64_t total() const {
        return std::accumulate(arrived_.begin(), arrived_.end(), std::uint64_t{0});
    }
    /// Returns the number of deliveries to the slowest.
    std::uint64_t least() const { return *std::ranges::min_element(arrived_); }
    Seconds longest_pause{0};

private:
    Lane& lane_;
    Descriptor epoll_{::epoll_create1(0)};
    std::array<std::uint64_t, subscribers> arrived_{};
    std::array<SteadyTime, subscribers> last_heard_;
    Bytes room_ = Bytes(256_KiB);
};

struct Outcome {
    double rate;
    double longest_pause_ms;
};

/// Every message must arrive at every subscriber.
Outcome fan_out(Lane& lane, Seconds round) {
    constexpr std::size_t at_once = Publisher::at_once;
    const Bytes load = lane.load(at_once, per_packet);
    Publisher publisher(lane.publisher(), {&load, 1}, at_once, most_ahead);
    Audience audience(lane);
    const SteadyTime begin = now();
    SteadyTime counted_from{};
    std::uint64_t before = 0;
    SteadyTime time = begin;
    for (; time < begin + round; time = now()) {
        if (before == 0 && time > begin + round * warm_up) {
            counted_from = time;
            before = audience.total();
            audience.longest_pause = {};
        }
        audience.turn();
        publisher.arrived(audience.least());
    }
    const Outcome outcome{
        static_cast<double>(audience.total() - before) / Seconds(time - counted_from).count(),
        audience.longest_pause.count() * 1000};
    for (const std::uint64_t sent = publisher.stop(); audience.least() < sent;) audience.turn();
    return outcome;
}

}  // namespace

void fanout_50(const Report& report, const Effort& effort) {
    const RelayProcess relay;
    const MinimalBrokerProcess minimal;
    const BrokerProcess broker;
    const RelayProcess same_bytes;
    std::array lanes{Lane(relay.target(), subscribers),
                     Lane(same_bytes.target(Framing::packets), subscribers),
                     Lane(minimal.target(), subscribers), Lane(broker.target(), subscribers)};
    std::array<double, lanes.size()> longest_ms{};
    const auto through = [&](std::size_t which) {
        return [&, which](Seconds round) {
            const Outcome outcome = fan_out(lanes[which], round);
            longest_ms[which] = std::max(longest_ms[which], outcome.longest_pause_ms);
            return outcome.rate;
        };
    };
    const auto [bytes, plain, full] = interleave_all(effort, std::chrono::milliseconds(100), through(0),
                                                     through(1), through(2), through(3));
    report.add({"floor_fanout_mps", full.floor / 1e6, "M deliveries/s", {}, how_the_floor_works});
    report.add({"floor_fanout_same_bytes_mps", bytes.value / 1e6, "M deliveries/s", bytes.floor / 1e6,
                how_same_bytes});
    report.add({"fanout_50_minimal", plain.value, "deliveries/s", plain.floor});
    report.add({"fanout_50", full.value, "deliveries/s", full.floor});
    report.add({"fanout_50_longest_pause", longest_ms[3], "ms", longest_ms[0]});
}

}  // namespace caribou::bench
