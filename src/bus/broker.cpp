#include "bus/broker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bus/summaries.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

constexpr Duration check_period = std::chrono::seconds(1);
constexpr Duration housekeeping_period = std::chrono::seconds(2);

using wire::DataType;
using wire::MessageType;
using wire::MessageView;

}  // namespace

Broker::Broker(BrokerOptions options, Log& log, const Moment& at)
    : options_(std::move(options)),
      name_("MOOSDB_" + options_.community),
      log_(log),
      exchange_(options_.community, options_.limits),
      started_(at.stamp),
      next_check_(at.now + check_period),
      next_housekeeping_(at.warped + housekeeping_period) {
    for (const auto* number : {"DB_TIME", "DB_UPTIME"}) exchange_.declare(number, DataType::number);
    for (const auto* text : {"DB_CLIENTS", "DB_EVENT", "DB_QOS", "DB_RWSUMMARY", "DB_VARSUMMARY"})
        exchange_.declare(text, DataType::string);
}

Broker::~Broker() {
    for (auto& [id, c] : connections_) exchange_.leave(*c);
}

Connection* Broker::find(ConnectionId id) const {
    const auto found = connections_.find(id);
    return found == connections_.end() ? nullptr : found->second.get();
}

const Connection* Broker::find_client(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
}

Result<ConnectionId> Broker::connect(std::string peer, const Moment& at) {
    if (connections_.size() >= options_.limits.max_clients)
        return fail(Code::limit_exceeded, limit_reached("max_clients", connections_.size() + 1,
                                                        options_.limits.max_clients, "connections"));
    const ConnectionId id{next_id_++};
    connections_.emplace(id, std::make_unique<Connection>(id, std::move(peer), pool_, at.now));
    return id;
}

void Broker::receive(ConnectionId id, ByteView bytes, const Moment& at) {
    Connection* const c = find(id);
    if (!c || c->stage == Connection::Stage::draining) return;
    c->last_heard = at.now;
    c->traffic.bytes_in += bytes.size();
    take_input(*c, bytes, at);
}

void Broker::take_input(Connection& c, ByteView bytes, const Moment& at) {
    complete_and_consume(c, bytes, at);
    exchange_.end_run();
    sweep(c, at);
}

void Broker::complete_and_consume(Connection& c, ByteView bytes, const Moment& at) {
    // Completes a message that arrived in parts, copying no more bytes than it needs; the rest is decoded in
    // place.
    while (!c.partial.empty() && !bytes.empty() && c.closing.empty() && !c.must_wait) {
        const std::size_t missing = std::min(c.wanted - c.partial.size(), bytes.size());
        append(c.partial, bytes.first(missing));
        bytes = bytes.subspan(missing);
        if (c.partial.size() < c.wanted) return;
        const ByteView rest = consume(c, c.partial, at);
        c.partial.erase(c.partial.begin(), c.partial.end() - static_cast<std::ptrdiff_t>(rest.size()));
    }
    if (c.closing.empty() && (c.partial.empty() || c.must_wait)) {
        const ByteView rest = c.must_wait ? bytes : consume(c, bytes, at);
        if (c.partial.capacity() == 0 && !rest.empty()) c.partial = pool_.buffers.take();
        append(c.partial, rest);
    }
    if (c.partial.empty()) pool_.buffers.give(std::exchange(c.partial, {}));
}

ByteView Broker::consume(Connection& c, ByteView bytes, const Moment& at) {
    while (c.closing.empty() && c.stage != Connection::Stage::draining && !c.must_wait) {
        if (c.stage == Connection::Stage::greeting) {
            const ByteView rest = consume_greeting(c, bytes);
            if (rest.size() == bytes.size()) return rest;
            bytes = rest;
            continue;
        }
        if (c.stage == Connection::Stage::disputed) {
            // A client must not send anything before the welcome.
            c.wanted = bytes.size() + 1;
            if (bytes.size() > wire::packet_header_size + wire::min_message_size)
                close(c, "it sent data before the welcome");
            return bytes;
        }
        bytes = consume_similar(c, bytes);
        auto step = c.reader.next(bytes);
        if (!step) {
            close(c, std::move(step.error().message));
            break;
        }
        bytes = bytes.subspan(step->consumed);
        using Kind = wire::PacketReader::Step::Kind;
        switch (step->kind) {
            case Kind::need_more: c.wanted = step->wanted; return bytes;
            case Kind::packet:
                c.traffic.packets_in += 1;
                c.at_packet_start = true;
                c.wants_reply = c.in_lock_step();
                break;
            case Kind::message:
                on_message(c, step->message, step->raw, bytes, at);
                c.at_packet_start = false;
                break;
            case Kind::packet_end: on_packet_end(c, at); break;
        }
    }
    return c.must_wait ? bytes : ByteView{};
}

