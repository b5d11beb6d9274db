#pragma once

#include <cstddef>
#include <memory>

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
    struct Options {
        /// Bytes that the system may hold of an accepted stream's before they leave, so that what is urgent
        /// does not wait behind them on a slow link. 0: as many as the system likes, which may be megabytes.
        std::size_t max_unsent = 0;
        /// The number of other descriptors that the process is expected to have at most. Listening sockets
        /// get numbers above it, so that a process that is killed refuses new connections before it drops
        /// those that it has. 0: any number.
        std::size_t streams_below_listeners = 0;
    };

    SocketNetwork(EventLoop& loop, Log& log) : SocketNetwork(loop, log, Options()) {}
    SocketNetwork(EventLoop& loop, Log& log, const Options& options)
        : loop_(loop), log_(log), options_(options) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// After this time without an answer, connect() fails with Code::timed_out.
    static constexpr Duration connect_timeout = std::chrono::seconds(10);

private:
    EventLoop& loop_;
    Log& log_;
    Options options_;
};

}  // namespace caribou
