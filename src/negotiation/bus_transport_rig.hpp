#pragma once

// Processes that share topics over a bus, all on one virtual clock.

#include <map>

#include "bus/house_rig.hpp"
#include "negotiation/bus_transport.hpp"

namespace caribou::negotiation {

struct BusRig {
    Transport& process(std::size_t n) {
        auto& made = processes[n];
        if (made.transport) return *made.transport;
        made.host = "host" + std::to_string(hosts++);
        made.network = house.network.on_host(made.host);
        made.transport = std::make_unique<BusTransport>(
            house.loop, *made.network,
            bus::ClientOptions{.name = "process" + std::to_string(n), .broker = Address::ip("local", 9000)});
        check(made.transport->start().has_value(), "the client starts");
        check(run_until([&] { return made.transport->connected(); }), "it connects");
        return *made.transport;
    }
    Loop& loop() { return house.loop; }
    bool run_until(const std::move_only_function<bool() const>& condition) {
        return house.loop.run_until(condition, std::chrono::seconds(20));
    }
    void settle() { house.loop.advance(std::chrono::seconds(1)); }
    /// Crashes the host of process `n` and leaves its connection half open. Writers and readers that a test
    /// still holds stay valid, but are disconnected.
    void lose(std::size_t n) {
        house.network.crash(processes[n].host);
        processes[n].transport->stop();
        lost.push_back(std::move(processes[n]));
        processes.erase(n);
    }
    /// Resets the connection of process `n`, which then reconnects.
    void cut(std::size_t n) { house.network.reset("local", processes[n].host); }

    bus::HouseRig house;
    struct Process {
        std::string host;
        std::unique_ptr<Network> network;
        std::unique_ptr<BusTransport> transport;
    };
    std::vector<Process> lost;
    std::size_t hosts = 0;
    std::map<std::size_t, Process> processes;
};

}  // namespace caribou::negotiation
