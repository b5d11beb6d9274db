#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bus/client.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"
#include "rounds.hpp"

namespace caribou::bench {

/// Writes the variables V0, V1, … in turn at a steady rate.
class Load {
public:
    /// Connects to a broker on this machine.
    Load(std::uint16_t port, std::size_t variables, double messages_per_second);

    /// Returns the number of messages written.
    std::uint64_t run(Seconds length);

private:
    void send_due();

    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    bus::Client client_;
    std::vector<std::string> names_;
    double rate_;
    Instant began_{};
    std::uint64_t sent_ = 0;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::bench
