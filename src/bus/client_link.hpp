#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/client_outbox.hpp"
#include "bus/client_stats.hpp"
#include "loop/network.hpp"
#include "loop/stream.hpp"
#include "wire/message.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {

/// Packets to and from a broker, over one connection after another. Frames messages without interpreting
/// them.
class ClientLink final : StreamEvents {
public:
    /// Callbacks are made from the loop, never from within a call on the link. They may call any method of
    /// the link.
    class Events {
    public:
        /// The connection is established; nothing has been sent.
        virtual void on_standing() = 0;
        virtual void on_message(const wire::MessageView& message, ByteView raw) = 0;
        virtual void on_packet_end() = 0;
        /// All complete messages of one read have been reported.
        virtual void on_read_end() = 0;
        /// A packet that could not be passed to the network at once has now been.
        virtual void on_packet_sent() = 0;
        /// The connection was lost or could not be established. The handler must close the link.
        virtual void on_lost(const Error& why) = 0;

    protected:
        ~Events() = default;
    };

    /// All arguments must outlive the link.
    ClientLink(Network& network, ClientOutbox& outbox, ClientStats& stats, std::size_t max_message,
               Events& events);

    /// Starts to connect, replacing any previous connection.
    void open(const Address& broker);
    void close();

    /// Returns whether a packet can be sent: connected, and the previous packet fully passed to the network.
    bool ready() const { return standing_ && !sending_; }
    /// Prepends the protocol's greeting to the next packet.
    void put_greeting();
    /// Appends a message to the next packet, before those in the outbox.
    void put(const wire::MessageView& message);

    enum class With { outbox, nothing };
    /// Sends a packet with the messages added by put(), and with those of the outbox if `with` says so. Must
    /// only be called if ready(). If the connection turns out to be lost, on_lost follows later, after the
    /// data that has still arrived.
    void send(With with);

    /// Returns how many bytes of the outbox's packet have been passed to the network.
    std::size_t packet_bytes_sent() const { return sent_ > front_.size() ? sent_ - front_.size() : 0; }

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    void write();
    struct Read {
        std::size_t got;
        ByteView left;  ///< incomplete message at the end
    };
    void read_short();
    void read_long();
    /// Reads into the buffer after its first `there` bytes, and reports all messages in it. Returns nullopt
    /// if the connection has ended.
    std::optional<Read> read_into(std::span<std::byte> buffer, std::size_t there);
    /// Reports all messages in `input` and returns the number of bytes consumed. Malformed input is a
    /// permanent error.
    Result<std::size_t> report(ByteView input);
    void lost(const Error& why);
    void forget();

    Network& network_;
    ClientOutbox& outbox_;
    ClientStats& stats_;
    std::size_t max_message_;
    Events& events_;

    std::unique_ptr<Stream> stream_;
    /// number of the connection, so that a call can detect that its own has ended
    std::uint64_t connection_ = 0;
    bool standing_ = false;

    wire::PacketReader reader_;
    Bytes rest_;  ///< incomplete message left by the last read

    Bytes front_;  ///< start of the current or next packet: greeting, header, messages from put()
    std::size_t header_at_ = 0;
    std::size_t put_count_ = 0;
    std::size_t sent_ = 0;  ///< bytes of the packet, including front_
    bool sending_ = false;
};

}  // namespace caribou::bus
