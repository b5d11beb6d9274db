#include "platform/socket_stream.hpp"

#include <limits.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "base/check.hpp"
#include "platform/socket_connector.hpp"
#include "platform/system_error.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {

namespace {

Error lost(const std::string& peer, int number) {
    return {Code::unreachable, fmt::format("the connection with {} is lost: {}", peer, system_words(number))};
}

}  // namespace

/// Kept alive by a pending wait when the stream is destroyed.
class SocketStream::Connection final : public WatchedSocket {
public:
    Connection(EventLoopCore& core, std::string peer) : WatchedSocket(core.io()), peer_(std::move(peer)) {}

    void connect(EventLoopCore& core, const Address& to, Duration limit, StreamEvents& events);
    void end();
    void attach(StreamEvents& events);
    Result<std::size_t> read(std::span<std::byte> into);
    Result<std::size_t> write(std::span<const ByteView> pieces);
    void set_reading(bool reading);
    const std::string& peer() const { return peer_; }

private:
    void on_ready_to_read() override;
    void on_ready_to_write() override;
    void on_connected(Result<int> descriptor);
    void expect_events();

    StreamEvents* events_ = nullptr;
    boost::intrusive_ptr<SocketConnector> connector_;  // until it is connected
    bool reading_ = true;
    bool owes_writable_ = false;
    std::string peer_;
};

void SocketStream::Connection::connect(EventLoopCore& core, const Address& to, Duration limit,
                                       StreamEvents& events) {
    events_ = &events;
    connector_.reset(
        new SocketConnector(core, to, [this](Result<int> outcome) { on_connected(std::move(outcome)); }));
    connector_->start(limit);
}

void SocketStream::Connection::on_connected(Result<int> descriptor) {
    const boost::intrusive_ptr stay(this);
    connector_.reset();
    if (descriptor) {
        if (const int failed = open(*descriptor); failed != 0)
            descriptor = fail(system_error("cannot watch " + peer_, failed));
    }
    if (!descriptor) {
        close();
        return events_->on_connect_failed(descriptor.error());
    }
    events_->on_open();
    expect_events();
}

void SocketStream::Connection::end() {
    if (connector_) connector_->close();
    close();
}

void SocketStream::Connection::attach(StreamEvents& events) {
    events_ = &events;
    expect_events();
}

void SocketStream::Connection::set_reading(bool reading) {
    reading_ = reading;
    expect_events();
}

// A pending wait is not canceled when reading is switched off; its event is ignored.
void SocketStream::Connection::expect_events() {
    if (events_ == nullptr || connector_ || closed()) return;
    if (reading_) wait_to_read();
    if (owes_writable_) wait_to_write();
}

void SocketStream::Connection::on_ready_to_read() {
    if (!reading_) return;
    events_->on_readable();
    expect_events();
}

void SocketStream::Connection::on_ready_to_write() {
    owes_writable_ = false;
    events_->on_writable();
}

Result<std::size_t> SocketStream::Connection::read(std::span<std::byte> into) {
    if (connector_ || into.empty()) return 0;
    for (;;) {
        const ssize_t got = ::recv(descriptor(), into.data(), into.size(), 0);
        if (got > 0) return static_cast<std::size_t>(got);
        if (got == 0) return fail(Code::closed, peer_ + " has ended the connection");
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) return fail(lost(peer_, errno));
    }
}

Result<std::size_t> SocketStream::Connection::write(std::span<const ByteView> pieces) {
    std::array<iovec, IOV_MAX> vectors;
    std::size_t taken = 0;
    std::size_t next = 0;
    while (next < pieces.size()) {
        std::size_t offered = 0;
        std::size_t count = 0;
        for (; next < pieces.size() && count < vectors.size(); ++next) {
            if (pieces[next].empty()) continue;
            vectors[count++] = {const_cast<std::byte*>(pieces[next].data()), pieces[next].size()};
            offered += pieces[next].size();
        }
        if (count == 0) break;
        msghdr message{};
        message.msg_iov = vectors.data();
        message.msg_iovlen = count;
        ssize_t sent = -1;
        if (!connector_) {
            do sent = ::sendmsg(descriptor(), &message, MSG_NOSIGNAL);
            while (sent < 0 && errno == EINTR);
            if (sent < 0 && errno != EAGAIN) return fail(lost(peer_, errno));
        }
        taken += static_cast<std::size_t>(std::max<ssize_t>(sent, 0));
        if (sent != static_cast<ssize_t>(offered)) {
            owes_writable_ = true;
            expect_events();
            break;
        }
    }
    return taken;
}

SocketStream::SocketStream(boost::intrusive_ptr<Connection> connection)
    : connection_(std::move(connection)) {}

SocketStream::~SocketStream() { connection_->end(); }

std::expected<std::unique_ptr<SocketStream>, int> SocketStream::standing(EventLoopCore& core, int descriptor,
                                                                         std::string peer) {
    boost::intrusive_ptr connection(new Connection(core, std::move(peer)));
    if (const int failed = connection->open(descriptor); failed != 0) return std::unexpected(failed);
    return std::unique_ptr<SocketStream>(new SocketStream(std::move(connection)));
}

std::unique_ptr<SocketStream> SocketStream::connecting(EventLoopCore& core, const Address& to, Duration limit,
                                                       StreamEvents& events) {
    boost::intrusive_ptr connection(new Connection(core, to_string(to)));
    connection->connect(core, to, limit, events);
    return std::unique_ptr<SocketStream>(new SocketStream(std::move(connection)));
}

void SocketStream::attach(StreamEvents& events) { connection_->attach(events); }
Result<std::size_t> SocketStream::read(std::span<std::byte> into) { return connection_->read(into); }
Result<std::size_t> SocketStream::write(std::span<const ByteView> pieces) {
    return connection_->write(pieces);
}
void SocketStream::set_reading(bool reading) { connection_->set_reading(reading); }
std::string SocketStream::peer() const { return connection_->peer(); }

}  // namespace caribou
