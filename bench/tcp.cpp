#include "tcp.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "give_up.hpp"

namespace caribou::bench {
namespace {

constexpr timeval patience{.tv_sec = 5, .tv_usec = 0};

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

template <class Value>
void set(int descriptor, int level, int option, const Value& value) {
    need(::setsockopt(descriptor, level, option, &value, sizeof value) == 0, "set a socket's option");
}

const sockaddr* raw(const sockaddr_in& address) { return reinterpret_cast<const sockaddr*>(&address); }

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

TcpConnection::TcpConnection(std::uint16_t port) : descriptor_(::socket(AF_INET, SOCK_STREAM, 0)) {
    need(descriptor() >= 0, "make a socket");
    set(descriptor(), IPPROTO_TCP, TCP_NODELAY, 1);
    set(descriptor(), SOL_SOCKET, SO_RCVTIMEO, patience);
    set(descriptor(), SOL_SOCKET, SO_SNDTIMEO, patience);
    const sockaddr_in address = loopback(port);
    need(::connect(descriptor(), raw(address), sizeof address) == 0, "connect");
}

void TcpConnection::send(ByteView bytes) const {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(descriptor(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        need(sent > 0, "send");
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
}

std::size_t TcpConnection::receive(std::span<std::byte> into) const {
    const ssize_t got = ::recv(descriptor(), into.data(), into.size(), 0);
    if (got == 0) give_up("a server has ended the connection");
    need(got > 0, "receive (messages were lost, or the server has stopped)");
    return static_cast<std::size_t>(got);
}

TcpListener::TcpListener() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    const sockaddr_in any_port = loopback(0);
    need(::bind(descriptor(), raw(any_port), sizeof any_port) == 0 && ::listen(descriptor(), SOMAXCONN) == 0,
         "listen");
}

std::uint16_t TcpListener::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    need(::getsockname(descriptor(), reinterpret_cast<sockaddr*>(&address), &size) == 0, "find the port");
    return ntohs(address.sin_port);
}

Descriptor TcpListener::accept() const {
    Descriptor accepted(::accept4(descriptor(), nullptr, nullptr, SOCK_NONBLOCK));
    if (accepted.number() >= 0) set(accepted.number(), IPPROTO_TCP, TCP_NODELAY, 1);
    return accepted;
}

}  // namespace caribou::bench
