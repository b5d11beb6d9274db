#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "child.hpp"
#include "tcp.hpp"

namespace caribou::bench {

/// Whom the load is sent to: the broker, or the relay that is its floor.
struct Target {
    std::uint16_t port;
    bool is_broker;
};

/// A process that forwards bytes without looking at them.
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
    /// Port 0: any free one.
    explicit BrokerProcess(const std::vector<std::string>& more_arguments = {}, std::uint16_t port = 0);
    Target target() const { return {port_, true}; }
    pid_t pid() const { return program_.pid(); }

private:
    Program program_;
    std::uint16_t port_;
};

}  // namespace caribou::bench
