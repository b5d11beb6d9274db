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

/// What robot and station say to each other, as docs/formats/link.md lays it out.
namespace caribou::link {

inline constexpr std::uint8_t link_version = 1;

/// Station to robot, first of all: who it is, what it wants to do, and where telemetry goes.
struct Auth {
    std::string name{};
    Role role = Role::observe;
    std::string send_to{};  ///< an address, such as `127.0.0.1:9600`

    friend bool operator==(const Auth&, const Auth&) = default;
};
/// Robot to station: the session stands.
struct Welcome {
    std::string robot{};
    Role role = Role::observe;  ///< that is granted
    std::uint64_t session = 0;

    friend bool operator==(const Welcome&, const Welcome&) = default;
};
/// The last words of a session.
struct Goodbye {
    std::string why{};

    friend bool operator==(const Goodbye&, const Goodbye&) = default;
};
/// Both ways, once a second while all is well.
struct Heartbeat {
    std::uint64_t number = 0;
    double sent = 0;   ///< UNIX seconds by the sender's clock; 0: it does not say
    double heard = 0;  ///< `sent` of the last one that came the other way; 0: none

    friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};
/// Both ways: a piece of a message about topics, as docs/formats/topic-session.md lays it out.
struct TopicPiece {
    bool last = true;  ///< of its message
    Bytes bytes{};

    friend bool operator==(const TopicPiece&, const TopicPiece&) = default;
};
/// A station whose last heartbeat is older than this sends another one before a command, so that the robot
/// can tell how old that is.
inline constexpr std::chrono::milliseconds beat_before_command{200};

/// What travels in frames, over TCP.
using LinkMessage = std::variant<Auth, Welcome, Goodbye, Command, Answer, Heartbeat, TopicPiece>;

/// Robot to wherever its station may be: open a connection to this port of mine.
struct ConnectToMe {
    std::string robot{};
    std::uint16_t receive_port = 0;

    friend bool operator==(const ConnectToMe&, const ConnectToMe&) = default;
};
/// Robot to station: something went wrong.
struct ErrorReport {
    std::string text{};

    friend bool operator==(const ErrorReport&, const ErrorReport&) = default;
};
/// What travels in datagrams, over UDP.
using DatagramMessage = std::variant<Telemetry, ConnectToMe, ErrorReport>;

struct LinkLimits {
    static constexpr std::size_t frame = 64_KiB;   ///< bytes after the length
    static constexpr std::size_t datagram = 1200;  ///< bytes
    static constexpr std::size_t name = 64;        ///< bytes of a robot's or a station's name
    static constexpr std::size_t address = 128;
    static constexpr std::size_t text = 32'000;   ///< bytes of what is for people
    static constexpr std::size_t error = 1000;    ///< the same in a datagram
    static constexpr std::size_t piece = 16_KiB;  ///< bytes of a message about topics in one frame
    static constexpr std::size_t topic = 4_MiB;   ///< bytes of such a message
};

/// A whole frame, its length included. Texts that are too long are cut.
Bytes frame_of(const LinkMessage& message);
/// What stands in a frame, without its length.
Result<LinkMessage> decode_frame(ByteView body);

/// A datagram; `number` grows with each.
Bytes datagram_of(std::uint32_t number, const DatagramMessage& message);
struct Packet {
    std::uint32_t number = 0;
    DatagramMessage message{};

    friend bool operator==(const Packet&, const Packet&) = default;
};
Result<Packet> decode_datagram(ByteView packet);

}  // namespace caribou::link
