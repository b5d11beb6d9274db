#include "platform/http_server.hpp"

#include <sys/socket.h>

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <cstring>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "platform/event_loop_core.hpp"
#include "platform/listening_socket.hpp"
#include "platform/system_error.hpp"
#include "platform/web_socket_core.hpp"

namespace caribou {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using asio::ip::tcp;
using Failure = boost::system::error_code;
using Protocol = WebStream::protocol_type;

/// Returns an endpoint of a TCP connection.
tcp::endpoint tcp_endpoint(const Protocol::endpoint& any) {
    tcp::endpoint endpoint;
    endpoint.resize(any.size());
    std::memcpy(endpoint.data(), any.data(), any.size());
    return endpoint;
}

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
    // Pages of programs have their styles and scripts inline; nothing else runs any.
    response.set("Content-Security-Policy",
                 answer.type.starts_with("text/html")
                     ? "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                       "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
                     : "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
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
        : handler(std::move(answer)), on_channel(std::move(take)), acceptor(loop.core().io()), loop_(loop) {}

    Result<void> listen(const Address& at);

    void accept();
    /// The session has a complete request, which is answered in one of the next turns.
    void add_ready(std::shared_ptr<Session> session, bool for_web_socket);
    /// No handler is called any more.
    void end();
    Address address() const;
    Instant now() const { return loop_.clock().now(); }

    Handler handler;  ///< empty once the server is destroyed
    ChannelHandler on_channel;
    asio::basic_socket_acceptor<Protocol> acceptor;
    std::list<Session*> sessions;  ///< sorted by last progress, oldest first

private:
    Result<void> listen_on_port(const Address& at);
    Result<void> listen_on_file(const Address& at);
    void take(WebStream::socket_type socket);
    /// Returns whether there is room for one more connection, for which it may close others.
    bool make_room();
    /// Answers some of the requests that are ready.
    void serve();

    EventLoop& loop_;
    std::string path_;  ///< of the Unix socket; empty: TCP
    std::optional<SocketFile> file_;
    std::deque<std::shared_ptr<Session>> ready_;
    std::deque<std::shared_ptr<Session>> ready_sockets_;  ///< requests for WebSockets
    bool waits_for_room_ = false;
};

/// One connection. Lives as long as an operation is pending on it.
class HttpServer::Session : public std::enable_shared_from_this<Session> {
public:
    Session(WebStream::socket_type socket, std::shared_ptr<Core> core)
        : stream_(std::move(socket)), core_(std::move(core)) {
        place_ = core_->sessions.insert(core_->sessions.end(), this);
        progress_ = core_->now();
    }
    ~Session() { leave(); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Closes it: pending operations fail, which destroys the session.
    void close() {
        leave();
        stream_.close();
    }
    bool is_closed() const { return !place_; }

    /// The state of the connection. A part of a request is in the buffer, or was taken by the parser.
    HttpSeat seat() const {
        const bool has_begun = buffer_.size() > 0 || (parser_ && parser_->got_some());
        const bool is_reading = phase_ == HttpSeat::Phase::idle && has_begun;
        return {.phase = is_reading ? HttpSeat::Phase::reading : phase_, .progress = progress_};
    }

    void read() {
        progress(HttpSeat::Phase::idle);
        parser_.emplace();
        parser_->header_limit(max_header);
        parser_->body_limit(max_body);
        stream_.expires_after(patience);
        http::async_read(
            stream_, buffer_, *parser_,
            [self = shared_from_this()](const Failure& failure, std::size_t) { self->on_request(failure); });
    }

    /// Answers the request that was read.
    void answer() {
        const auto& request = parser_->get();
        WebRequest asked = to_web(request, from_outside());
        WebAnswer answer = core_->handler(asked);
        if (answer.status == 101) return upgrade(std::move(asked), answer.protocol);
        // While there are many connections, each has one answer, however many requests it has sent at once.
        const bool is_kept = request.keep_alive() && core_->sessions.size() <= max_connections.usual;
        write(std::move(answer), request.version(), is_kept, request.method() == http::verb::head);
    }

private:
    void leave() {
        if (place_) core_->sessions.erase(*place_);
        place_.reset();
    }
    void progress(HttpSeat::Phase phase) {
        phase_ = phase;
        progress_ = core_->now();
        if (place_) core_->sessions.splice(core_->sessions.end(), core_->sessions, *place_);
    }

    void on_request(const Failure& failure) {
        if (failure == http::error::body_limit || failure == http::error::header_limit)
            return write({.status = 413, .type = "text/plain", .body = "This request is too large.\n"}, 11,
                         false);
        const bool malformed =
            failure && failure.category() == make_error_code(http::error::bad_target).category();
        if (malformed && failure != http::error::end_of_stream)
            return write({.status = 400, .type = "text/plain", .body = "Malformed HTTP request.\n"}, 11,
                         false);
        if (failure || !core_->handler || is_closed()) return;
        const bool for_web_socket = is_upgrade(parser_->get());
        progress(for_web_socket ? HttpSeat::Phase::ready_socket : HttpSeat::Phase::ready);
        core_->add_ready(shared_from_this(), for_web_socket);
    }

    bool from_outside() const {
        Failure failure;
        const auto peer = stream_.socket().remote_endpoint(failure);
        if (peer.protocol().family() == AF_UNIX) return false;
        return failure || !tcp_endpoint(peer).address().is_loopback();
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
        progress(HttpSeat::Phase::writing);
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
        stream_.socket().shutdown(asio::socket_base::shutdown_send, ignored);
    }

    WebStream stream_;
    std::shared_ptr<Core> core_;
    std::optional<std::list<Session*>::iterator> place_;  ///< nullopt: no longer counted
    HttpSeat::Phase phase_ = HttpSeat::Phase::idle;
    Instant progress_{};
    beast::flat_buffer buffer_;
    std::optional<http::request_parser<http::string_body>> parser_;
    std::unique_ptr<Reply> reply_;
};

void HttpServer::Core::accept() {
    waits_for_room_ = !make_room();
    if (waits_for_room_) return;
    acceptor.async_accept([self = shared_from_this()](const Failure& failure, WebStream::socket_type socket) {
        if (!self->handler) return;
        if (!failure) self->take(std::move(socket));
        // The others that have arrived meanwhile, so that a storm of connections fills no queue.
        for (int i = 1; i < connections_per_turn && !failure && self->make_room(); ++i) {
            Failure none;
            WebStream::socket_type next = self->acceptor.accept(none);
            if (none) break;
            self->take(std::move(next));
        }
        if (self->acceptor.is_open()) self->accept();
    });
}

void HttpServer::Core::take(WebStream::socket_type socket) {
    std::make_shared<Session>(std::move(socket), shared_from_this())->read();
}

bool HttpServer::Core::make_room() {
    std::vector<HttpSeat> seats;
    for (const Session* session : sessions) seats.push_back(session->seat());
    // The next connection, which is not closed before it was made.
    seats.push_back({.phase = HttpSeat::Phase::ready_socket, .progress = now()});
    const auto freed = seat_to_free(seats, now(), max_connections);
    if (freed) (*std::next(sessions.begin(), static_cast<std::ptrdiff_t>(*freed)))->close();
    return freed || seats.size() <= max_connections.total;
}

void HttpServer::Core::add_ready(std::shared_ptr<Session> session, bool for_web_socket) {
    if (ready_.empty() && ready_sockets_.empty()) loop_.post([self = shared_from_this()] { self->serve(); });
    (for_web_socket ? ready_sockets_ : ready_).push_back(std::move(session));
}

void HttpServer::Core::serve() {
    constexpr Duration time_per_turn = std::chrono::milliseconds(2);
    const Instant begun = now();
    for (int i = 0; i < requests_per_turn && now() - begun < time_per_turn;) {
        auto& from = ready_sockets_.empty() ? ready_ : ready_sockets_;
        if (from.empty()) break;
        const std::shared_ptr<Session> session = std::move(from.front());
        from.pop_front();
        if (session->is_closed()) continue;
        session->answer();
        ++i;
        if (!handler) return;
    }
    if (!ready_.empty() || !ready_sockets_.empty())
        loop_.post([self = shared_from_this()] { self->serve(); });
    if (waits_for_room_) accept();
}

void HttpServer::Core::end() {
    handler = nullptr;
    on_channel = nullptr;
    ready_.clear();
    ready_sockets_.clear();
    Failure ignored;
    std::ignore = acceptor.close(ignored);
    file_.reset();
}

Result<void> HttpServer::Core::listen(const Address& at) {
    return at.kind == Address::Kind::unix_socket ? listen_on_file(at) : listen_on_port(at);
}

Result<void> HttpServer::Core::listen_on_file(const Address& at) {
    auto listening = open_listening_socket(at);
    if (!listening) return fail(std::move(listening.error()));
    acceptor.assign(Protocol(AF_UNIX, 0), *listening);
    Failure ignored;
    std::ignore = acceptor.non_blocking(true, ignored);  // the acceptor does not know that it is
    path_ = at.host;
    file_.emplace(path_);
    return {};
}

Result<void> HttpServer::Core::listen_on_port(const Address& at) {
    Failure failure;
    const auto host = asio::ip::make_address(at.host == "localhost" ? "127.0.0.1" : at.host, failure);
    if (failure) return fail(Code::invalid_argument, fmt::format("{} is not an address", at.host));
    const Protocol::endpoint endpoint = tcp::endpoint(host, at.port);
    std::ignore = acceptor.open(endpoint.protocol(), failure);
    if (!failure) std::ignore = acceptor.set_option(asio::socket_base::reuse_address(true), failure);
    if (!failure) std::ignore = acceptor.bind(endpoint, failure);
    if (!failure) std::ignore = acceptor.listen(asio::socket_base::max_listen_connections, failure);
    if (!failure) std::ignore = acceptor.non_blocking(true, failure);
    if (!failure) return {};
    return fail(system_error(fmt::format("cannot listen for HTTP at {}", to_string(at)), failure.value()));
}

Address HttpServer::Core::address() const {
    if (!path_.empty()) return Address::unix_path(path_);
    Failure ignored;
    const tcp::endpoint endpoint = tcp_endpoint(acceptor.local_endpoint(ignored));
    return Address::ip(endpoint.address().to_string(), endpoint.port());
}

Result<std::unique_ptr<HttpServer>> HttpServer::listen(EventLoop& loop, const Address& at, Handler handler,
                                                       ChannelHandler on_channel) {
    auto core = std::make_shared<Core>(loop, std::move(handler), std::move(on_channel));
    if (auto listening = core->listen(at); !listening) return fail(std::move(listening.error()));
    core->accept();
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(core)));
}

HttpServer::~HttpServer() { core_->end(); }

Address HttpServer::address() const { return core_->address(); }

}  // namespace caribou
