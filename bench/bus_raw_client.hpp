#pragma once

#include <string_view>

#include "bus_message_counter.hpp"
#include "tcp.hpp"
#include "wire/message.hpp"

namespace caribou::bench {

/// A client as thin as can be: a blocking socket, and packets made beforehand. Connected to a
/// relay it is the same but for the hand-shake.
class RawClient {
public:
    explicit RawClient(std::uint16_t port) : connection_(port) {}

    /// The hand-shake with a broker, in two parts or in one.
    void say_name(std::string_view name) const;
    void await_welcome() { await(wire::MessageType::welcome); }
    void join(std::string_view name) {
        say_name(name);
        await_welcome();
    }
    /// Returns when the broker has taken note.
    void subscribe(std::string_view key);
    /// A sign of life, which the broker answers.
    void heartbeat();

    void send(ByteView packets) const { connection_.send(packets); }
    /// Waits until something has come, and says how many messages ended with it.
    std::size_t receive(std::span<std::byte> room) {
        return counter_.count(room.first(connection_.receive(room)));
    }
    /// Waits for one message, which no other follows.
    void receive_one();
    const TcpConnection& connection() const { return connection_; }

private:
    void await(wire::MessageType type);

    TcpConnection connection_;
    MessageCounter counter_;
};

/// A packet of messages with 64 bytes of payload each, as the client of that name would write them.
Bytes notify_packet(std::string_view client, std::string_view key, std::size_t messages = 1);

inline constexpr std::size_t payload_size = 64;

}  // namespace caribou::bench
