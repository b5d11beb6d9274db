#pragma once

#include "base/log.hpp"
#include "loop/network.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// The real network: TCP over IPv4 and IPv6, Unix sockets, UDP. Small writes leave at once
/// (TCP_NODELAY). A host's name is looked up in the background for connect(), before they return
/// for listen() and bind() (IPv4 is preferred there). Loop and log outlive the network and all
/// that it made.
class SocketNetwork final : public Network {
public:
    SocketNetwork(EventLoop& loop, Log& log) : loop_(loop), log_(log) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// After this time without an answer, connect() fails with Code::timed_out.
    static constexpr Duration connect_timeout = std::chrono::seconds(10);

private:
    EventLoop& loop_;
    Log& log_;
};

}  // namespace caribou
