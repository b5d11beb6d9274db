#pragma once

#include <map>
#include <optional>

#include "link/datagram_seal.hpp"
#include "robot/link_trust.hpp"

namespace caribou::robot {

/// Seals the datagrams of a robot: for its session if there is one, else for the station that it calls.
class OutgoingSeal {
public:
    /// `trust` may be null: nothing is sealed. It must outlive this object.
    explicit OutgoingSeal(LinkTrust* trust) : trust_(trust) {}

    /// Sets the secret of the session; nullopt if there is none.
    void set_session(const std::optional<link::SessionSecret>& session);
    /// Fails with not_found if there is no key for the receiver.
    Result<Bytes> seal(Bytes datagram);

private:
    LinkTrust* trust_;
    std::optional<link::DatagramSealer> session_;
    /// Kept for the whole run of the program, so that no number is used twice with a key.
    std::map<link::KeyId, link::DatagramSealer> boot_;
};

}  // namespace caribou::robot