ByteView Broker::consume_greeting(Connection& c, ByteView bytes) {
    // Checks the first bytes as they arrive, so that a browser that connects by mistake is rejected at once.
    const ByteView begun = bytes.first(std::min(bytes.size(), wire::greeting_size));
    if (!wire::begins_greeting(begun)) {
        close(c, "not a MOOS client: its first bytes are not the greeting");
        return bytes;
    }
    c.wanted = wire::greeting_size;
    if (bytes.size() < wire::greeting_size) return bytes;
    c.stage = Connection::Stage::naming;
    return bytes.subspan(wire::greeting_size);
}

void Broker::on_message(Connection& c, const MessageView& message, ByteView raw, ByteView rest,
                        const Moment& at) {
    c.traffic.messages_in += 1;
    if (c.stage == Connection::Stage::naming) {
        if (c.at_packet_start) on_name(c, message, at);
        return;
    }
    if (c.stage != Connection::Stage::open) return;
    const std::size_t before = exchange_.work();
    if (message.type == MessageType::notify) {
        on_notify(c, message, raw, rest, at);
        return charge(c, exchange_.work() - before);
    }
    exchange_.end_run();
    switch (message.type) {
        case MessageType::timing:
            if (c.at_packet_start) on_timing(c, message, at);
            break;
        case MessageType::register_:
            if (auto done = exchange_.subscribe(c, message.key, from_seconds(message.value), at); !done)
                note_refusal(c, done.error());
            break;
        case MessageType::unregister: exchange_.unsubscribe(c, message.key); break;
        case MessageType::wildcard_register: {
            auto wildcard = Wildcard::parse(message.payload);
            Result<void> done = wildcard ? exchange_.subscribe_wildcard(c, std::move(*wildcard), at)
                                         : Result<void>(fail(std::move(wildcard.error())));
            if (!done) note_refusal(c, done.error());
            break;
        }
        case MessageType::wildcard_unregister:
            if (auto wildcard = Wildcard::parse(message.payload))
                exchange_.unsubscribe_wildcard(c, *wildcard);
            else
                note_refusal(c, wildcard.error());
            break;
        case MessageType::server_request: on_request(c, message.key, at); break;
        default: break;
    }
    charge(c, exchange_.work() - before);
}

void Broker::charge(Connection& c, std::size_t work) {
    if (std::exchange(c.charged_turn, turn_) != turn_) c.work = 0;
    c.work += work;
    if (c.work < options_.limits.turn_work || c.must_wait) return;
    c.must_wait = true;
    waiting_.push_back(c.id);
}

void Broker::on_packet_end(Connection& c, const Moment& at) {
    if (c.stage == Connection::Stage::naming && c.at_packet_start) {
        poison(c, "Failed to read receive client's name", at);
        return;
    }
    if (!c.wants_reply) return;
    c.replies_owed += 1;
    c.mark_ready();
    if (c.replies_owed > options_.limits.max_replies_owed)
        close(c,
              limit_reached("max_replies_owed", c.replies_owed, options_.limits.max_replies_owed, "packets"));
}

void Broker::on_notify(Connection& c, const MessageView& message, ByteView raw, ByteView rest,
                       const Moment& at) {
    const bool own = message.source == c.client_name || message.source.empty();
    if (!own && !admit_source(c, message.source)) [[unlikely]]
        return;
    // Writes under other names are counted one by one.
    auto done = own && is_followed_by_similar(c, message, raw, rest)
                    ? exchange_.notify_in_run(c, message, raw, at)
                    : exchange_.notify(&c, message, raw, at);
    if (!done) [[unlikely]]
        note_refusal(c, done.error());
}

