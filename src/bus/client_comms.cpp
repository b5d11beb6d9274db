#include "bus/client_comms.hpp"

#include <utility>

namespace caribou::bus {

Result<void> ClientComms::prepare(ClientOptions options, Events& events) {
    client_ = std::make_unique<Client>(loop_, network_, std::move(options));
    client_->on_queued([&events] { events.on_mail(); });
    client_->on_connected([&events] { events.on_connected(); });
    client_->on_disconnected([&events](const Error& why) { events.on_disconnected(why); });
    client_->on_refused([&events](std::string_view why) { events.on_refused(why); });
    client_->on_mail_lost([&events](std::string_view) { events.on_mail_lost(1); });
    return {};
}

}  // namespace caribou::bus
