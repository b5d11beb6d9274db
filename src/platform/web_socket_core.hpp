#pragma once

// Takes over a connection from the HTTP server when it becomes a WebSocket. Private to platform.

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <functional>
#include <memory>
#include <string>

#include "loop/text_channel.hpp"

namespace caribou {

using WebSocketTaker = std::function<void(std::unique_ptr<TextChannel>)>;

/// Answers the request and, on success, passes the channel to `on_open`. `protocol` is the negotiated
/// subprotocol, one of those requested; empty: none.
void accept_web_socket(boost::asio::ip::tcp::socket socket,
                       boost::beast::http::request<boost::beast::http::string_body> request,
                       const std::string& protocol, WebSocketTaker on_open);

}  // namespace caribou
