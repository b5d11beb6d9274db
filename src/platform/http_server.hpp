#pragma once

#include <functional>
#include <memory>

#include "base/limits.hpp"
#include "base/web_request.hpp"
#include "loop/address.hpp"
#include "loop/text_channel.hpp"
#include "platform/event_loop.hpp"
#include "platform/http_seats.hpp"

namespace caribou {

/// An HTTP/1.1 server on the loop, at a TCP port or a Unix socket of mode 0600. Requests are limited in size,
/// time and number. If there are too many connections, the one whose request or answer has been unfinished
/// longest is closed (seat_to_free()), so that neither half-open requests nor many complete ones can block
/// the server. Complete requests are answered a few per turn of the loop, those for WebSockets first; a
/// connection has at most one at a time, and is not read while it does not take its answer.
class HttpServer {
public:
    using Handler = std::function<WebAnswer(const WebRequest&)>;
    /// Receives the WebSockets of requests that were answered with 101.
    using ChannelHandler = std::function<void(const WebRequest&, std::unique_ptr<TextChannel>)>;

    static Result<std::unique_ptr<HttpServer>> listen(EventLoop& loop, const Address& at, Handler handler,
                                                      ChannelHandler on_channel = {});
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    /// Returns the address it listens on, with the actual port.
    Address address() const;

    /// Without WebSockets, which the handler limits.
    static constexpr HttpSeatLimits max_connections{};
    static constexpr int requests_per_turn = 4;
    static constexpr int connections_per_turn = 64;  ///< accepted ones
    static constexpr std::size_t max_header = 16_KiB;
    static constexpr std::size_t max_body = 1_MiB;
    static constexpr Duration patience = std::chrono::seconds(10);

private:
    class Core;
    class Session;
    explicit HttpServer(std::shared_ptr<Core> core) : core_(std::move(core)) {}

    std::shared_ptr<Core> core_;  ///< shared with pending Asio operations
};

}  // namespace caribou
