// The handshake: names, the welcome or refusal, and two connections that claim the same name.

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "bus/broker.hpp"
#include "bus/warp_check.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

bool says_asynchronous(std::string_view key) {
    return std::ranges::equal(key, wire::asynchronous, [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

std::size_t Broker::handshake_count() const {
    using Stage = Connection::Stage;
    return static_cast<std::size_t>(std::ranges::count_if(connections_, [](const auto& entry) {
        return entry.second->stage != Stage::open && entry.second->stage != Stage::draining;
    }));
}

void Broker::on_name(Connection& c, const wire::MessageView& message, const Moment& at) {
    if (message.payload.size() > options_.limits.max_name) {
        poison(c,
               "The client's name is too long: " +
                   limit_reached("max_name", message.payload.size(), options_.limits.max_name, "bytes"),
               at);
        return;
    }
    c.client_name = message.payload;
    c.synchronous = !says_asynchronous(message.key);
    c.clock_offset = at.stamp - message.time;
    c.stage = Connection::Stage::disputed;
    c.disputed_since = at.now;
    disputed_.push_back(&c);
    settle_dispute(c, at);
}

/// A refused MOOS client never tries again, and a client whose connection broke may reconnect before the
/// broker has noticed the loss. So a claim to a name in use is refused only after the holder has proved that
/// it is alive, and granted as soon as the holder is gone.
void Broker::settle_dispute(Connection& c, const Moment& at) {
    const auto holder = by_name_.find(c.client_name);
    if (holder == by_name_.end()) {
        std::erase(disputed_, &c);
        welcome(c, at);
        return;
    }
    const bool waited = at.now - c.disputed_since >= options_.limits.name_grace;
    const bool holder_lives = at.now - holder->second->last_heard < options_.limits.name_alive;
    if (!waited || !holder_lives) return;
    std::erase(disputed_, &c);
    const std::string reason = fmt::format("A client of this name (\"{}\") already exists", c.client_name);
    // Logs the 1st, 2nd, 4th, 8th … claim, because most programs try again every second.
    const std::uint64_t claims = ++holder->second->claims_refused;
    if (std::has_single_bit(claims))
        log_.warning(fmt::format("connection {} is refused: {} ({} refused so far)", c.peer, reason, claims));
    send_poison(c, reason, at);
}

void Broker::welcome(Connection& c, const Moment& at) {
    c.stage = Connection::Stage::open;
    by_name_.emplace(c.client_name, &c);
    const std::string aux = "hostname=" + options_.hostname;
    c.tell({.type = wire::MessageType::welcome,
            .aux = aux,
            .community = options_.community,
            .time = at.stamp,
            .value = c.clock_offset,
            .payload = wire::asynchronous});
    c.seal();  // a separate packet
    exchange_.join(c);
    log_.info(fmt::format("client {} has joined from {}{}", c.client_name, c.peer,
                          c.synchronous ? " (synchronous)" : ""));
    publish("DB_EVENT", "connected=" + c.client_name, at);
    // An asynchronous client sends a TIMING message immediately. Tools that adopt the broker's warp have done
    // so by then and are not reported.
    if (c.synchronous) runs_at_another_warp(c, at.stamp - c.clock_offset, at);
}

bool Broker::runs_at_another_warp(Connection& c, double stamp, const Moment& at) {
    const double own = options_.warp_factor;
    const auto other = different_warp(stamp, at.stamp / own, own);
    if (!other || std::exchange(c.warp_reported, true)) return other.has_value();
    const std::string reason = fmt::format(
        "its stamps run at time warp {:.3g}, the broker's at {:.3g}; start both with the same "
        "MOOSTimeWarp",
        *other, own);
    log_.warning(fmt::format("client {}: {}", c.client_name, reason));
    publish("DB_NOTICE", fmt::format("time_warp={},reason={}", c.client_name, reason), at);
    return true;
}

void Broker::poison(Connection& c, std::string_view reason, const Moment& at) {
    log_.warning(fmt::format("connection {} is refused: {}", c.peer, reason));
    send_poison(c, reason, at);
}

void Broker::send_poison(Connection& c, std::string_view reason, const Moment& at) {
    c.stage = Connection::Stage::draining;
    c.tell({.type = wire::MessageType::poison,
            .data_type = wire::DataType::string,
            .time = at.stamp,
            .payload = reason});
    c.seal();
}

}  // namespace caribou::bus
