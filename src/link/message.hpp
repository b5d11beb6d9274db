#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "link/answer.hpp"
#include "link/command.hpp"
#include "link/role.hpp"
#include "link/telemetry.hpp"

/// The messages between robot and station, described in docs/formats/link.md.
namespace caribou::link {

inline constexpr std::uint8_t link_version = 1;

/// Station to robot, first message: name, requested role, and the address for telemetry.
struct Auth {
    std::string name{};
    Role role = Role::observe;
    std::string send_to{};  ///< an address, such as `127.0.0.1:9600`

    friend bool operator==(const Auth&, const Auth&) = default;
};
/// Robot to station: the session is established.
struct Welcome {
    std::string robot{};
    Role role = Role::observe;  ///< granted
    std::uint64_t session = 0;

    friend bool operator==(const Welcome&, const Welcome&) = default;
};
/// The last message of a session, with the reason.
struct Goodbye {
    std::string why{};

    friend bool operator==(const Goodbye&, const Goodbye&) = default;
};
/// Both directions, once per second. Times are of Clock::boot_seconds() of the machine that they belong to; a
/// peer of an earlier version has UNIX seconds there.
struct Heartbeat {
    std::uint64_t number = 0;
    double sent = 0;  ///< 0: unknown
    /// `sent` of the last heartbeat received, plus the time since it arrived: what the peer's clock showed
    /// when it would have sent a heartbeat that arrives now. 0: none. From a station, 0 also means that
    /// `sent` is the time of the command that follows: when a movement or a release was given, or when
    /// another one was sent.
    double heard = 0;

    friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};
/// Both directions: a part of a message about topics (docs/formats/topic-session.md).
struct TopicPiece {
    bool last = true;  ///< last part of its message
    Bytes bytes{};

    friend bool operator==(const TopicPiece&, const TopicPiece&) = default;
};
/// A station of an earlier version sends a heartbeat before a command if the last one is older than this; it
/// states the time of no command.
inline constexpr std::chrono::milliseconds beat_before_command{200};
/// Larger times in heartbeats are UNIX seconds.
inline constexpr double latest_boot_time = 1e9;

/// Messages in frames, over TCP.
using LinkMessage = std::variant<Auth, Welcome, Goodbye, Command, Answer, Heartbeat, TopicPiece>;

/// Robot to the possible addresses of its station: requests a connection to this port.
struct ConnectToMe {
    std::string robot{};
    std::uint16_t receive_port = 0;

    friend bool operator==(const ConnectToMe&, const ConnectToMe&) = default;
};
/// Robot to station: reports an error.
struct ErrorReport {
    std::string text{};

    friend bool operator==(const ErrorReport&, const ErrorReport&) = default;
};
/// Station to robot: the full stop with this id, which travels as a command, too. Repeated until it is
/// answered, by a frame or by an Answer in a datagram, whose text is truncated to LinkLimits::error.
struct StopNow {
    CommandId id{};

    friend bool operator==(const StopNow&, const StopNow&) = default;
};
/// Messages in datagrams, over UDP.
using DatagramMessage = std::variant<Telemetry, ConnectToMe, ErrorReport, StopNow, Answer>;

/// Size limits of the protocol; both ends refuse larger messages.
struct LinkLimits {
    static constexpr std::size_t frame = 64_KiB;   ///< bytes after the length field
    static constexpr std::size_t datagram = 1200;  ///< bytes
    static constexpr std::size_t name = 64;        ///< bytes of the name of a robot or station
    static constexpr std::size_t address = 128;
    static constexpr std::size_t text = 32'000;   ///< bytes of a text for people
    static constexpr std::size_t error = 1000;    ///< bytes of such a text in a datagram
    static constexpr std::size_t piece = 16_KiB;  ///< bytes of a topic message in one frame
    static constexpr std::size_t topic = 4_MiB;   ///< bytes of a complete topic message
};

/// Returns a complete frame, including the length field. Texts over their limit are truncated.
Bytes frame_of(const LinkMessage& message);
/// Decodes a frame without its length field.
Result<LinkMessage> decode_frame(ByteView body);

/// Returns a datagram; `number` must increase.
Bytes datagram_of(std::uint32_t number, const DatagramMessage& message);
struct Packet {
    std::uint32_t number = 0;
    DatagramMessage message{};

    friend bool operator==(const Packet&, const Packet&) = default;
};
Result<Packet> decode_datagram(ByteView packet);

}  // namespace caribou::link
