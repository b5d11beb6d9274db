#pragma once

#include <functional>
#include <memory>

#include "base/limits.hpp"
#include "base/web_request.hpp"
#include "loop/address.hpp"
#include "loop/text_channel.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// Carries requests and answers over HTTP/1.1, on the loop. What a client may cost is limited: its
/// request's size, its time, and how many there are at once. When there are too many, the connection whose
/// request or answer has been unfinished longest is closed: half-open requests keep nobody out.
class HttpServer {
public:
    using Handler = std::function<WebAnswer(const WebRequest&)>;
    /// Gets the WebSockets of those requests that were answered with 101.
    using ChannelHandler = std::function<void(const WebRequest&, std::unique_ptr<TextChannel>)>;

    static Result<std::unique_ptr<HttpServer>> listen(EventLoop& loop, const Address& at, Handler handler,
                                                      ChannelHandler on_channel = {});
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    Address address() const;

    static constexpr std::size_t max_connections = 64;  ///< WebSockets apart, which the handler limits
    static constexpr std::size_t max_header = 16_KiB;
    static constexpr std::size_t max_body = 1_MiB;
    static constexpr Duration patience = std::chrono::seconds(10);

private:
    class Core;
    class Session;
    explicit HttpServer(std::shared_ptr<Core> core) : core_(std::move(core)) {}

    std::shared_ptr<Core> core_;  ///< pending operations of Asio keep it
};

}  // namespace caribou
