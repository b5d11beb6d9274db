#pragma once

// Private to platform: includes Asio.

#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "loop/address.hpp"
#include "platform/event_loop_core.hpp"
#include "platform/socket_address.hpp"
#include "platform/watched_socket.hpp"

namespace caribou {

/// Resolves a host and tries its addresses one after another until a connection succeeds. Keeps itself alive
/// while waiting; close() cancels it.
class SocketConnector final : public WatchedSocket {
public:
    /// Called once, from the loop, with the descriptor of an established connection.
    using Done = std::move_only_function<void(Result<int>)>;

    SocketConnector(EventLoopCore& core, Address to, Done done);
    /// Fails with Code::timed_out after `limit`.
    void start(Duration limit);

private:
    void on_ready_to_read() override {}
    void on_ready_to_write() override;

    void resolve();
    /// Tries the remaining targets; fails with `last_error` if there are none.
    void try_targets(int last_error);
    /// Starts a connection. Returns 0 on success, otherwise an errno value.
    int attempt(const SocketAddress& target);
    void end(Result<int> outcome);
    void end_soon(Error why);
    Error failure(Code code, const std::string& reason) const;

    EventLoopCore& core_;
    Address to_;
    Done done_;
    std::unique_ptr<Timer> deadline_;
    boost::asio::ip::basic_resolver<boost::asio::ip::tcp, boost::asio::io_context::executor_type> resolver_;
    std::vector<SocketAddress> targets_;  // in reverse order
};

}  // namespace caribou
