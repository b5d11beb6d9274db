#pragma once

// Private to platform: brings Asio.

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

/// Finds a host's addresses and tries them in turn until one answers. Lives for as long as there
/// is something to wait for; close() gives up.
class SocketConnector final : public WatchedSocket {
public:
    /// Called once, from the loop, with the descriptor of a connection that stands.
    using Done = std::move_only_function<void(Result<int>)>;

    SocketConnector(EventLoopCore& core, Address to, Done done);
    /// Gives up with Code::timed_out after `limit`.
    void start(Duration limit);

private:
    void on_ready_to_read() override {}
    void on_ready_to_write() override;

    void resolve();
    /// Goes on with the targets that are left; ends with `last_error` when there are none.
    void try_targets(int last_error);
    /// Returns 0 once the attempt is under way, else an errno value.
    int attempt(const SocketAddress& target);
    void end(Result<int> outcome);
    void end_soon(Error why);
    Error failure(Code code, const std::string& reason) const;

    EventLoopCore& core_;
    Address to_;
    Done done_;
    std::unique_ptr<Timer> deadline_;
    boost::asio::ip::basic_resolver<boost::asio::ip::tcp, boost::asio::io_context::executor_type> resolver_;
    std::vector<SocketAddress> targets_;  // the next one last
};

}  // namespace caribou
