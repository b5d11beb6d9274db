#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "loop/address.hpp"
#include "loop/text_channel.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Parameters of an outgoing WebSocket connection.
struct WebSocketCall {
    Address at{};  ///< numeric, or a Unix socket
    std::string target = "/";
    std::string authorization{};  ///< value of the Authorization header; empty: none
};

/// The reason passed to on_closed if the server closes the connection without any response to the request. An
/// overloaded HttpServer does so; it is worth another attempt.
inline constexpr std::string_view closed_without_response =
    "the connection was closed before there was any response";

/// Connects. Calls on_open, or on_closed with the reason. HttpServer creates the accepting ends.
std::unique_ptr<TextChannel> dial_web_socket(EventLoop& loop, const WebSocketCall& call,
                                             TextChannelEvents& events);

/// Limits on the peer of a WebSocket; exceeding one closes the connection.
struct WebSocketLimits {
    static constexpr std::size_t from_client = 256_KiB;  ///< bytes per text message
    static constexpr std::size_t from_server = 64_MiB;
    /// A peer that does not answer pings for this time is disconnected.
    static constexpr Duration silence = std::chrono::seconds(20);
};

}  // namespace caribou
