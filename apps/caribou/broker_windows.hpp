#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "bus/audit.hpp"
#include "bus/broker_server.hpp"
#include "bus/web_reports.hpp"
#include "caribou/marine_page.hpp"
#include "platform/event_file.hpp"
#include "platform/event_loop.hpp"
#include "platform/http_server.hpp"

namespace caribou::app {

/// Endpoints of a broker other than the bus.
struct WindowOptions {
    std::optional<std::uint16_t> web_port{};
    std::optional<std::uint16_t> audit_port{};
    std::string event_log{};
    double time_warp = 1;
    std::optional<marine::ViewConfig> marine{};  ///< without one, the marine view has no mission
};

class BrokerWindows {
public:
    /// All arguments must outlive this object.
    static Result<std::unique_ptr<BrokerWindows>> open(const WindowOptions& options, EventLoop& loop,
                                                       Network& network, bus::BrokerServer& server, Log& log);
    ~BrokerWindows();

    /// Returns the address of the web page, or nullopt if there is none.
    std::optional<Address> web_address() const;
    /// Returns whether the files of the marine view are installed.
    bool has_marine_files() const { return marine_ && marine_->has_files(); }

private:
    BrokerWindows(EventLoop& loop, bus::BrokerServer& server) : loop_(loop), server_(server) {}
    WebAnswer answer(const WebRequest& request);
    /// Starts to collect the reports of apps.
    void watch_reports();

    EventLoop& loop_;
    bus::BrokerServer& server_;
    std::optional<EventFile> events_;
    std::unique_ptr<bus::Audit> audit_;
    std::unique_ptr<BrokerMarineView> marine_;
    std::unique_ptr<bus::WebReports> reports_;
    std::unique_ptr<HttpServer> web_;
};

}  // namespace caribou::app
