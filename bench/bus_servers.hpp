#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bus_message_counter.hpp"
#include "child.hpp"
#include "tcp.hpp"

namespace caribou::bench {

/// The server under load.
struct Target {
    std::uint16_t port;
    bool is_broker;  ///< or a relay, which knows no protocol
    Framing framing = Framing::packets;
};

/// A process that forwards bytes without parsing them.
class RelayProcess {
public:
    RelayProcess();
    Target target(Framing framing = Framing::plain) const { return {listener_.port(), false, framing}; }

private:
    TcpListener listener_;
    Child child_;
};

/// A process with the minimal broker.
class MinimalBrokerProcess {
public:
    MinimalBrokerProcess();
    Target target() const { return {listener_.port(), true}; }

private:
    TcpListener listener_;
    Child child_;
};

/// The real `caribou db`.
class BrokerProcess {
public:
    /// Port 0: any free port.
    explicit BrokerProcess(const std::vector<std::string>& more_arguments = {}, std::uint16_t port = 0);
    Target target() const { return {port_, true}; }
    /// Returns the process id, for reading CPU time and memory from /proc.
    pid_t pid() const { return program_.pid(); }

private:
    Program program_;
    std::uint16_t port_;
};

}  // namespace caribou::bench
