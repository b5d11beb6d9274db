#include "platform/web_socket.hpp"

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <utility>

#include "platform/event_loop_core.hpp"
#include "platform/socket_address.hpp"
#include "platform/web_socket_core.hpp"

namespace caribou {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using Failure = boost::system::error_code;

/// Returns whether the peer has closed the connection in the middle of a handshake.
bool is_close(const Failure& failure) {
    return failure == http::error::end_of_stream || failure == http::error::partial_message ||
           failure == asio::error::eof || failure == asio::error::connection_reset ||
           failure == asio::error::broken_pipe;
}

/// One end of a WebSocket. Lives as long as an operation is pending on it.
class WebSocketCore : public std::enable_shared_from_this<WebSocketCore> {
public:
    template <class Source>
    explicit WebSocketCore(Source&& source) : socket_(std::forward<Source>(source)) {}

    void accept(http::request<http::string_body> request, const std::string& protocol,
                WebSocketTaker on_open);
    void dial(const WebSocketCall& call);

    void attach(TextChannelEvents& events);
    void detach();
    void send(std::string message, bool is_text);
    std::size_t waiting() const { return waiting_; }
    void close(std::string_view why, websocket::close_code code = websocket::close_code::normal);

private:
    struct Message {
        std::string bytes;
        bool is_text;
    };

    void limit(std::size_t most) {
        socket_.set_option(websocket::stream_base::timeout{.handshake_timeout = std::chrono::seconds(10),
                                                           .idle_timeout = WebSocketLimits::silence,
                                                           .keep_alive_pings = true});
        socket_.read_message_max(most);
        Failure ignored;
        std::ignore = beast::get_lowest_layer(socket_).socket().set_option(tcp::no_delay(true), ignored);
    }
    void read();
    void write();
    void end(const std::string& why);
    std::string reason(const Failure& failure) const {
        const std::string told(socket_.reason().reason.data(), socket_.reason().reason.size());
        return failure == websocket::error::closed && !told.empty() ? told : failure.message();
    }

    websocket::stream<WebStream> socket_;
    TextChannelEvents* events_ = nullptr;
    beast::flat_buffer buffer_;
    std::deque<Message> messages_;  ///< the first one is being written
    std::size_t waiting_ = 0;
    bool open_ = false;
    bool reading_ = false;
    bool closing_ = false;
    bool ended_ = false;
    websocket::response_type answer_;
};

class WebSocketChannel final : public TextChannel {
public:
    explicit WebSocketChannel(std::shared_ptr<WebSocketCore> core) : core_(std::move(core)) {}
    ~WebSocketChannel() override { core_->detach(); }
    WebSocketChannel(const WebSocketChannel&) = delete;
    WebSocketChannel& operator=(const WebSocketChannel&) = delete;

