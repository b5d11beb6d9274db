#pragma once

#include <string_view>

#include "bus_message_counter.hpp"
#include "tcp.hpp"
#include "wire/message.hpp"

namespace caribou::bench {

/// A minimal client: a blocking socket and precomputed packets. Connected to a relay it only omits the
/// handshake.
class RawClient {
public:
    explicit RawClient(std::uint16_t port, Framing framing = Framing::packets)
        : connection_(port), counter_(framing) {}

    /// The handshake with a broker, in two parts or in one.
    void say_name(std::string_view name) const;
    void await_welcome() { await(wire::MessageType::welcome); }
    void join(std::string_view name) {
        say_name(name);
        await_welcome();
    }
    /// Returns when the broker has processed the registration.
    void subscribe(std::string_view key);
    /// Same for all variables whose names match.
    void subscribe_all(std::string_view pattern);
    /// Sends a heartbeat, which the broker answers.
    void heartbeat();

    /// Sends precomputed packets; blocks while the socket is full.
    void send(ByteView packets) const { connection_.send(packets); }
    /// Blocks until bytes have arrived, and returns how many messages ended in them.
    std::size_t receive(std::span<std::byte> room) {
        return counter_.count(room.first(connection_.receive(room)));
    }
    /// Blocks until exactly one message has arrived.
    void receive_one();
    const TcpConnection& connection() const { return connection_; }

private:
    void await(wire::MessageType type);

    TcpConnection connection_;
    MessageCounter counter_;
};

/// Returns messages of 64 bytes of payload for a relay.
Bytes plain_messages(std::size_t messages);

/// Returns a packet of messages with 64 bytes of payload each, as sent by the client of that name.
Bytes notify_packet(std::string_view client, std::string_view key, std::size_t messages = 1);

inline constexpr std::size_t payload_size = 64;

}  // namespace caribou::bench
