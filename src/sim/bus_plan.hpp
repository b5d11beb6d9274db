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

/// The circumstances of one simulated bus, drawn from its seed.
struct BusPlan {
    std::size_t clients = 0;
    Faults faults{};
    bus::BrokerLimits limits{};

    static BusPlan draw(Random& random);
    static Faults draw_faults(Random& random);
    /// How one client behaves; its name is for the caller to fill in.
    static bus::ClientOptions draw_client(Random& random);

    /// Where the broker is, as clients see it.
    static Address broker() { return Address::ip(broker_host, 9000); }
    static constexpr const char* broker_host = "broker";

    /// The variables that clients write, and all that there are, the broker's own included.
    static const std::vector<std::string>& written_keys();
    static const std::vector<std::string>& all_keys();
    /// No message of this world is larger, answers and the broker's tables included.
    static constexpr std::size_t largest_message = 8_KiB;
    static constexpr std::size_t largest_payload = 6_KiB;
    /// No registration asks for a longer interval.
    static constexpr Duration longest_interval = std::chrono::milliseconds(1500);
};

}  // namespace caribou::sim
