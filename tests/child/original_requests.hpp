#pragma once

#include <list>
#include <memory>
#include <optional>
#include <string>

#include "base/log.hpp"
#include "child/child_process.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou::tests {

/// A proxy between tools and a broker that drops the server requests which a MOOSDB does not support, so that
/// tools see a broker that does not answer them.
class OriginalRequests {
public:
    /// `broker` is the port of a broker on this machine.
    explicit OriginalRequests(const std::string& broker);
    ~OriginalRequests();
    OriginalRequests(const OriginalRequests&) = delete;
    OriginalRequests& operator=(const OriginalRequests&) = delete;

    /// Returns the port for tools.
    std::string port() const { return std::to_string(listener_->address().port); }
    /// Relays until the program ends. Returns nullopt if it is still running after `limit`.
    std::optional<ChildProcess::End> relay_until_end(ChildProcess& program, Duration limit);

private:
    class Relay;

    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_{loop_, log_};
    Address broker_;
    std::list<std::unique_ptr<Relay>> relays_;
    std::unique_ptr<Listener> listener_;
};

}  // namespace caribou::tests
