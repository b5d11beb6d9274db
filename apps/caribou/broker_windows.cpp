#include "caribou/broker_windows.hpp"

#include "bus/web.hpp"

namespace caribou::app {

Result<std::unique_ptr<BrokerWindows>> BrokerWindows::open(const WindowOptions& options, EventLoop& loop,
                                                           Network& network, bus::BrokerServer& server) {
    std::unique_ptr<BrokerWindows> windows(new BrokerWindows(server));
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
        auto web = HttpServer::listen(
            loop, Address::ip("127.0.0.1", *options.web_port),
            [raw = windows.get()](const WebRequest& request) { return raw->answer(request); });
        if (!web) return fail(std::move(web.error()));
        windows->web_ = std::move(*web);
    }
    return windows;
}

BrokerWindows::~BrokerWindows() { server_.on_event({}); }

std::optional<Address> BrokerWindows::web_address() const {
    if (!web_) return std::nullopt;
    return web_->address();
}

WebAnswer BrokerWindows::answer(const WebRequest& request) {
    const bus::Journal* const journal = server_.journal();
    return bus::answer(request, {.broker = server_.broker(),
                                 .journal = journal ? &journal->stats() : nullptr,
                                 .stamp = server_.stamp(),
                                 .poke = [this](const wire::MessageView& value) {
                                     return server_.poke("DBWebServer", value);
                                 }});
}

}  // namespace caribou::app
