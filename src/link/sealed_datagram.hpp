#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "link/message.hpp"
#include "link/secret_key.hpp"

/// Encrypted and authenticated datagrams, described in docs/formats/sealed-datagram.md.
namespace caribou::link {

enum class Direction : std::uint8_t { to_station, to_robot };

/// Sealed with a key of the session with this number.
struct SessionMark {
    std::uint64_t session = 0;

    friend bool operator==(const SessionMark&, const SessionMark&) = default;
};
using BootNonce = std::array<std::byte, 16>;
/// Sealed before there is a session, with a key for this start of the sender only.
struct BootMark {
    KeyId key{};             ///< id of the shared key
    std::uint64_t boot = 0;  ///< increases with each start of the sender
    BootNonce nonce{};       ///< random at each start

    friend bool operator==(const BootMark&, const BootMark&) = default;
};

/// The unencrypted part of a datagram, by which the receiver finds the key.
struct SealedHeader {
    std::variant<SessionMark, BootMark> mark{};
    std::uint64_t number = 0;

    friend bool operator==(const SealedHeader&, const SealedHeader&) = default;
};

struct SealedLimits {
    static constexpr std::size_t tag = 16;
    static constexpr std::size_t session_header = 22;
    static constexpr std::size_t boot_header = 46;
    static constexpr std::size_t datagram = LinkLimits::datagram;
    /// Maximum size of the content, with either header.
    static constexpr std::size_t content = datagram - boot_header - tag;
};

/// Purpose for which both ends of a session derive the secret of its datagrams.
inline constexpr std::string_view datagram_purpose = "caribou datagrams";
/// The secret of the datagrams of one session.
struct SessionSecret {
    SessionMark mark{};
    SecretKey secret;
};
/// Returns the key for one direction of a session; both ends derive `secret` from the session.
SecretKey session_key(const SecretKey& secret, Direction direction);
/// Returns the key for one direction before there is a session, from the shared key.
SecretKey boot_key(const SecretKey& shared, const BootMark& mark, Direction direction);

/// Encrypts and authenticates `content`, of at most SealedLimits::content bytes. A number must never be used
/// twice with one key.
Bytes seal(const SealedHeader& header, const SecretKey& key, ByteView content);
/// Fails with malformed if this is not a sealed datagram.
Result<SealedHeader> read_sealed_header(ByteView datagram);
/// Returns the content. Fails with refused if it was not sealed with this key, or was modified.
Result<Bytes> open_sealed(const SecretKey& key, ByteView datagram);

}  // namespace caribou::link
