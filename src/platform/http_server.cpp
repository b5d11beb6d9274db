#include "platform/http_server.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <list>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "platform/event_loop_core.hpp"
#include "platform/system_error.hpp"
#include "platform/web_socket_core.hpp"

namespace caribou {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Failure = boost::system::error_code;

bool is_upgrade(const http::request<http::string_body>& request) {
    return request.method() == http::verb::get &&
           http::token_list(request[http::field::connection]).exists("upgrade") &&
           beast::iequals(request[http::field::upgrade], "websocket");
}

WebRequest to_web(const http::request<http::string_body>& request, bool from_outside) {
    const auto field = [&](std::string_view name) {
        const auto found = request.find(name);
        return found == request.end() ? std::string{} : std::string(found->value());
    };
    return {.method = std::string(request.method_string()),
            .target = std::string(request.target()),
            .body = request.body(),
            .host = field("Host"),
            .origin = field("Origin"),
            .fetch_site = field("Sec-Fetch-Site"),
            .user_agent = field("User-Agent"),
            .authorization = field("Authorization"),
            .cookie = field("Cookie"),
            .accept_encoding = field("Accept-Encoding"),
            .if_none_match = field("If-None-Match"),
            .range = field("Range"),
            .protocols = field("Sec-WebSocket-Protocol"),
            .upgrade = is_upgrade(request),
            .from_outside = from_outside};
}

/// An answer being sent: its header, and the bytes it refers to.
struct Reply {
    Reply(WebAnswer from, bool headless) : answer(std::move(from)), head_only(headless) {
        if (!answer.holder) answer.bytes = bytes_of(answer.body);
    }

    WebAnswer answer;
    bool head_only;
    http::response<http::span_body<const char>> response;
    http::response_serializer<http::span_body<const char>> serializer{response};
};

void fill(Reply& reply, unsigned version, bool keep_alive) {
    WebAnswer& answer = reply.answer;
    auto& response = reply.response;
    response.version(version);
    response.result(answer.status);
    response.set(http::field::content_type, answer.type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Content-Security-Policy",
                 "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                 "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'");
    if (!answer.location.empty()) response.set(http::field::location, answer.location);
    for (const auto& [name, value] : answer.fields) response.set(name, value);
    const std::string_view text = text_of(answer.bytes);
    response.body() = {text.data(), text.size()};
    response.keep_alive(keep_alive);
    response.prepare_payload();
    // The field would be the size of a body that is not sent.
    if (response.result() == http::status::not_modified) response.erase(http::field::content_length);
    reply.serializer.split(true);  // the header first, and nothing else for HEAD
}

}  // namespace

class HttpServer::Core : public std::enable_shared_from_this<Core> {
public:
    Core(EventLoop& loop, Handler answer, ChannelHandler take)
        : handler(std::move(answer)), on_channel(std::move(take)), acceptor(loop.core().io()) {}

    void accept();

