#include "relay.hpp"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <map>

#include "base/limits.hpp"
#include "give_up.hpp"

namespace caribou::bench {
namespace {

class Relay {
public:
    explicit Relay(const TcpListener& listener) : listener_(listener) {
        need(epoll_.number() >= 0, "make an epoll");
        watch(listener.descriptor());
    }

    void turn() {
        std::array<epoll_event, 64> events;
        const int count = ::epoll_wait(epoll_.number(), events.data(), static_cast<int>(events.size()), -1);
        for (int i = 0; i < count; ++i) {
            const int ready = events.at(static_cast<std::size_t>(i)).data.fd;
            if (ready == listener_.descriptor())
                accept();
            else
                forward(ready);
        }
    }

private:
    void watch(int descriptor) const {
        epoll_event event{.events = EPOLLIN, .data = {.fd = descriptor}};
        need(::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &event) == 0, "watch a socket");
    }

    void accept() {
        for (;;) {
            Descriptor connection = listener_.accept();
            if (connection.number() < 0) return;
            watch(connection.number());
            const int number = connection.number();
            connections_.emplace(number, std::move(connection));
        }
    }

    void forward(int from) {
        const ssize_t got = ::recv(from, buffer_.data(), buffer_.size(), 0);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) {
            connections_.erase(from);
            return;
        }
        for (const auto& [to, connection] : connections_)
            if (to != from) send(to, ByteView(buffer_).first(static_cast<std::size_t>(got)));
    }

    /// A receiver with a full buffer blocks everything: the readers of a benchmark are fast.
    static void send(int to, ByteView bytes) {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent > 0) {
                bytes = bytes.subspan(static_cast<std::size_t>(sent));
            } else if (errno == EAGAIN) {
                pollfd full{.fd = to, .events = POLLOUT, .revents = 0};
                ::poll(&full, 1, -1);
            } else {
                return;  // it has closed the connection, which has its own event
            }
        }
    }

    const TcpListener& listener_;
    Descriptor epoll_{::epoll_create1(0)};
    std::map<int, Descriptor> connections_;
    Bytes buffer_ = Bytes(256_KiB);
};

}  // namespace

void run_relay(const TcpListener& listener) {
    Relay relay(listener);
    for (;;) relay.turn();
}

}  // namespace caribou::bench
