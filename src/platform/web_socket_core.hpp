#pragma once

// Takes over a connection from the HTTP server when it becomes a WebSocket. Private to platform.

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <string>

#include "loop/text_channel.hpp"

namespace caribou {

/// A connection over TCP or a Unix socket.
using WebStream = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;

using WebSocketTaker = std::function<void(std::unique_ptr<TextChannel>)>;

/// Answers the request and, on success, passes the channel to `on_open`. `protocol` is the negotiated
/// subprotocol, one of those requested; empty: none.
void accept_web_socket(WebStream::socket_type socket,
                       boost::beast::http::request<boost::beast::http::string_body> request,
                       const std::string& protocol, WebSocketTaker on_open);

}  // namespace caribou
