#include "caribou/broker_windows.hpp"

#include <tuple>

#include "bus/web.hpp"
#include "kit/program/station_page.hpp"

namespace caribou::app {

Result<std::unique_ptr<BrokerWindows>> BrokerWindows::open(const WindowOptions& options, EventLoop& loop,
                                                           Network& network, bus::BrokerServer& server,
                                                           Log& log) {
    std::unique_ptr<BrokerWindows> windows(new BrokerWindows(loop, server));
    if (!options.event_log.empty()) {
        auto file = EventFile::open(options.event_log);
        if (!file) return fail(std::move(file.error()));
        windows->events_ = std::move(*file);
        server.on_event(
            [raw = windows.get()](std::string_view text, double stamp) { raw->events_->write(stamp, text); });
    }
    if (options.audit_port) {
        auto audit = bus::Audit::start(loop, network, server.broker(), *options.audit_port);
        if (!audit) return fail(std::move(audit.error()));
        windows->audit_ = std::move(*audit);
    }
    if (options.web_port) {
        marine::ViewConfig marine = options.marine.value_or(marine::view_config({}));
        marine.shown.community = server.broker().exchange().community();
        marine.shown.warp = options.time_warp;
        windows->marine_ = std::make_unique<BrokerMarineView>(std::move(marine), station_page(log), server);
        windows->watch_reports();
        auto web = HttpServer::listen(
            loop, Address::ip("127.0.0.1", *options.web_port),
            [raw = windows.get()](const WebRequest& request) { return raw->answer(request); });
        if (!web) return fail(std::move(web.error()));
        windows->web_ = std::move(*web);
    }
    return windows;
}

BrokerWindows::~BrokerWindows() {
    server_.on_event({});
    if (reports_) server_.unwatch(*reports_);
}

void BrokerWindows::watch_reports() {
    const auto publish = [this](std::string_view variable, std::string_view value) {
        // A variable of another type is not written.
        std::ignore = server_.poke("DBWebServer",
                                   {.data_type = wire::DataType::string, .key = variable, .payload = value});
    };
    reports_ = std::make_unique<bus::WebReports>(server_.broker().exchange().community(),
                                                 server_.warp_factor(), publish);
    const std::string patterns[] = {"APPCAST"};
    server_.watch(*reports_, patterns);
}

std::optional<Address> BrokerWindows::web_address() const {
    if (!web_) return std::nullopt;
    return web_->address();
}

WebAnswer BrokerWindows::answer(const WebRequest& request) {
    if (auto marine = marine_->answer(request)) return std::move(*marine);
    if (auto reports = reports_->answer(request, loop_.clock().now())) return std::move(*reports);
    const bus::Journal* const journal = server_.journal();
    return bus::answer(request, {.broker = server_.broker(),
                                 .journal = journal ? &journal->stats() : nullptr,
                                 .stamp = server_.stamp(),
                                 .poke = [this](const wire::MessageView& value) {
                                     return server_.poke("DBWebServer", value);
                                 }});
}

}  // namespace caribou::app
