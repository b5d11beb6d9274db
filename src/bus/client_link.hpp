#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "bus/client_outbox.hpp"
#include "bus/client_stats.hpp"
#include "loop/network.hpp"
#include "loop/stream.hpp"
#include "wire/message.hpp"
#include "wire/packet_reader.hpp"

namespace caribou::bus {

/// One connection to a broker after another: greeting out, then packets both ways. Knows how
/// messages travel, not what they mean.
class ClientLink final : StreamEvents {
public:
    /// Calls come from the loop only. Each may open, send or close.
    class Events {
    public:
        /// The connection stands; nothing has been sent.
        virtual void on_standing() = 0;
        virtual void on_message(const wire::MessageView& message, ByteView raw) = 0;
        virtual void on_packet_end() = 0;
        /// All whole messages that one read brought have been reported.
        virtual void on_read_end() = 0;
        /// A packet that could not be sent at once is on its way as a whole.
        virtual void on_packet_sent() = 0;
        /// The connection is lost or could not be made; the link is still to be closed.
        virtual void on_lost(Error why) = 0;

    protected:
        ~Events() = default;
    };

    /// All outlive the link.
    ClientLink(Network& network, ClientOutbox& outbox, ClientStats& stats, std::size_t max_message, Events& events);

    /// Starts to connect, in place of what there was.
    void open(const Address& broker);
    void close();

    /// Whether a packet can be sent: the connection stands and the last one is on its way.
    bool ready() const { return standing_ && !sending_; }
    /// Puts the protocol's greeting in front of the next packet.
    void put_greeting();
    /// Adds a message to the next packet, ahead of those in the outbox.
    void put(const wire::MessageView& message);
    /// Sends one packet, of what was put and then of the outbox or not. The link is ready.
    enum class With { outbox, put_only };
    Result<void> send(With with);

    /// The bytes of the outbox's packet that have been handed to the network.
    std::size_t packet_bytes_sent() const { return sent_ > front_.size() ? sent_ - front_.size() : 0; }

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    Result<void> write();
    /// Returns how much of the input was used, or nothing if the link was closed meanwhile.
    Result<std::size_t> parse(ByteView input);
    void read_small();
    void read_large();
    void keep_rest(ByteView rest);
    bool check_read(const Result<std::size_t>& got);

    Network& network_;
    ClientOutbox& outbox_;
    ClientStats& stats_;
    std::size_t max_message_;
    Events& events_;

    std::unique_ptr<Stream> stream_;
    std::uint64_t connection_ = 0;  ///< counts, so that a call can tell whether it has been closed
    bool standing_ = false;

    wire::PacketReader reader_;
    Bytes rest_;  ///< of a message that has not come to its end

    Bytes front_;  ///< greeting, packet header and messages put, of the packet on its way or the next one
    std::size_t header_at_ = 0;
    std::size_t put_count_ = 0;
    std::size_t sent_ = 0;
    bool sending_ = false;
};

}  // namespace caribou::bus
