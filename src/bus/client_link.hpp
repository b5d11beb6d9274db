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

/// One connection to a broker after another: packets both ways. Knows how messages travel, not
/// what they mean.
class ClientLink final : StreamEvents {
public:
    /// Calls come from the loop, never from inside a call on the link. Each may do anything with
    /// the link.
    class Events {
    public:
        /// The connection stands; nothing has been sent.
        virtual void on_standing() = 0;
        virtual void on_message(const wire::MessageView& message, ByteView raw) = 0;
        virtual void on_packet_end() = 0;
        /// All whole messages that one read brought have been reported.
        virtual void on_read_end() = 0;
        /// A packet that could not be handed to the network at once now has been.
        virtual void on_packet_sent() = 0;
        /// The connection is lost, or could not be made. The link is to be closed.
        virtual void on_lost(const Error& why) = 0;

    protected:
        ~Events() = default;
    };

    /// All outlive the link.
    ClientLink(Network& network, ClientOutbox& outbox, ClientStats& stats, std::size_t max_message,
               Events& events);

    /// Starts to connect, in place of what there was.
    void open(const Address& broker);
    void close();

    /// Whether a packet can be sent: the connection stands, and the last packet is handed over.
    bool ready() const { return standing_ && !sending_; }
    /// Puts the protocol's greeting in front of the next packet.
    void put_greeting();
    /// Adds a message to the next packet, ahead of those in the outbox.
    void put(const wire::MessageView& message);

    enum class With { outbox, nothing };
    /// Sends a packet of what was put, and of what waits in the outbox if that is wanted. The
    /// link is ready. Should the connection be found lost, on_lost follows later, behind what
    /// has still arrived.
    void send(With with);

    /// How many bytes of the outbox's packet have been handed to the network.
    std::size_t packet_bytes_sent() const { return sent_ > front_.size() ? sent_ - front_.size() : 0; }

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    void write();
    struct Read {
        std::size_t got;
        ByteView left;  ///< the beginning of a message
    };
    void read_short();
    void read_long();
    /// Reads behind the `there` bytes that stand in the buffer, and reports all messages in it.
    /// Nothing: the connection is over.
    std::optional<Read> read_into(std::span<std::byte> buffer, std::size_t there);
    /// Reports what `input` holds and returns how much of it was used. Malformed input is for good.
    Result<std::size_t> report(ByteView input);
    void lost(const Error& why);
    void forget();

    Network& network_;
    ClientOutbox& outbox_;
    ClientStats& stats_;
    std::size_t max_message_;
    Events& events_;

    std::unique_ptr<Stream> stream_;
    std::uint64_t connection_ = 0;  ///< counts them, so that a call can tell whether its own is over
    bool standing_ = false;

    wire::PacketReader reader_;
    Bytes rest_;  ///< of what was read: a message that has not come to its end

    Bytes front_;  ///< of the packet on its way or else the next one: greeting, header, messages put
    std::size_t header_at_ = 0;
    std::size_t put_count_ = 0;
    std::size_t sent_ = 0;  ///< bytes of the packet, front included
    bool sending_ = false;
};

}  // namespace caribou::bus
