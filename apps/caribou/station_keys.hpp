#pragma once

#include <memory>

#include "adapters/keys/key_ring.hpp"
#include "adapters/openssl/tls_network.hpp"
#include "station/station_config.hpp"

namespace caribou::app {

/// The authentication of a station's robots: their keys, and TLS to each.
class StationKeys {
public:
    /// Returns null without authentication. Without any key, a station serves its own machine only, where
    /// robots of the same user create theirs. Loop, network and log must outlive this object.
    static Result<std::unique_ptr<StationKeys>> open(const station::StationConfig& config,
                                                     const KeyFolder& folder, Loop& loop, Network& below,
                                                     Log& log);

    station::FleetKeys fleet() { return {ring_, streams_}; }

private:
    StationKeys(const KeyFolder& folder, Loop& loop, Network& below, Log& log)
        : ring_(folder, log), streams_(loop, below, log, {}) {}

    KeyRing ring_;
    TlsNetwork streams_;
};

}  // namespace caribou::app
