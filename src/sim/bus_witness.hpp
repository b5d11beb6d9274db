#pragma once

#include <map>
#include <string>
#include <string_view>

#include "bus/client.hpp"

namespace caribou::sim {

/// A bus client that receives the run modes published by robots.
class BusWitness {
public:
    /// Loop and network must outlive this object.
    BusWitness(Loop& loop, Network& network, const Address& broker);

    /// Returns the latest value; empty if there is none yet.
    std::string_view heard(const std::string& variable) const;

private:
    bus::Client client_;
    std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace caribou::sim
