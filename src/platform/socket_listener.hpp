#pragma once

// Private to platform: includes Asio.

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <memory>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/listening_socket.hpp"
#include "platform/socket_network.hpp"

namespace caribou {

/// Listens on TCP or a Unix socket. If descriptors or memory are exhausted, it logs that once, pauses, and
/// retries.
class SocketListener final : public Listener {
public:
    static Result<std::unique_ptr<Listener>> open(EventLoopCore& core, Log& log, const Address& at,
                                                  const SocketNetwork::Options& options,
                                                  AcceptHandler on_accept);
    ~SocketListener() override;
    Address address() const override { return address_; }
    void begin_close() override;
    bool has_pending() const override;

private:
    class Acceptor;
    SocketListener(boost::intrusive_ptr<Acceptor> acceptor, Address address, SocketFile file);

    boost::intrusive_ptr<Acceptor> acceptor_;
    Address address_;
    SocketFile file_;
};

}  // namespace caribou
