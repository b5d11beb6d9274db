#include <sys/epoll.h>

#include <array>

#include "base/limits.hpp"
#include "bus_figures.hpp"
#include "bus_lane.hpp"
#include "bus_publisher.hpp"
#include "give_up.hpp"

namespace caribou::bench {
namespace {

constexpr std::size_t subscribers = 50;
constexpr double warm_up = 0.2;  // share of a round before the measurement
/// Messages ahead of the average subscriber: the slowest one is at most 50 times as far behind, which is
/// below the limit at which a broker thins out.
constexpr std::uint64_t most_ahead = 1'000;

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
            total += lane_.subscriber(event.data.u64).receive(room_);
            const SteadyTime time = now();
            SteadyTime& last = last_heard_.at(event.data.u64);
            longest_pause = std::max<Seconds>(longest_pause, time - last);
            last = time;
        }
    }

    std::uint64_t total = 0;  ///< deliveries
    Seconds longest_pause{0};

private:
    Lane& lane_;
    Descriptor epoll_{::epoll_create1(0)};
    std::array<SteadyTime, subscribers> last_heard_;
    Bytes room_ = Bytes(256_KiB);
};

struct Outcome {
    double rate;
    double longest_pause_ms;
};

/// Every message must arrive at every subscriber.
Outcome fan_out(Lane& lane, Seconds round) {
    Publisher publisher(lane.publisher(), lane.packet(), 1, most_ahead);
    Audience audience(lane);
    const SteadyTime begin = now();
    SteadyTime counted_from{};
    std::uint64_t before = 0;
    SteadyTime time = begin;
    for (; time < begin + round; time = now()) {
        if (before == 0 && time > begin + round * warm_up) {
            counted_from = time;
            before = audience.total;
            audience.longest_pause = {};
        }
        audience.turn();
        publisher.arrived(audience.total / subscribers);
    }
    const Outcome outcome{static_cast<double>(audience.total - before) / Seconds(time - counted_from).count(),
                          audience.longest_pause.count() * 1000};
    for (const std::uint64_t sent = publisher.stop(); audience.total < sent * subscribers;) audience.turn();
    return outcome;
}

}  // namespace

void fanout_50(const Report& report, const Effort& effort) {
    const RelayProcess relay;
    const BrokerProcess broker;
    Lane through_relay(relay.target(), subscribers);
    Lane through_broker(broker.target(), subscribers);
    double longest_floor_ms = 0;
    double longest_ms = 0;
    const auto measure = [](Lane& lane, Seconds round, double& longest) {
        const Outcome outcome = fan_out(lane, round);
        longest = std::max(longest, outcome.longest_pause_ms);
        return outcome.rate;
    };
    const Pair pair = interleave(
        effort, std::chrono::milliseconds(100),
        [&](Seconds round) { return measure(through_relay, round, longest_floor_ms); },
        [&](Seconds round) { return measure(through_broker, round, longest_ms); });
    report.add({"fanout_50", pair.value, "deliveries/s", pair.floor});
    report.add({"fanout_50_longest_pause", longest_ms, "ms", longest_floor_ms});
}

}  // namespace caribou::bench
