#pragma once

#include <optional>
#include <thread>
#include <utility>

#include "base/log.hpp"
#include "bus/broker_server.hpp"
#include "platform/event_loop.hpp"
#include "platform/socket_network.hpp"

namespace caribou {

/// A broker on its own thread, at a port chosen by the system, for tests.
class BrokerThread {
public:
    explicit BrokerThread(bus::BrokerServer::Options options = {})
        : network_(loop_, log_), server_(std::in_place, loop_, network_, std::move(options), log_) {
        address = server_->listen(Address::ip("127.0.0.1", 0)).value();
        thread_ = std::thread([this] { loop_.run(); });
    }
    ~BrokerThread() {
        loop_.post_from_any_thread([this] {
            server_.reset();
            loop_.stop();
        });
        thread_.join();
    }
    BrokerThread(const BrokerThread&) = delete;
    BrokerThread& operator=(const BrokerThread&) = delete;

    Address address;

private:
    NullLog log_;
    EventLoop loop_;
    SocketNetwork network_;
    std::optional<bus::BrokerServer> server_;
    std::thread thread_;
};

}  // namespace caribou
