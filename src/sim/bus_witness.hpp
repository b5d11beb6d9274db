#pragma once

#include <map>
#include <string>
#include <string_view>

#include "bus/client.hpp"

namespace caribou::sim {

/// Somebody on the bus who hears what robots say of their run modes.
class BusWitness {
public:
    /// Loop and network outlive it.
    BusWitness(Loop& loop, Network& network, const Address& broker);

    /// The latest value; empty: none yet.
    std::string_view heard(const std::string& variable) const;

private:
    bus::Client client_;
    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace caribou::sim
