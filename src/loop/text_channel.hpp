#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace caribou {

/// Hears what happens to a channel. Every call comes from the loop, never from inside a call on the
/// channel. Any of them may destroy the channel.
class TextChannelEvents {
public:
    /// A channel that was dialed now stands.
    virtual void on_open() {}
    virtual void on_text(std::string_view text) = 0;
    /// It could not be made, or it has ended. The last call.
    virtual void on_closed(std::string_view why) = 0;

protected:
    ~TextChannelEvents() = default;
};

/// Texts both ways, whole and in order, such as a WebSocket carries. Destroying it closes it; no event
/// follows.
class TextChannel {
public:
    virtual ~TextChannel() = default;
    /// Who hears this channel's events from now on.
    virtual void attach(TextChannelEvents& events) = 0;
    virtual void send(std::string text) = 0;
    /// What is no text, in the same order.
    virtual void send_bytes(std::string bytes) = 0;
    /// Bytes that were sent and have not left yet.
    virtual std::size_t waiting() const = 0;
    /// Says why to the other side. on_closed follows.
    virtual void close(std::string_view why) = 0;
};

}  // namespace caribou
