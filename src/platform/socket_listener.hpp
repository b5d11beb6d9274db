#pragma once

// Private to platform: brings Asio.

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <memory>

#include "base/log.hpp"
#include "loop/network.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/listening_socket.hpp"
#include "platform/socket_network.hpp"

namespace caribou {

/// Listens on TCP or on a Unix socket. When the machine has no descriptor or memory for one more
/// connection, it says so in the log once, rests, and tries again until it has.
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
