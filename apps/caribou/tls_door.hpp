#pragma once

#include <string>

#include "adapters/keys/key_ring.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "base/log.hpp"

namespace caribou::app {

/// The TLS endpoint of a broker.
class TlsDoor {
public:
    TlsDoor(Loop& loop, Network& below, KeyFolder folder, Log& log);

    Network& network() { return network_; }

private:
    Result<link::SecretKey> admit(link::KeyId id);

    KeyRing ring_;
    TlsNetwork network_;
};

/// Parses `PORT`, which means all addresses of the machine, or `ADDRESS:PORT`.
Result<Address> tls_address(const std::string& text);

}  // namespace caribou::app
