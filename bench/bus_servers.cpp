#include "bus_servers.hpp"

#include <charconv>

#include "bus_minimal_broker.hpp"
#include "give_up.hpp"
#include "relay.hpp"

namespace caribou::bench {
namespace {

/// An idle raw client sends no heartbeats, hence the timeout of an hour.
std::vector<std::string> broker_arguments(const std::vector<std::string>& more, std::uint16_t port) {
    std::vector<std::string> all{"db", "--port", std::to_string(port), "--quiet", "--timeout", "3600"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

/// Parses `caribou db: community #1 at 127.0.0.1:41234`.
std::uint16_t port_in(const std::string& line) {
    std::uint16_t port = 0;
    const char* const digits = line.data() + line.rfind(':') + 1;
    std::from_chars(digits, line.data() + line.size(), port);
    if (port == 0) give_up("the broker did not say its port, but: " + line);
    return port;
}

}  // namespace

RelayProcess::RelayProcess() : child_([this] { run_relay(listener_); }) {}

MinimalBrokerProcess::MinimalBrokerProcess() : child_([this] { run_minimal_broker(listener_); }) {}

BrokerProcess::BrokerProcess(const std::vector<std::string>& more_arguments, std::uint16_t port)
    : program_(beside_this_program("caribou"), broker_arguments(more_arguments, port)),
      port_(port_in(program_.first_line())) {}

}  // namespace caribou::bench