bool Broker::is_followed_by_similar(const Connection& c, const MessageView& message, ByteView raw,
                                    ByteView rest) {
    wire::PacketReader ahead = c.reader;
    return !c.wants_reply &&
           ahead.next_similar(rest, wire::head_of(raw, message), Exchange::max_similar).consumed > 0;
}

ByteView Broker::consume_similar(Connection& c, ByteView bytes) {
    const ByteView head = exchange_.run_head();
    if (head.empty() || c.wants_reply) return bytes;
    const std::size_t before = exchange_.work();
    for (;;) {
        const auto next = c.reader.next_similar(bytes, head, Exchange::max_similar);
        if (next.consumed == 0) {
            charge(c, exchange_.work() - before);
            return bytes;
        }
        bytes = bytes.subspan(next.consumed);
        if (next.begins_packet) ++c.traffic.packets_in;
        c.traffic.messages_in += 1;
        c.at_packet_start = false;
        exchange_.notify_similar(next.raw);
    }
}

bool Broker::admit_source(Connection& c, std::string_view source) {
    constexpr std::string_view others = "(others)";
    const bool allowed = !options_.strict || std::ranges::find(options_.allowed_sources, source) !=
                                                 options_.allowed_sources.end();
    // Sources with names over the length limit, or beyond the number limit, are counted together.
    if (source.size() > options_.limits.max_name) source = others;
    auto known = c.foreign_sources.find(source);
    if (known == c.foreign_sources.end()) {
        log_.write(allowed ? Level::info : Level::warning,
                   fmt::format("client {} writes under the name {}{}", c.client_name, source,
                               allowed ? "" : ": refused (strict; allow it with --allow-source)"));
        if (c.foreign_sources.size() >= Connection::max_foreign_sources) source = others;
        known = c.foreign_sources.try_emplace(std::string(source), 0).first;
    }
    known->second += 1;
    if (!allowed) c.traffic.refused += 1;
    return allowed;
}

void Broker::note_refusal(Connection& c, const Error& why) {
    c.traffic.refused += 1;
    // Logs the 1st, 2nd, 4th, 8th … refusal, because a faulty client may cause a thousand per second.
    if ((c.traffic.refused & (c.traffic.refused - 1)) == 0)
        log_.warning(
            fmt::format("client {}: {} ({} refused so far)", c.client_name, why.message, c.traffic.refused));
}

void Broker::on_timing(Connection& c, const MessageView& message, const Moment& at) {
    const double milliseconds = (at.stamp - message.time) * 1000;
    if (!runs_at_another_warp(c, message.time, at)) c.latency.add(milliseconds);
    if (milliseconds > to_seconds(options_.warning_latency) * 1000)
        log_.debug(fmt::format("client {}: message latency {:.1f} ms", c.client_name, milliseconds));
    double pause = 0;
    for (const ResponsePause& response : options_.response) {
        if (!glob_matches(response.client_pattern, c.client_name)) continue;
        pause = to_seconds(response.pause);
        break;
    }
    // A synchronous client receives the time in the reply to its packet.
    if (!c.synchronous) c.tell_timing({message.time, at.stamp, pause});
}

void Broker::disconnect(ConnectionId id, std::string_view reason, const Moment& at) {
    Connection* const c = find(id);
    if (!c) return;
    if (c->stage == Connection::Stage::open)
        log_.info(fmt::format("client {} has left: {}", c->client_name, reason));
    remove(*c, at);
}

void Broker::sweep(Connection& c, const Moment& at) {
    if (c.closing.empty()) return;
    const std::string reason = std::move(c.closing);
    const bool was_client = c.stage == Connection::Stage::open;
    const std::string who = was_client ? c.client_name : c.peer;
    log_.warning(fmt::format("{} {} is disconnected: {}", was_client ? "client" : "connection", who, reason));
    closed_.push_back({c.id, reason});
    remove(c, at);
    if (was_client) publish("DB_NOTICE", fmt::format("cut={},reason={}", who, reason), at);
}

void Broker::remove(Connection& c, const Moment& at) {
    exchange_.leave(c);
    std::erase(disputed_, &c);
    std::erase(asking_, &c);
    const bool was_client = c.stage == Connection::Stage::open;
    if (was_client) by_name_.erase(c.client_name);
    const auto node = connections_.extract(c.id);
    departed_ += node.mapped()->traffic;
    if (!was_client) return;
    publish("DB_EVENT", "disconnected=" + node.mapped()->client_name, at);
    // Another connection may be waiting for the name.
    const auto waiting = disputed_;
    for (Connection* other : waiting) settle_dispute(*other, at);
}

