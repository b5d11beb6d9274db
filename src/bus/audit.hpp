#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "bus/broker.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"

namespace caribou::bus {

/// Formats the report that the original broker sends to its audit port: one line per client with packets,
/// messages and bytes per second.
class AuditTable {
public:
    /// Returns the report on the traffic since the previous call, `seconds` ago.
    std::string next(const std::vector<const Connection*>& clients, double seconds);

private:
    std::map<std::string, Traffic, std::less<>> before_;
};

/// Splits a text into datagrams of at most `most` bytes, at line ends where possible.
std::vector<std::string_view> cut_at_lines(std::string_view text, std::size_t most);

/// Sends the report once per second to a UDP port on this machine.
class Audit {
public:
    static Result<std::unique_ptr<Audit>> start(Loop& loop, Network& network, const Broker& broker,
                                                std::uint16_t port);

    static constexpr std::size_t max_datagram = 1024;
    static constexpr Duration period = std::chrono::seconds(1);

private:
    Audit(Loop& loop, const Broker& broker, std::uint16_t port);
    void send();

    Loop& loop_;
    const Broker& broker_;
    const Address to_;
    std::unique_ptr<Datagram> socket_;
    std::unique_ptr<Timer> timer_;
    Instant last_;
    AuditTable table_;
};

}  // namespace caribou::bus
