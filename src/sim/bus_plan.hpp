#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "bus/client_options.hpp"
#include "bus/limits.hpp"
#include "loop/address.hpp"
#include "loop/memory_network.hpp"

namespace caribou::sim {

/// The parameters of one simulated bus, drawn from its seed.
struct BusPlan {
    std::size_t clients = 0;
    Faults faults{};
    bus::BrokerLimits limits{};

    /// Returns random parameters of a run.
    static BusPlan draw(Random& random);
    /// Returns random delays, losses and sizes of the network.
    static Faults draw_faults(Random& random);
    /// Returns random client options; the caller sets the name.
    static bus::ClientOptions draw_client(Random& random);

    /// Returns the broker's address as seen by clients.
    static Address broker() { return Address::ip(broker_host, 9000); }
    static constexpr const char* broker_host = "broker";

    /// Return the variables that clients write, and all variables including those of the broker.
    static const std::vector<std::string>& written_keys();
    static const std::vector<std::string>& all_keys();
    /// Upper limit for messages in this simulation, including answers and the broker's summaries.
    static constexpr std::size_t largest_message = 8_KiB;
    static constexpr std::size_t largest_payload = 6_KiB;
    /// Upper limit for the intervals of registrations.
    static constexpr Duration longest_interval = std::chrono::milliseconds(1500);
};

}  // namespace caribou::sim
