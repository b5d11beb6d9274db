// One client that writes many variables, each for the first time.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bus_figures.hpp"
#include "bus_raw_client.hpp"
#include "bus_servers.hpp"
#include "child.hpp"
#include "wire/codec.hpp"

namespace caribou::bench {
namespace {

constexpr std::size_t variables = 100'000;
constexpr std::size_t per_packet = 100;
/// In addition to the broker's own variables.
const std::vector<std::string> limit{"--limit", "max_variables=200000"};

std::vector<Bytes> packets_of_new_variables() {
    std::vector<Bytes> packets;
    for (std::size_t first = 0; first < variables; first += per_packet) {
        std::vector<wire::Message> messages;
        for (std::size_t i = first; i < first + per_packet; ++i)
            messages.push_back({.type = wire::MessageType::notify,
                                .source = "writer",
                                .key = fmt::format("VARIABLE_{}", i),
                                .value = static_cast<double>(i)});
        packets.push_back(wire::encode_packet(messages));
    }
    return packets;
}

/// Returns when the broker has processed all packets.
void write_all(const Target& broker, const std::vector<Bytes>& packets) {
    RawClient writer(broker.port);
    writer.join("writer");
    for (const Bytes& packet : packets) writer.send(packet);
    writer.heartbeat();
}

}  // namespace

void variables_100k_s(const Report& report, const Effort& effort) {
    const auto packets = packets_of_new_variables();
    std::vector<double> times;
    std::vector<double> waits;
    for (int i = 0; i < 5; ++i) {
        {
            const BrokerProcess broker(limit);
            const SteadyTime begin = now();
            write_all(broker.target(), packets);
            times.push_back(Seconds(now() - begin).count());
        }
        const BrokerProcess broker(limit);
        RawClient other(broker.target().port);
        other.join("other");
        Child writer([&] { write_all(broker.target(), packets); });
        double longest = 0;
        for (const SteadyTime end =
                 now() + std::chrono::duration_cast<SteadyTime::duration>(effort.per_side / 3);
             now() < end;) {
            const SteadyTime asked = now();
            other.heartbeat();
            longest = std::max(longest, Seconds(now() - asked).count());
        }
        writer.join();
        waits.push_back(longest * 1000);
    }
    report.add({.metric = "variables_100k_s", .value = median(times), .unit = "s", .at_most = 0.5});
    report.add({"variables_100k_wait_ms", median(waits), "ms"});
}

void wildcards_100k_wait_ms(const Report& report, const Effort&) {
    const BrokerProcess broker(limit);
    write_all(broker.target(), packets_of_new_variables());
    RawClient other(broker.target().port);
    other.join("other");
    RawClient greedy(broker.target().port);
    greedy.join("greedy");
    const wire::Message demand{.type = wire::MessageType::wildcard_register,
                               .data_type = wire::DataType::string,
                               .payload = "AppPattern=*,VarPattern=VARIABLE_1234?,Interval=0"};
    greedy.send(wire::encode_packet(std::vector<wire::Message>(300, demand)));
    double longest = 0;
    for (const SteadyTime end = now() + std::chrono::seconds(2); now() < end;) {
        const SteadyTime asked = now();
        other.heartbeat();
        longest = std::max(longest, Seconds(now() - asked).count());
    }
    Bytes room(65536);
    for (std::size_t values = 0; values < 300 * 10;) values += greedy.receive(room);
    report.add({"wildcards_100k_wait_ms", longest * 1000, "ms"});
}

}  // namespace caribou::bench
