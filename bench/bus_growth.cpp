// Whether the time per message grows with what a broker holds: variables, clients, wildcards.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bus_crowd.hpp"
#include "bus_figures.hpp"
#include "bus_publisher.hpp"
#include "bus_servers.hpp"

namespace caribou::bench {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t most_ahead = 16'384;
/// In addition to the broker's own variables.
const std::vector<std::string> limit{"--limit", "max_variables=200000"};

/// A broker with a publisher that writes a number of variables in turn, and a subscriber to all of them.
class Rotation {
public:
    explicit Rotation(std::size_t variables) : broker_(limit) {
        subscriber_.join("subscriber");
        subscriber_.subscribe_all("V_*");
        publisher_.join("publisher");
        constexpr std::size_t at_once = Publisher::at_once;
        for (std::size_t next = 0; next < std::max(variables, at_once);) {
            std::vector<wire::Message> messages;
            for (std::size_t i = 0; i < at_once; ++i, ++next)
                messages.push_back({.type = wire::MessageType::notify,
                                    .data_type = wire::DataType::string,
                                    .source = "publisher",
                                    .key = fmt::format("V_{}", next % variables),
                                    .payload = std::string(payload_size, 'x')});
            blocks_.push_back(wire::encode_packet(messages));
        }
        nanoseconds(1s);  // writes each variable for the first time
    }

    Target target() const { return broker_.target(); }
    RawClient& subscriber() { return subscriber_; }

    /// Returns the time per message. Every message sent must arrive.
    double nanoseconds(Seconds round) {
        Publisher publisher(publisher_, blocks_, Publisher::at_once, most_ahead);
        const SteadyTime begin = now();
        std::uint64_t total = 0;
        while (now() < begin + round) {
            total += subscriber_.receive(room_);
            publisher.arrived(total);
        }
        const double result = Seconds(now() - begin).count() * 1e9 / static_cast<double>(total);
        for (const std::uint64_t sent = publisher.stop(); total < sent;) total += subscriber_.receive(room_);
        return result;
    }

private:
    BrokerProcess broker_;
    RawClient subscriber_{broker_.target().port};
    RawClient publisher_{broker_.target().port};
    std::vector<Bytes> blocks_;
    Bytes room_ = Bytes(256_KiB);
};

/// Reports the time per message with much, and with a hundredth of it as the floor.
void compare(std::string_view metric, Rotation& little, Rotation& much, const Report& report,
             const Effort& effort) {
    const Pair pair = interleave(
        effort, 100ms, [&](Seconds round) { return little.nanoseconds(round); },
        [&](Seconds round) { return much.nanoseconds(round); });
    report.add({metric, pair.value, "ns", pair.floor, "time per message; floor: with a hundredth of that"});
}

}  // namespace

void grow_variables(const Report& report, const Effort& effort) {
    Rotation little(1'000);
    Rotation much(100'000);
    compare("grow_variables", little, much, report, effort);
}

void grow_clients(const Report& report, const Effort& effort) {
    allow_descriptors(10'100);
    Rotation little(1'000);
    Rotation much(1'000);
    const Crowd few(little.target(), 100);
    const Crowd many(much.target(), 10'000);
    compare("grow_clients", little, much, report, effort);
}

void grow_wildcards(const Report& report, const Effort& effort) {
    Rotation little(1'000);
    Rotation much(1'000);
    for (int i = 0; i < 10; ++i) little.subscriber().subscribe_all(fmt::format("ANOTHER_{}_*", i));
    for (int i = 0; i < 999; ++i) much.subscriber().subscribe_all(fmt::format("ANOTHER_{}_*", i));
    compare("grow_wildcards", little, much, report, effort);
}

}  // namespace caribou::bench
