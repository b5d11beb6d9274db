#pragma once

#include <optional>

#include "link/replay_window.hpp"
#include "link/sealed_datagram.hpp"

namespace caribou::link {

/// Seals and numbers the datagrams that one end sends.
class DatagramSealer {
public:
    DatagramSealer(SessionMark mark, const SecretKey& session_secret, Direction direction)
        : header_{mark}, key_(session_key(session_secret, direction)) {}
    DatagramSealer(const BootMark& mark, const SecretKey& shared, Direction direction)
        : header_{mark}, key_(boot_key(shared, mark, direction)) {}

    /// `content` must have at most SealedLimits::content bytes.
    Bytes seal(ByteView content) {
        Bytes datagram = link::seal(header_, key_, content);
        ++header_.number;
        return datagram;
    }

private:
    SealedHeader header_;
    SecretKey key_;
};

/// Opens the datagrams sealed by the other end of a session, each once.
class SessionOpener {
public:
    SessionOpener(SessionMark mark, const SecretKey& session_secret, Direction direction)
        : mark_(mark), key_(session_key(session_secret, direction)) {}

    /// Fails with malformed if this is not a sealed datagram, and with refused if it belongs to another
    /// session, was received before, is too old, or was not sealed by the other end.
    Result<Bytes> open(ByteView datagram);

private:
    SessionMark mark_;
    SecretKey key_;
    ReplayWindow window_;
};

/// The latest datagram received from a sender. Stored by receivers that must reject repeated datagrams after
/// their own restart.
struct BootProgress {
    std::uint64_t boot = 0;
    std::uint64_t number = 0;  ///< highest number

    friend bool operator==(const BootProgress&, const BootProgress&) = default;
};

/// Opens datagrams sealed with the shared key before there is a session, each once. Boot numbers only
/// increase: datagrams sealed before the sender's latest known start are refused.
class BootOpener {
public:
    /// `heard`: no datagram up to this one is accepted.
    BootOpener(const SecretKey& shared, Direction direction, std::optional<BootProgress> heard = {});

    Result<Bytes> open(ByteView datagram);
    /// Opens a datagram that open() refuses because it is from an earlier start, without accepting it: either
    /// the sender has lost its counter, or an attacker repeats an old datagram. The sender must prove its
    /// identity by other means.
    Result<Bytes> open_earlier(ByteView datagram) const;
    /// Must be called when the sender of that datagram has proved its identity: its start becomes the latest.
    void accept_earlier(const SealedHeader& header);
    std::optional<BootProgress> heard() const { return heard_; }

private:
    SecretKey shared_;
    KeyId id_;
    Direction direction_;
    std::optional<BootProgress> heard_;
    /// of the latest boot; nullopt if that was received before our own restart
    std::optional<BootNonce> nonce_;
    ReplayWindow window_;
};

}  // namespace caribou::link
