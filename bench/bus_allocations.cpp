// Counts the allocations of the broker. operator new is replaced for the whole program, but only read here.

#include <cstdlib>
#include <new>

#include "bus/broker_server.hpp"
#include "bus_figures.hpp"
#include "bus_raw_client.hpp"
#include "child.hpp"
#include "give_up.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

void* operator new(std::size_t size) {
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    void* const memory = std::malloc(size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace caribou::bench {
namespace {

constexpr std::string_view key = "BENCH";
constexpr std::uint64_t warm_up = 20'000;    // messages before the measurement
constexpr std::uint64_t measured = 500'000;  // messages
constexpr std::size_t per_packet = 10;
constexpr std::uint64_t most_ahead = 1'000;

/// Publishes messages and reads those that are delivered back.
void load(std::uint16_t port) {
    RawClient subscriber(port);
    subscriber.join("subscriber");
    subscriber.subscribe(key);
    RawClient publisher(port);
    publisher.join("publisher");
    const Bytes packet = notify_packet("publisher", key, per_packet);
    Bytes room(256_KiB);
    std::uint64_t arrived = 0;
    for (std::uint64_t sent = 0; sent < warm_up + measured; sent += per_packet) {
        publisher.send(packet);
        while (sent > arrived + most_ahead) arrived += subscriber.receive(room);
    }
    while (arrived < warm_up + measured) arrived += subscriber.receive(room);
}

}  // namespace

void allocations_per_message(const Report& report, const Effort&) {
    NullLog log;
    EventLoop loop;
    SocketNetwork network(loop, log);
    bus::BrokerServer server(loop, network, {}, log);
    const auto address = server.listen(Address::ip("127.0.0.1", 0));
    if (!address) give_up(address.error().message);
    Child child([&] { load(address->port); });

    std::uint64_t writes = 0;
    std::uint64_t writes_before = 0;
    std::size_t allocations_before = 0;
    loop.run_until(
        [&] {
            const bus::Variable* const variable = server.broker().exchange().find(key);
            writes = variable ? variable->writes : 0;
            if (writes_before == 0 && writes >= warm_up) {
                writes_before = writes;
                allocations_before = allocations;
            }
            return writes >= warm_up + measured;
        },
        std::chrono::seconds(30));
    const std::size_t made = allocations - allocations_before;
    if (writes < warm_up + measured) give_up("the broker did not get all messages");
    report.add({"allocations_per_message",
                static_cast<double>(made) / static_cast<double>(writes - writes_before), "allocations"});
}

}  // namespace caribou::bench
