#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caribou {

/// Receives the events of a channel. All calls come from the loop, never from inside a call on the channel.
/// Each of them may destroy the channel.
class TextChannelEvents {
public:
    /// Called when an outgoing channel is established.
    virtual void on_open() {}
    virtual void on_text(std::string_view text) = 0;
    /// Called when the channel could not be established, or has ended. The last call.
    virtual void on_closed(std::string_view why) = 0;

protected:
    ~TextChannelEvents() = default;
};

/// A bidirectional, ordered channel of whole messages, such as a WebSocket. Destroying it closes it; no event
/// follows.
class TextChannel {
public:
    virtual ~TextChannel() = default;
    /// Sets the receiver of this channel's events.
    virtual void attach(TextChannelEvents& events) = 0;
    virtual void send(std::string text) = 0;
    /// Sends a binary message, in order with the text messages.
    virtual void send_bytes(std::string bytes) = 0;
    /// Returns the number of bytes queued but not yet sent.
    virtual std::size_t waiting() const = 0;
    /// Closes the channel and sends the reason to the peer. on_closed follows.
    virtual void close(std::string_view why) = 0;
    /// The same, with the code for a peer that may try again later (1013 of a WebSocket).
    virtual void refuse(std::string_view why) = 0;
};

}  // namespace caribou
