#include <limits>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"
#include "bus/client_core.hpp"

/// What a client sends, and when. Connection management is in client_core.cpp.
namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using wire::DataType;
using wire::MessageType;
using wire::MessageView;

/// A packet starts with a TIMING message if the last one is older than this.
constexpr Duration timing_age = 1s;

Error no_key() { return {Code::invalid_argument, "a variable needs a name"}; }

}  // namespace

// Notifications.

Result<Pushed> ClientCore::notify(MessageView message, const NotifyOptions& with) {
    if (message.key.empty()) return fail(no_key());
    message.type = MessageType::notify;
    message.source = with.source.empty() ? std::string_view(options_.name) : with.source;
    message.aux = with.aux;
    message.community = with.community;
    message.time = with.time ? *with.time : stamp();
    auto pushed = post(message);
    if (!pushed) ++stats_.refused;
    return pushed;
}

Result<Pushed> ClientCore::post(MessageView message) {
    message.id = next_id_;
    auto pushed = outbox_.push(message);
    if (!pushed) {
        turned_away_ = true;
        return pushed;
    }
    take_id();
    stats_.dropped_oldest = outbox_.dropped();
    request_flush();
    return pushed;
}

/// Ids count from 0 and wrap around.
std::int32_t ClientCore::take_id() {
    const std::int32_t id = next_id_;
    next_id_ = id == std::numeric_limits<std::int32_t>::max() ? 0 : id + 1;
    return id;
}

// Registrations.

Result<void> ClientCore::register_variable(std::string_view key, Duration interval) {
    if (key.empty()) return fail(no_key());
    return add_registration(Subscriptions::Variable{std::string(key), interval}, interval);
}

Result<void> ClientCore::register_wildcard(std::string_view var_pattern, std::string_view app_pattern,
                                           Duration interval) {
    if (app_pattern.contains(',') || var_pattern.contains(','))
        return fail(Code::invalid_argument,
                    fmt::format("pattern `{}` or `{}` contains a comma, which the protocol does not support",
                                var_pattern, app_pattern));
    return add_registration(Wildcard{std::string(app_pattern), std::string(var_pattern), interval}, interval);
}

Result<void> ClientCore::add_registration(Subscriptions::Registration registration, Duration interval) {
    if (interval < Duration::zero())
        return fail(Code::invalid_argument,
                    fmt::format("an interval of {} s is negative", to_seconds(interval)));
    if (!subscriptions_.holds(registration) && subscriptions_.size() >= options_.max_registrations)
        return fail(Code::limit_exceeded, limit_reached("max_registrations", subscriptions_.size() + 1,
                                                        options_.max_registrations, "registrations"));
    if (auto sent = send_registration(registration, Change::add); !sent) return sent;
    subscriptions_.add(std::move(registration));
    return {};
}

Result<void> ClientCore::unregister_variable(std::string_view key) {
    if (key.empty()) return fail(no_key());
    if (auto sent = send_registration(Subscriptions::Variable{std::string(key), {}}, Change::remove); !sent)
        return sent;
    subscriptions_.remove_variable(key);
    return {};
}

Result<void> ClientCore::unregister_wildcard(std::string_view var_pattern, std::string_view app_pattern) {
    const Wildcard wildcard{std::string(app_pattern), std::string(var_pattern)};
    if (auto sent = send_registration(wildcard, Change::remove); !sent) return sent;
    subscriptions_.remove_wildcard(wildcard);
    return {};
}

/// Without a connection, and until its first packet, nothing is sent: that packet contains all registrations.
Result<void> ClientCore::send_registration(const Subscriptions::Registration& registration, Change change) {
    if (!connected() || restoring_) return {};
    std::string payload;
    auto pushed = post(registration_message(registration, change, payload));
    if (!pushed) return fail(std::move(pushed.error()));
    return {};
}

