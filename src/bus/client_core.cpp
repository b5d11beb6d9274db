#include "bus/client_core.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bus/warp_check.hpp"

namespace caribou::bus {
namespace {

using namespace std::chrono_literals;
using wire::DataType;
using wire::MessageType;
using wire::MessageView;

/// Interval of packets with a single TIMING message while there is no other traffic.
constexpr Duration heartbeat = 1100ms;
/// Upper limit of the pause that a broker may request between two packets; with a longer one we would appear
/// dead.
constexpr Duration max_pause = 1s;
constexpr double min_comms_tick = 0.5;
constexpr double max_comms_tick = 200;

/// Returns the text after `hostname=` in the welcome.
std::string_view hostname_in(std::string_view aux) {
    constexpr std::string_view label = "hostname=";
    const auto at = aux.find(label);
    return at == std::string_view::npos ? std::string_view{} : aux.substr(at + label.size());
}

}  // namespace

ClientCore::ClientCore(Loop& loop, Network& network, ClientOptions options)
    : loop_(loop),
      options_(std::move(options)),
      stamps_(options_.stamps ? *options_.stamps : loop.clock()),
      mail_(options_.inbox),
      outbox_(options_.outbox),
      link_(network, outbox_, stats_, options_.max_message, *this),
      requests_(loop, options_.max_requests, options_.inbox, [this] { send_next_request(); }),
      reconnect_(options_.seed, options_.name),
      mode_(options_.mode),
      beat_(loop.make_timer([this] { on_beat(); })),
      deadline_(loop.make_timer([this] { on_deadline(); })),
      hold_(loop.make_timer([this] { flush(); })),
      finish_(loop.make_timer([this] { stop(); })),
      self_(std::make_shared<ClientCore*>(this)) {}

ClientCore::~ClientCore() { *self_ = nullptr; }

double ClientCore::local_stamp() const { return stamps_.unix_seconds() * warp_; }

double ClientCore::stamp() const { return local_stamp() + (corrects_skew_ ? skew_.seconds() : 0); }

// Connection management.

Result<void> ClientCore::start() {
    if (options_.name.empty())
        return fail(Code::invalid_argument, "a client needs a name: set ClientOptions::name");
    const double tick = options_.comms_tick;
    const bool possible = tick >= min_comms_tick && tick <= max_comms_tick;  // false for NaN, too
    if (!possible)
        return fail(Code::invalid_argument, fmt::format("comms_tick is {} Hz; expected {} to {}", tick,
                                                        min_comms_tick, max_comms_tick));
    if (state_ != ClientState::idle && state_ != ClientState::stopped)
        return fail(Code::wrong_state, fmt::format("client {} is running already", options_.name));
    reconnect_.reset();
    state_ = ClientState::waiting;
    beat_->arm(loop_.clock().now() + reconnect_.next());
    return {};
}

void ClientCore::stop() {
    if (state_ == ClientState::idle || state_ == ClientState::stopped) return;
    leave(ClientState::stopped, {Code::closed, "stopped by this program"});
}

void ClientCore::finish(Duration limit) {
    if (state_ == ClientState::idle || state_ == ClientState::stopped) return;
    finishing_ = true;
    finish_->arm(loop_.clock().now() + limit);
    stop_if_finished();
}

void ClientCore::attempt() {
    ++stats_.attempts;
    ++stats_.attempts_since_connected;
    state_ = ClientState::connecting;
    deadline_->arm(loop_.clock().now() + options_.connect_limit);
    link_.open(options_.broker);
}

void ClientCore::on_standing() {
    state_ = ClientState::shaking_hands;
    deadline_->arm(loop_.clock().now() + options_.handshake_limit);
    link_.put_greeting();
    MessageView hello{.type = MessageType::data, .data_type = DataType::string};
    if (options_.mode == CommsMode::asynchronous) hello.key = wire::asynchronous;
    hello.time = local_stamp();
    hello.payload = options_.name;
    link_.put(hello);
    link_.send(ClientLink::With::nothing);
}

void ClientCore::on_answer(const MessageView& message) {
    switch (message.type) {
        case MessageType::welcome: return on_welcome(message);
        case MessageType::poison: return on_poison(message);
        default:
            ++stats_.malformed;
            return on_lost({Code::malformed,
                            fmt::format("the broker answered the handshake with a message of type `{}`; "
                                        "is it a MOOS broker?",
                                        static_cast<char>(message.type))});
    }
}

void ClientCore::on_welcome(const MessageView& message) {
    const Instant now = loop_.clock().now();
    const bool both = options_.mode == CommsMode::asynchronous && message.payload == wire::asynchronous;
    mode_ = both ? CommsMode::asynchronous : CommsMode::synchronous;
    community_ = message.community;
    broker_host_ = hostname_in(message.aux);
    const double warp = options_.adopt_warp ? warp_of_stamp(message.time, stamps_.unix_seconds()) : 1;
    // A skew measured at a different warp is invalid.
    skew_.start(std::exchange(warp_, warp) == warp ? message.value : 0);
    corrects_skew_ = should_correct_skew();

    state_ = ClientState::connected;
    ++stats_.connections;
    stats_.attempts_since_connected = 0;
    last_connected_ = loop_.clock().wall();
    connected_at_ = last_heard_ = last_sent_ = now;
    last_timing_.reset();
    pause_ = Duration::zero();
    awaiting_answer_ = false;
    restoring_ = subscriptions_.size() > 0;
    deadline_->arm(now + options_.silence_limit);
    beat_->arm(now);
    handlers_.connected();
}

bool ClientCore::should_correct_skew() const {
    if (options_.correct_skew != SkewCorrection::automatic)
        return options_.correct_skew == SkewCorrection::on;
    if (options_.hostname.empty()) return !options_.broker.is_loopback();
    return options_.hostname != broker_host_;
}

void ClientCore::on_poison(const MessageView& message) {
    ++stats_.refusals;
    const std::string reason(message.payload);
    leave(options_.when_refused == WhenRefused::stop ? ClientState::stopped : ClientState::waiting,
          {Code::refused, fmt::format("the broker refused {}: {}", options_.name, reason)});
    handlers_.refused(reason);
}

void ClientCore::on_lost(const Error& why) { leave(ClientState::waiting, why); }

/// The only exit from a connection or an attempt. Calls the handlers last, when the state is consistent.
/// `why` is a copy, because handlers may call start().
void ClientCore::leave(ClientState next, Error why) {
    const bool was_connected = connected();
    if (was_connected) {
        ++stats_.losses;
        reconnect_.stood(loop_.clock().now() - connected_at_);
        stats_.dropped_on_loss += outbox_.connection_lost(link_.packet_bytes_sent(), options_.on_loss);
    }
    link_.close();
    deadline_->cancel();
    hold_->cancel();
    restoring_ = awaiting_answer_ = false;
    state_ = next;
    last_error_ = why;
    if (next == ClientState::waiting) {
        beat_->arm(loop_.clock().now() + reconnect_.next());
    } else {
        beat_->cancel();
        finish_->cancel();
        finishing_ = false;
    }
    requests_.fail_all({Code::unreachable, "the connection is lost: " + why.message});
    if (std::exchange(queued_something_, false)) handlers_.queued();
    if (was_connected) handlers_.disconnected(why);
}

void ClientCore::on_deadline() {
    const Instant now = loop_.clock().now();
    switch (state_) {
        case ClientState::connecting:
            return on_lost(
                {Code::timed_out, fmt::format("no connection to {} within {} s", to_string(options_.broker),
                                              to_seconds(options_.connect_limit))});
        case ClientState::shaking_hands:
            return on_lost({Code::timed_out,
                            fmt::format("{} did not answer the handshake within {} s; is it a MOOS broker?",
                                        to_string(options_.broker), to_seconds(options_.handshake_limit))});
        case ClientState::connected: break;
        default: return;
    }
    const Instant due = quiet_since(now) + options_.silence_limit;
    if (now < due) return deadline_->arm(due);
    on_lost({Code::timed_out,
             fmt::format("no data from the broker for {} s", to_seconds(options_.silence_limit))});
}

/// Returns the time since which the broker should have sent something. In synchronous mode it only answers
/// packets.
Instant ClientCore::quiet_since(Instant now) const {
    if (mode_ == CommsMode::asynchronous) return last_heard_;
    return awaiting_answer_ ? std::max(last_heard_, last_sent_) : now;
}

void ClientCore::on_beat() {
    if (state_ == ClientState::waiting) return attempt();
    if (state_ != ClientState::connected) return;
    if (mode_ == CommsMode::synchronous) return send_tick();
    flush();
    if (!connected()) return;
    const Instant now = loop_.clock().now();
    const Instant due = last_timing_.value_or(now) + heartbeat;
    beat_->arm(due > now ? due : now + heartbeat);
}

// Messages from the broker.

void ClientCore::on_message(const MessageView& message, ByteView raw) {
    if (state_ == ClientState::shaking_hands) return on_answer(message);
    switch (message.type) {
        case MessageType::notify:
            if (message.id == wire::server_request_id) {
                if (!requests_.take(message, raw)) ++stats_.ignored;
            } else {
                deliver(message, raw);
            }
            return;
        case MessageType::timing:
            skew_.measure(message.value, message.time, local_stamp());
            pause_ = std::clamp(from_seconds(message.value2), Duration::zero(), max_pause);
            return;
        case MessageType::null:
            if (awaiting_answer_) skew_.measure(message.value, tick_stamp_, local_stamp());
            return;
        default: ++stats_.ignored; return;
    }
}

void ClientCore::deliver(const MessageView& message, ByteView raw) {
    const auto delivery = mail_.deliver(message, raw);
    if (delivery.queued > 0) queued_something_ = true;
    stats_.mail_lost += delivery.lost;
    for (std::size_t i = 0; i < delivery.lost; ++i) handlers_.mail_lost(message.key);
}

void ClientCore::on_packet_end() {
    if (awaiting_answer_) {
        awaiting_answer_ = false;
        beat_->arm(last_sent_ + from_seconds(1 / options_.comms_tick));
    }
    requests_.on_packet_end();
    send_next_request();
    stop_if_finished();
}

void ClientCore::on_read_end() {
    last_heard_ = loop_.clock().now();
    if (std::exchange(queued_something_, false)) handlers_.queued();
}

}  // namespace caribou::bus
