#pragma once

#include <cstddef>
#include <memory>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "platform/event_loop.hpp"

namespace caribou {

/// The real network: TCP over IPv4 and IPv6, Unix sockets, UDP. Small writes are sent at once (TCP_NODELAY).
/// connect() resolves host names in the background; listen() and bind() block while they do so, and prefer
/// IPv4. Loop and log must outlive the network and everything it creates.
class SocketNetwork final : public Network {
public:
    struct Options {
        /// Limit of unsent bytes in the kernel per accepted stream, so that urgent data is not delayed on a
        /// slow link. 0: the kernel's default, which may be megabytes.
        std::size_t max_unsent = 0;
        /// Expected maximum number of other descriptors in this process. Listening sockets get higher
        /// numbers, so that a killed process refuses new connections before it drops existing ones. 0: no
        /// special numbers.
        std::size_t streams_below_listeners = 0;
    };

    SocketNetwork(EventLoop& loop, Log& log) : SocketNetwork(loop, log, Options()) {}
    SocketNetwork(EventLoop& loop, Log& log, const Options& options)
        : loop_(loop), log_(log), options_(options) {}

    Result<std::unique_ptr<Listener>> listen(const Address& at, AcceptHandler on_accept) override;
    std::unique_ptr<Stream> connect(const Address& to, StreamEvents& events) override;
    Result<std::unique_ptr<Datagram>> bind(const Address& at, Task on_packet) override;

    /// connect() fails with Code::timed_out after this time.
    static constexpr Duration connect_timeout = std::chrono::seconds(10);

private:
    EventLoop& loop_;
    Log& log_;
    Options options_;
};

}  // namespace caribou
