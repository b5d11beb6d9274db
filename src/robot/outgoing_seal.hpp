#pragma once

#include <map>
#include <optional>

#include "link/datagram_seal.hpp"
#include "robot/link_trust.hpp"

namespace caribou::robot {

/// Seals what a robot sends: for its session while there is one, else for the station that it calls.
class OutgoingSeal {
public:
    /// Null: nothing is sealed. It outlives the seal.
    explicit OutgoingSeal(LinkTrust* trust) : trust_(trust) {}

    void set_session(const std::optional<link::SessionSecret>& session);
    /// not_found: there is no key for anybody to read it with.
    Result<Bytes> seal(Bytes datagram);

private:
    LinkTrust* trust_;
    std::optional<link::DatagramSealer> session_;
    /// Kept for as long as this start lasts, so that no number is used twice with a key.
    std::map<link::KeyId, link::DatagramSealer> boot_;
};

}  // namespace caribou::robot
