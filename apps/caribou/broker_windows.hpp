#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bus/audit.hpp"
#include "bus/broker_server.hpp"
#include "platform/event_file.hpp"
#include "platform/event_loop.hpp"
#include "platform/http_server.hpp"

namespace caribou::app {

/// Endpoints of a broker other than the bus.
struct WindowOptions {
    std::optional<std::uint16_t> web_port{};
    std::optional<std::uint16_t> audit_port{};
    std::string event_log{};
};

class BrokerWindows {
public:
    /// All arguments must outlive this object.
    static Result<std::unique_ptr<BrokerWindows>> open(const WindowOptions& options, EventLoop& loop,
                                                       Network& network, bus::BrokerServer& server);
    ~BrokerWindows();

    /// Returns the address of the web page, or nullopt if there is none.
    std::optional<Address> web_address() const;

private:
    explicit BrokerWindows(bus::BrokerServer& server) : server_(server) {}
    WebAnswer answer(const WebRequest& request);

    bus::BrokerServer& server_;
    std::optional<EventFile> events_;
    std::unique_ptr<bus::Audit> audit_;
    std::unique_ptr<HttpServer> web_;
};

}  // namespace caribou::app