    void attach(TextChannelEvents& events) override { core_->attach(events); }
    void send(std::string text) override { core_->send(std::move(text), true); }
    void send_bytes(std::string bytes) override { core_->send(std::move(bytes), false); }
    std::size_t waiting() const override { return core_->waiting(); }
    void close(std::string_view why) override { core_->close(why); }
    void refuse(std::string_view why) override { core_->close(why, websocket::close_code::try_again_later); }

private:
    std::shared_ptr<WebSocketCore> core_;
};

void WebSocketCore::accept(http::request<http::string_body> request, const std::string& protocol,
                           WebSocketTaker on_open) {
    limit(WebSocketLimits::from_client);
    if (!protocol.empty())
        socket_.set_option(websocket::stream_base::decorator([protocol](websocket::response_type& answer) {
            answer.set(http::field::sec_websocket_protocol, protocol);
        }));
    const auto kept = std::make_shared<http::request<http::string_body>>(std::move(request));
    socket_.async_accept(
        *kept, [self = shared_from_this(), kept, on_open = std::move(on_open)](const Failure& failure) {
            if (failure) return;
            self->open_ = true;
            on_open(std::make_unique<WebSocketChannel>(self));
        });
}

/// Returns the address in the form of Asio.
Result<WebStream::endpoint_type> endpoint_of(const Address& at) {
    if (at.kind == Address::Kind::unix_socket) {
        const auto path = unix_address(at);
        if (!path) return fail(path.error());
        return WebStream::endpoint_type(path->raw(), path->size);
    }
    Failure failure;
    const auto host = asio::ip::make_address(at.host == "localhost" ? "127.0.0.1" : at.host, failure);
    if (failure) return fail(Code::invalid_argument, to_string(at) + " is not a numeric address with a port");
    return WebStream::endpoint_type(tcp::endpoint(host, at.port));
}

void WebSocketCore::dial(const WebSocketCall& call) {
    const auto endpoint = endpoint_of(call.at);
    if (!endpoint)
        return asio::post(socket_.get_executor(),
                          [self = shared_from_this(), why = endpoint.error().message] { self->end(why); });
    auto& stream = beast::get_lowest_layer(socket_);
    stream.expires_after(std::chrono::seconds(10));
    stream.async_connect(*endpoint, [self = shared_from_this(), call](const Failure& refused) {
        if (refused) return self->end(refused.message());
        beast::get_lowest_layer(self->socket_).expires_never();
        self->limit(WebSocketLimits::from_server);
        if (!call.authorization.empty())
            self->socket_.set_option(websocket::stream_base::decorator([call](websocket::request_type& r) {
                r.set(http::field::authorization, call.authorization);
            }));
        const bool is_unix = call.at.kind == Address::Kind::unix_socket;
        self->socket_.async_handshake(self->answer_, is_unix ? "localhost" : to_string(call.at), call.target,
                                      [self](const Failure& unanswered) {
                                          if (unanswered) {
                                              const std::string body = self->answer_.body();
                                              return self->end(!body.empty() ? body
                                                               : is_close(unanswered)
                                                                   ? std::string(closed_without_response)
                                                                   : unanswered.message());
                                          }
                                          self->open_ = true;
                                          self->read();
                                          self->write();
                                          if (self->events_) self->events_->on_open();
                                      });
    });
}

void WebSocketCore::attach(TextChannelEvents& events) {
    events_ = &events;
    if (open_) read();
}

void WebSocketCore::detach() {
    events_ = nullptr;
    close("");
}

void WebSocketCore::read() {
    if (std::exchange(reading_, true)) return;
    socket_.async_read(buffer_, [self = shared_from_this()](const Failure& failure, std::size_t) {
        self->reading_ = false;
        if (failure) return self->end(self->reason(failure));
        const auto bytes = self->buffer_.cdata();
        const std::string text(static_cast<const char*>(bytes.data()), bytes.size());
        self->buffer_.consume(bytes.size());
        if (self->events_ && !self->closing_) self->events_->on_text(text);
        self->read();
    });
}

void WebSocketCore::send(std::string message, bool is_text) {
    if (ended_ || closing_) return;
    waiting_ += message.size();
    messages_.push_back({std::move(message), is_text});
    if (messages_.size() == 1) write();
}

void WebSocketCore::write() {
    if (!open_ || ended_ || messages_.empty()) return;
    socket_.text(messages_.front().is_text);
    socket_.async_write(asio::buffer(messages_.front().bytes),
                        [self = shared_from_this()](const Failure& failure, std::size_t) {
                            self->waiting_ -= self->messages_.front().bytes.size();
                            self->messages_.pop_front();
                            if (!failure && !self->closing_) self->write();
                        });
}

void WebSocketCore::close(std::string_view why, websocket::close_code code) {
    if (ended_ || std::exchange(closing_, true)) return;
    if (!open_) {
        beast::get_lowest_layer(socket_).close();
        return;
    }
    constexpr std::size_t most = 120;
    websocket::close_reason reason(code);
    reason.reason.assign(why.data(), std::min(why.size(), most));
    socket_.async_close(
        reason, [self = shared_from_this(), told = std::string(why)](const Failure&) { self->end(told); });
}

void WebSocketCore::end(const std::string& why) {
    if (std::exchange(ended_, true)) return;
    beast::get_lowest_layer(socket_).close();
    if (auto* const events = std::exchange(events_, nullptr)) events->on_closed(why);
}

}  // namespace

void accept_web_socket(WebStream::socket_type socket, http::request<http::string_body> request,
                       const std::string& protocol, WebSocketTaker on_open) {
    std::make_shared<WebSocketCore>(std::move(socket))
        ->accept(std::move(request), protocol, std::move(on_open));
}

std::unique_ptr<TextChannel> dial_web_socket(EventLoop& loop, const WebSocketCall& call,
                                             TextChannelEvents& events) {
    auto core = std::make_shared<WebSocketCore>(loop.core().io());
    core->attach(events);
    core->dial(call);
    return std::make_unique<WebSocketChannel>(std::move(core));
}

}  // namespace caribou
