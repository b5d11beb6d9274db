#pragma once

#include <optional>
#include <string>

#include "bus/share_line.hpp"
#include "link/sealed_datagram.hpp"
#include "link/secret_key.hpp"
#include "loop/network.hpp"

namespace caribou::app {

/// One end of a sealed route of pShare: seals what its line sends, and opens what arrives
/// (docs/formats/sealed-share.md).
class SealedPeer {
public:
    /// `calls`: this end looks for the other one, at `to`; otherwise it waits for it.
    SealedPeer(std::string key_name, const link::SecretKey& shared, std::optional<Address> to);

    const std::string& key_name() const { return key_name_; }
    bus::ShareLine& line() { return line_; }
    const bus::ShareLine& line() const { return line_; }
    /// Returns whether a datagram names the key of this route.
    bool is_for_us(const link::SealedHeader& header) const;
    /// Sends what the line has to send.
    Result<void> flush(Datagram& socket, Instant now);
    /// Handles a datagram. Returns the messages in it. Fails with refused if the key did not seal it.
    Result<std::vector<Bytes>> receive(Datagram& socket, const Address& from, ByteView datagram, Instant now);

private:
    Result<void> send(Datagram& socket, const Address& to, ByteView content);

    std::string key_name_;
    link::SecretKey key_;
    link::BootMark mark_;
    link::SecretKey own_key_;
    std::uint64_t next_number_ = 0;
    std::optional<Address> to_;
    bus::ShareLine line_;
};

}  // namespace caribou::app
