#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "child.hpp"
#include "tcp.hpp"

namespace caribou::bench {

/// The server under load: the broker, or the relay as its floor.
struct Target {
    std::uint16_t port;
    bool is_broker;
};

/// A process that forwards bytes without parsing them.
class RelayProcess {
public:
    RelayProcess();
    Target target() const { return {listener_.port(), false}; }

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
