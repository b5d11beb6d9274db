#pragma once

// A broker and clients on a virtual clock, for tests of classes that use a client.

#include <memory>
#include <string>

#include "base/check.hpp"
#include "base/log.hpp"
#include "bus/broker_server.hpp"
#include "bus/client.hpp"
#include "loop/memory_network.hpp"
#include "loop/virtual_loop.hpp"

namespace caribou::bus {

struct HouseRig {
    HouseRig() { check(broker.listen(Address::ip("127.0.0.1", 9000)).has_value(), "the port is free"); }

    /// Returns a connected client.
    std::unique_ptr<Client> client(std::string name, ClientOptions options = {}) {
        options.name = std::move(name);
        auto made = std::make_unique<Client>(loop, network, std::move(options));
        check(made->start().has_value(), "the client starts");
        check(loop.run_until([&] { return made->connected(); }, std::chrono::seconds(5)), "it connects");
        return made;
    }

    MemoryLog log;
    VirtualLoop loop;
    MemoryNetwork network{loop};
    BrokerServer broker{loop, network, BrokerServer::Options{.broker = {.community = "c", .hostname = "h"}},
                        log};
};

}  // namespace caribou::bus