Instant Broker::next_wake(const Moment& at) const {
    const auto real = [&](Instant warped) {
        return at.now + from_seconds(std::max(0.0, to_seconds(warped - at.warped) / options_.warp_factor));
    };
    Instant wake = std::min(next_check_, real(next_housekeeping_));
    if (const auto due = exchange_.next_due()) wake = std::min(wake, real(*due));
    if (!disputed_.empty()) wake = std::min(wake, at.now + options_.limits.name_grace);
    return wake;
}

void Broker::tick(const Moment& at) {
    exchange_.deliver_due(at);
    const auto waiting = disputed_;
    for (Connection* c : waiting) settle_dispute(*c, at);
    if (at.now >= next_check_) check_connections(at);
    if (at.warped >= next_housekeeping_) {
        next_housekeeping_ = at.warped + housekeeping_period;
        publish_housekeeping(at);
    }
}

void Broker::check_connections(const Moment& at) {
    // Time during which this process itself was suspended does not count as silence of clients.
    const Duration stood_still = std::max(Duration::zero(), at.now - next_check_ - check_period);
    next_check_ = at.now + check_period;
    std::vector<Connection*> ended;
    for (auto& [id, c] : connections_) {
        if (stood_still > Duration::zero()) {
            c->last_heard = std::min(at.now, c->last_heard + stood_still);
            c->last_progress = std::min(at.now, c->last_progress + stood_still);
        }
        if (at.now - c->last_heard >= options_.limits.client_timeout)
            close(*c, fmt::format("no data received for {:.0f} s", to_seconds(at.now - c->last_heard)));
        else
            c->closing = c->stall(at.now);
        if (!c->closing.empty()) ended.push_back(c.get());
    }
    for (Connection* c : ended) sweep(*c, at);
}

void Broker::take_ready(std::vector<ConnectionId>& into, const Moment& at) {
    for (Connection* c : std::exchange(asking_, {})) {
        c->request_answered = false;
        if (!c->requests.empty() && may_answer(*c)) {
            answer(*c, c->requests.front(), at);
            c->requests.pop_front();
        }
        if (!c->requests.empty()) asking_.push_back(c);
    }
    turn_ += 1;
    for (const ConnectionId id : std::exchange(waiting_, {})) {
        Connection* const c = find(id);
        if (!c) continue;
        c->must_wait = false;
        c->last_heard = at.now;  // it is read no further while it waits
        Bytes input = std::exchange(c->partial, {});
        take_input(*c, input, at);
        pool_.buffers.give(std::move(input));
    }
    into.clear();
    for (Connection* c : pool_.ready) {
        c->clear_ready();
        into.push_back(c->id);
    }
    pool_.ready.clear();
}

bool Broker::has_work() const {
    return !waiting_.empty() ||
           std::ranges::any_of(asking_, [&](const Connection* c) { return may_answer(*c); });
}

bool Broker::is_waiting(ConnectionId id) const {
    const Connection* const c = find(id);
    return c && c->must_wait;
}

std::size_t Broker::gather(ConnectionId id, std::span<ByteView> pieces, const Moment& at) {
    Connection* const c = find(id);
    if (!c) return 0;
    if (!c->outbox.sending()) {
        if (!has_packet(*c)) return 0;
        if (c->in_lock_step()) {
            c->replies_owed -= 1;
            c->tell_first({.value = at.stamp});
        }
        c->seal();
    }
    return c->outbox.gather(pieces);
}

bool Broker::has_packet(const Connection& c) {
    return c.in_lock_step() ? c.replies_owed > 0 : c.outbox.has_waiting();
}

bool Broker::sent(ConnectionId id, std::size_t size, const Moment& at) {
    Connection* const c = find(id);
    if (!c) return false;
    c->on_sent(size, at.now);
    if (c->outbox.sending() || has_packet(*c)) return true;
    if (c->stage == Connection::Stage::draining) {
        closed_.push_back({c->id, "refused"});
        remove(*c, at);
    }
    return false;
}

}  // namespace caribou::bus