    Handler handler;  ///< empty once the server is destroyed
    ChannelHandler on_channel;
    tcp::acceptor acceptor;
    std::list<Session*> sessions;  ///< sorted by last progress, oldest first
};

/// One connection. Lives as long as an operation is pending on it.
class HttpServer::Session : public std::enable_shared_from_this<Session> {
public:
    Session(tcp::socket socket, std::shared_ptr<Core> core)
        : stream_(std::move(socket)), core_(std::move(core)) {
        place_ = core_->sessions.insert(core_->sessions.end(), this);
    }
    ~Session() { leave(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Closes it: pending operations fail, which destroys the session.
    void close() {
        leave();
        stream_.close();
    }

    void read() {
        progress();
        parser_.emplace();
        parser_->header_limit(max_header);
        parser_->body_limit(max_body);
        stream_.expires_after(patience);
        http::async_read(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](const Failure& failure, std::size_t) { self->on_request(failure); });
    }

private:
    void leave() {
        if (place_) core_->sessions.erase(*place_);
        place_.reset();
    }
    void progress() {
        if (place_) core_->sessions.splice(core_->sessions.end(), core_->sessions, *place_);
    }

    void on_request(const Failure& failure) {
        if (failure == http::error::body_limit || failure == http::error::header_limit)
            return write({.status = 413, .type = "text/plain", .body = "This request is too large.\n"}, 11,
                         false);
        const bool malformed =
            failure && failure.category() == make_error_code(http::error::bad_target).category();
        if (malformed && failure != http::error::end_of_stream)
            return write({.status = 400, .type = "text/plain", .body = "This is no HTTP.\n"}, 11, false);
        if (failure || !core_->handler) return;
        const auto& request = parser_->get();
        WebRequest asked = to_web(request, from_outside());
        WebAnswer answer = core_->handler(asked);
        if (answer.status == 101) return upgrade(std::move(asked), answer.protocol);
        write(std::move(answer), request.version(), request.keep_alive(),
              request.method() == http::verb::head);
    }

    bool from_outside() const {
        Failure failure;
        const auto peer = stream_.socket().remote_endpoint(failure);
        return failure || !peer.address().is_loopback();
    }

    void upgrade(WebRequest asked, const std::string& protocol) {
        leave();
        stream_.expires_never();
        accept_web_socket(stream_.release_socket(), parser_->release(), protocol,
                          [core = core_, asked = std::move(asked)](std::unique_ptr<TextChannel> channel) {
                              if (core->on_channel) core->on_channel(asked, std::move(channel));
                          });
    }

    void write(WebAnswer answer, unsigned version, bool keep_alive, bool head_only = false) {
        reply_ = std::make_unique<Reply>(std::move(answer), head_only);
        fill(*reply_, version, keep_alive);
        write_on(keep_alive);
    }

    /// Sends in pieces, so that a large answer has unlimited time as long as it progresses.
    void write_on(bool keep_alive) {
        progress();
        stream_.expires_after(patience);
        http::async_write_some(stream_, reply_->serializer,
                               [self = shared_from_this(), keep_alive](const Failure& failure, std::size_t) {
                                   self->on_written(failure, keep_alive);
                               });
    }

    void on_written(const Failure& failure, bool keep_alive) {
        const bool whole =
            reply_->serializer.is_done() || (reply_->head_only && reply_->serializer.is_header_done());
        if (!failure && !whole) return write_on(keep_alive);
        reply_.reset();
        if (!failure && keep_alive) return read();
        Failure ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    }

    beast::tcp_stream stream_;
    std::shared_ptr<Core> core_;
    std::optional<std::list<Session*>::iterator> place_;  ///< nullopt: no longer counted
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    std::unique_ptr<Reply> reply_;
};

void HttpServer::Core::accept() {
    acceptor.async_accept([self = shared_from_this()](const Failure& failure, tcp::socket socket) {
        if (!self->handler) return;
        if (!failure) {
            if (self->sessions.size() >= max_connections) self->sessions.front()->close();
            std::make_shared<Session>(std::move(socket), self)->read();
        }
        if (self->acceptor.is_open()) self->accept();
    });
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(EventLoop& loop, const Address& at, Handler handler,
                                                       ChannelHandler on_channel) {
    auto core = std::make_shared<Core>(loop, std::move(handler), std::move(on_channel));
    Failure failure;
    const auto host = asio::ip::make_address(at.host == "localhost" ? "127.0.0.1" : at.host, failure);
    if (failure) return fail(Code::invalid_argument, fmt::format("{} is no address", at.host));
    const tcp::endpoint endpoint(host, at.port);
    std::ignore = core->acceptor.open(endpoint.protocol(), failure);
    if (!failure) std::ignore = core->acceptor.set_option(tcp::acceptor::reuse_address(true), failure);
    if (!failure) std::ignore = core->acceptor.bind(endpoint, failure);
    if (!failure) std::ignore = core->acceptor.listen(tcp::acceptor::max_listen_connections, failure);
    if (failure)
        return fail(
            system_error(fmt::format("cannot listen for HTTP at {}", to_string(at)), failure.value()));
    core->accept();
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(core)));
}

HttpServer::~HttpServer() {
    core_->handler = nullptr;
    core_->on_channel = nullptr;
    Failure ignored;
    std::ignore = core_->acceptor.close(ignored);
}

Address HttpServer::address() const {
    Failure ignored;
    const tcp::endpoint endpoint = core_->acceptor.local_endpoint(ignored);
    return Address::ip(endpoint.address().to_string(), endpoint.port());
}

}  // namespace caribou
