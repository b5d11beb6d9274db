#pragma once

#include <optional>

#include "link/replay_window.hpp"
#include "link/sealed_datagram.hpp"

namespace caribou::link {

/// Seals what one end sends, and numbers it.
class DatagramSealer {
public:
    DatagramSealer(SessionMark mark, const SecretKey& session_secret, Direction direction)
        : header_{mark}, key_(session_key(session_secret, direction)) {}
    DatagramSealer(const BootMark& mark, const SecretKey& shared, Direction direction)
        : header_{mark}, key_(boot_key(shared, mark, direction)) {}

    /// At most SealedLimits::content bytes.
    Bytes seal(ByteView content) {
        Bytes datagram = link::seal(header_, key_, content);
        ++header_.number;
        return datagram;
    }

private:
    SealedHeader header_;
    SecretKey key_;
};

/// Opens what the other end of a session has sealed, each datagram once.
class SessionOpener {
public:
    SessionOpener(SessionMark mark, const SecretKey& session_secret, Direction direction)
        : mark_(mark), key_(session_key(session_secret, direction)) {}

    /// malformed: no such datagram. refused: of another session, seen before, too old, or not the other
    /// end's.
    Result<Bytes> open(ByteView datagram);

private:
    SessionMark mark_;
    SecretKey key_;
    ReplayWindow window_;
};

/// How far the datagrams of a sender were heard. Kept by who wants to refuse, after a restart of its own,
/// what it heard before.
struct BootProgress {
    std::uint64_t boot = 0;
    std::uint64_t number = 0;  ///< the highest

    friend bool operator==(const BootProgress&, const BootProgress&) = default;
};

/// Opens what the holder of the shared key has sealed before there is a session, each datagram once. Boots
/// only go forward: what was sealed before the latest start that was heard of is refused.
class BootOpener {
public:
    /// `heard`: nothing up to there is accepted again.
    BootOpener(const SecretKey& shared, Direction direction, std::optional<BootProgress> heard = {});

    Result<Bytes> open(ByteView datagram);
    /// Opens a datagram that open() refuses because it is from an earlier start, without taking it: the
    /// sender may have lost its count, or somebody repeats an old datagram. The sender has to prove itself
    /// by other means.
    Result<Bytes> open_earlier(ByteView datagram) const;
    /// The sender of that datagram has proven itself: its start is the latest from now on.
    void accept_earlier(const SealedHeader& header);
    std::optional<BootProgress> heard() const { return heard_; }

private:
    SecretKey shared_;
    KeyId id_;
    Direction direction_;
    std::optional<BootProgress> heard_;
    std::optional<BootNonce> nonce_;  ///< of the boot that was heard last; none if that was in another life
    ReplayWindow window_;
};

}  // namespace caribou::link
