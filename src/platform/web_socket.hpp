#pragma once

#include <memory>
#include <string>

#include "base/limits.hpp"
#include "loop/address.hpp"
#include "loop/text_channel.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// How a program asks for a WebSocket.
struct WebSocketCall {
    Address at{};
    std::string target = "/";
    std::string authorization{};  ///< a header field; empty: none
};

/// Dials. `events` hears on_open, or on_closed with the reason. HttpServer hands out the other ends.
std::unique_ptr<TextChannel> dial_web_socket(EventLoop& loop, const WebSocketCall& call,
                                             TextChannelEvents& events);

struct WebSocketLimits {
    static constexpr std::size_t from_client = 256_KiB;  ///< bytes of one text
    static constexpr std::size_t from_server = 64_MiB;
    /// A peer that does not answer pings for so long is gone.
    static constexpr Duration silence = std::chrono::seconds(20);
};

}  // namespace caribou
