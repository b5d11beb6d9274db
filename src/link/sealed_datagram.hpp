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

/// Datagrams that only the other end can read and that nobody else can have made, as
/// docs/formats/sealed-datagram.md lays them out.
namespace caribou::link {

enum class Direction : std::uint8_t { to_station, to_robot };

/// Sealed with a key of the session of that number.
struct SessionMark {
    std::uint64_t session = 0;

    friend bool operator==(const SessionMark&, const SessionMark&) = default;
};
using BootNonce = std::array<std::byte, 16>;
/// Sealed before there is a session, with a key for this start of the sender alone.
struct BootMark {
    KeyId key{};             ///< that both ends share
    std::uint64_t boot = 0;  ///< grows with each start of the sender
    BootNonce nonce{};       ///< random, fresh at each start

    friend bool operator==(const BootMark&, const BootMark&) = default;
};

/// What can be read of a datagram without its key: enough to find that.
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
    /// What always fits, with either header.
    static constexpr std::size_t content = datagram - boot_header - tag;
};

/// What both ends of a session derive the secret of its datagrams for.
inline constexpr std::string_view datagram_purpose = "caribou datagrams";
/// What the datagrams of one session are sealed and opened with.
struct SessionSecret {
    SessionMark mark{};
    SecretKey secret;
};
/// The key that seals what goes one way in a session; `secret` is derived from that session by both ends.
SecretKey session_key(const SecretKey& secret, Direction direction);
/// The same before a session, from the key that both ends share.
SecretKey boot_key(const SecretKey& shared, const BootMark& mark, Direction direction);

/// Never the same number twice with one key. The content has at most SealedLimits::content bytes.
Bytes seal(const SealedHeader& header, const SecretKey& key, ByteView content);
/// malformed: these are not the bytes of a sealed datagram.
Result<SealedHeader> read_sealed_header(ByteView datagram);
/// The content. refused: not sealed with this key, or altered since.
Result<Bytes> open_sealed(const SecretKey& key, ByteView datagram);

}  // namespace caribou::link