/// Returns a message that refers to `registration` and `payload`.
MessageView ClientCore::registration_message(const Subscriptions::Registration& registration, Change change,
                                             std::string& payload) const {
    MessageView message{.source = options_.name, .time = stamp()};
    if (const auto* variable = std::get_if<Subscriptions::Variable>(&registration)) {
        message.type = change == Change::add ? MessageType::register_ : MessageType::unregister;
        message.key = variable->key;
        message.value = to_seconds(variable->interval);
    } else {
        payload = std::get<Wildcard>(registration).to_payload();
        message.type =
            change == Change::add ? MessageType::wildcard_register : MessageType::wildcard_unregister;
        message.data_type = DataType::string;
        message.key = options_.name;
        message.payload = payload;
    }
    return message;
}

bool ClientCore::put_registrations() {
    if (!std::exchange(restoring_, false)) return false;
    subscriptions_.for_each([this](const Subscriptions::Registration& registration) {
        std::string payload;
        MessageView message = registration_message(registration, Change::add, payload);
        message.id = take_id();
        link_.put(message);
    });
    return subscriptions_.size() > 0;
}

// Server requests.

Result<void> ClientCore::server_request(std::string_view what, ReplyHandler handler, Duration limit) {
    if (what.empty())
        return fail(Code::invalid_argument, "a request needs a name: ALL, VAR_SUMMARY, PROC_SUMMARY");
    if (!connected())
        return fail(Code::wrong_state,
                    fmt::format("no connection for the request {}; wait for on_connected", what));
    if (!handler) return post_request(what);
    if (auto added = requests_.add(what, std::move(handler), limit); !added) return added;
    send_next_request();
    return {};
}

Result<void> ClientCore::post_request(std::string_view what) {
    auto pushed = outbox_.push({.id = wire::server_request_id,
                                .type = MessageType::server_request,
                                .data_type = DataType::string,
                                .source = options_.name,
                                .key = what,
                                .time = stamp()});
    if (!pushed) return fail(std::move(pushed.error()));
    stats_.dropped_oldest = outbox_.dropped();
    request_flush();
    return {};
}

/// A request that does not fit into the outbox is retried when there is room.
void ClientCore::send_next_request() {
    const auto next = requests_.next();
    if (!next || !connected()) return;
    if (post_request(*next)) requests_.sent();
}

// Sending of packets.

void ClientCore::request_flush() {
    if (flush_posted_ || mode_ != CommsMode::asynchronous || !connected() || !link_.ready()) return;
    flush_posted_ = true;
    loop_.post([self = self_] {
        if (*self) (*self)->flush();
    });
}

void ClientCore::flush() {
    flush_posted_ = false;
    if (mode_ != CommsMode::asynchronous || !connected() || !link_.ready()) return;
    const Instant now = loop_.clock().now();
    const bool timing_due = !last_timing_ || now - *last_timing_ > timing_age;
    if (!timing_due && !restoring_ && !outbox_.has_waiting()) return;
    if (last_timing_ && now < last_sent_ + pause_) return hold_->arm(last_sent_ + pause_);
    if (timing_due) {
        link_.put({.type = MessageType::timing, .key = wire::timing_key, .time = local_stamp(), .value = 0});
        last_timing_ = now;
    }
    put_registrations();
    send(now);
}

/// Synchronous mode: sends one packet, and no further one before its answer.
void ClientCore::send_tick() {
    if (awaiting_answer_ || !link_.ready()) return;
    if (!put_registrations() && !outbox_.has_waiting()) link_.put({.source = options_.name});
    const Instant now = loop_.clock().now();
    awaiting_answer_ = true;
    tick_stamp_ = local_stamp();
    deadline_->arm(now + options_.silence_limit);
    send(now);
}

void ClientCore::send(Instant now) {
    last_sent_ = now;
    link_.send(ClientLink::With::outbox);
    after_sending();
}

void ClientCore::on_packet_sent() { after_sending(); }

void ClientCore::after_sending() {
    send_next_request();
    if (outbox_.has_waiting()) request_flush();
    if (outbox_.empty()) handlers_.sent();
    if (turned_away_ && outbox_.has_much_room()) {
        turned_away_ = false;
        handlers_.room();
    }
    stop_if_finished();
}

void ClientCore::stop_if_finished() {
    if (finishing_ && outbox_.empty() && !awaiting_answer_) stop();
}

}  // namespace caribou::bus
