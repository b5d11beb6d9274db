#include "platform/socket_datagram.hpp"

#include <sys/socket.h>

#include <cerrno>

#include <fmt/format.h>

#include "platform/listening_socket.hpp"
#include "platform/socket_address.hpp"
#include "platform/system_error.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {

/// Kept alive by a pending wait when the datagram is destroyed.
class SocketDatagram::Receiver final : public WatchedSocket {
public:
    Receiver(EventLoopCore& core, Task on_packet)
        : WatchedSocket(core.io()), on_packet_(std::move(on_packet)) {}

private:
    void on_ready_to_read() override {
        on_packet_();
        wait_to_read();
    }

    Task on_packet_;
};

Result<std::unique_ptr<Datagram>> SocketDatagram::open(EventLoopCore& core, const Address& at,
                                                       Task on_packet) {
    const auto descriptor = open_datagram_socket(at);
    if (!descriptor) return fail(descriptor.error());
    boost::intrusive_ptr receiver(new Receiver(core, std::move(on_packet)));
    if (const int failed = receiver->open(*descriptor); failed != 0)
        return fail(system_error("cannot watch " + to_string(at), failed));
    receiver->wait_to_read();
    Address address = local_address(*descriptor);
    return std::unique_ptr<Datagram>(new SocketDatagram(std::move(receiver), std::move(address)));
}

SocketDatagram::SocketDatagram(boost::intrusive_ptr<Receiver> receiver, Address address)
    : receiver_(std::move(receiver)), address_(std::move(address)) {}

SocketDatagram::~SocketDatagram() { receiver_->close(); }

Result<void> SocketDatagram::send(const Address& to, ByteView packet) {
    const bool here_v6 = address_.host.find(':') != std::string::npos;
    const auto target =
        numeric_address(to.host == "localhost" ? Address::ip(here_v6 ? "::1" : "127.0.0.1", to.port) : to);
    if (to.kind != Address::Kind::ip || !target)
        return fail(
            Code::invalid_argument,
            fmt::format("cannot send a datagram to {}: write the host as a number, as in 192.168.1.7:9000",
                        to_string(to)));
    for (;;) {
        if (::sendto(receiver_->descriptor(), packet.data(), packet.size(), MSG_NOSIGNAL, target->raw(),
                     target->size) >= 0)
            return {};
        if (errno != EINTR) return fail(system_error("cannot send a datagram to " + to_string(to), errno));
    }
}

Result<std::optional<Datagram::Received>> SocketDatagram::receive(std::span<std::byte> into) {
    for (;;) {
        SocketAddress from;
        const ssize_t got =
            ::recvfrom(receiver_->descriptor(), into.data(), into.size(), 0, from.raw(), &from.size);
        if (got >= 0) return Received{to_address(from), static_cast<std::size_t>(got)};
        if (errno == EAGAIN) return std::nullopt;
        if (errno != EINTR) return fail(system_error("cannot receive on " + to_string(address_), errno));
    }
}

}  // namespace caribou
