#include "bus/client.hpp"

#include <utility>

#include "bus/client_core.hpp"

/// Client forwards all calls to ClientCore.
namespace caribou::bus {

std::string_view to_string(ClientState state) {
    switch (state) {
        case ClientState::idle: return "idle";
        case ClientState::connecting: return "connecting";
        case ClientState::shaking_hands: return "shaking_hands";
        case ClientState::connected: return "connected";
        case ClientState::waiting: return "waiting";
        case ClientState::stopped: return "stopped";
    }
    return "unknown";
}

Client::Client(Loop& loop, Network& network, ClientOptions options)
    : core_(std::make_unique<ClientCore>(loop, network, std::move(options))) {}
Client::~Client() = default;

Result<void> Client::start() { return core_->start(); }
void Client::stop() { core_->stop(); }
void Client::finish(Duration limit) { core_->finish(limit); }

Result<Pushed> Client::notify(std::string_view key, double value, const NotifyOptions& with) {
    return core_->notify({.data_type = wire::DataType::number, .key = key, .value = value}, with);
}
Result<Pushed> Client::notify(std::string_view key, std::string_view value, const NotifyOptions& with) {
    return core_->notify({.data_type = wire::DataType::string, .key = key, .payload = value}, with);
}
Result<Pushed> Client::notify(std::string_view key, ByteView value, const NotifyOptions& with) {
    return core_->notify({.data_type = wire::DataType::binary, .key = key, .payload = text_of(value)}, with);
}
std::size_t Client::pending() const { return core_->outbox().count(); }
std::size_t Client::pending_bytes() const { return core_->outbox().bytes(); }

Result<void> Client::register_variable(std::string_view key, Duration interval) {
    return core_->register_variable(key, interval);
}
Result<void> Client::unregister_variable(std::string_view key) { return core_->unregister_variable(key); }
Result<void> Client::register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                       Duration interval) {
    return core_->register_wildcard(var_pattern, app_pattern, interval);
}
Result<void> Client::unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) {
    return core_->unregister_wildcard(var_pattern, app_pattern);
}
Result<void> Client::server_request(std::string_view what, ReplyHandler handler, Duration limit) {
    return core_->server_request(what, std::move(handler), limit);
}

void Client::on_mail(std::string_view key, MailHandler handler) {
    core_->mail().on_mail(key, std::move(handler));
}
void Client::on_other_mail(MailHandler handler) { core_->mail().on_other_mail(std::move(handler)); }
MailQueue& Client::queue(std::string_view key, std::string_view consumer) {
    return core_->mail().queue(key, consumer);
}
MailQueue& Client::general_queue() { return core_->mail().general(); }

void Client::on_connected(std::move_only_function<void()> handler) {
    core_->handlers().connected.set(std::move(handler));
}
void Client::on_disconnected(std::move_only_function<void(const Error&)> handler) {
    core_->handlers().disconnected.set(std::move(handler));
}
void Client::on_refused(std::move_only_function<void(std::string_view)> handler) {
    core_->handlers().refused.set(std::move(handler));
}
void Client::on_sent(std::move_only_function<void()> handler) {
    core_->handlers().sent.set(std::move(handler));
}
void Client::on_room(std::move_only_function<void()> handler) {
    core_->handlers().room.set(std::move(handler));
}
void Client::on_queued(std::move_only_function<void()> handler) {
    core_->handlers().queued.set(std::move(handler));
}
void Client::on_mail_lost(std::move_only_function<void(std::string_view)> handler) {
    core_->handlers().mail_lost.set(std::move(handler));
}

ClientState Client::state() const { return core_->state(); }
const ClientOptions& Client::options() const { return core_->options(); }
CommsMode Client::mode() const { return core_->mode(); }
const std::string& Client::community() const { return core_->community(); }
const std::string& Client::broker_host() const { return core_->broker_host(); }
double Client::skew() const { return core_->skew(); }
bool Client::corrects_skew() const { return core_->corrects_skew(); }
double Client::stamp() const { return core_->stamp(); }
double Client::warp() const { return core_->warp(); }
std::optional<WallTime> Client::last_connected() const { return core_->last_connected(); }
const std::optional<Error>& Client::last_error() const { return core_->last_error(); }
const ClientStats& Client::stats() const { return core_->stats(); }

}  // namespace caribou::bus
