// The end of a simulated bus: all faults are removed, and the final guarantees are checked.

#include <algorithm>

#include <fmt/format.h>

#include "sim/bus_world.hpp"

namespace caribou::sim {

using namespace std::chrono_literals;

namespace {

/// Time for dead connections to be detected, names to be released, and clients to reconnect.
constexpr Duration reconnect_limit = 60s;
/// Time to send all pending messages over the slowest network, and for the longest interval to pass.
constexpr Duration news_limit = 30s;

}  // namespace

void BusWorld::settle() {
    ++report_.steps;
    heal_everything();
    await_connected();
    await_newest("has not heard the newest value", true);
    await_fresh();
    for (auto& participant : participants_)
        if (participant->present()) report_.connections += participant->client().stats().connections;
    check_promises();
}

void BusWorld::heal_everything() {
    tell("everything is healed");
    for (auto& participant : participants_) {
        network_.heal(participant->name(), BusPlan::broker_host);
        participant->network().stall(false);
    }
    // By then clients that are disconnecting have gone, and half-open connections have been detected.
    loop_.advance(7s);
    for (auto& participant : participants_) participant->sweep();
}

void BusWorld::await_connected() {
    const auto ready = [&](BusParticipant& p) {
        return !p.present() || (p.connected() && p.client().pending() == 0 &&
                                server_->broker().find_client(p.name()) != nullptr);
    };
    loop_.run_until([&] { return std::ranges::all_of(participants_, [&](auto& p) { return ready(*p); }); },
                    reconnect_limit);
    for (auto& p : participants_)
        if (!ready(*p))
            audit_.note(fmt::format(
                "{} is {} with {} messages to send, {} s after everything was healed{}", p->name(),
                to_string(p->client().state()), p->client().pending(), to_seconds(reconnect_limit),
                p->client().last_error() ? ": " + p->client().last_error()->message : ""));
}

bool BusWorld::has_newest(BusParticipant& participant, const std::string& key) const {
    if (!participant.present() || participant.want(key) != Want::yes) return true;
    const auto latest = audit_.latest(key);
    return !latest || participant.heard(key) == latest;
}

/// Returns whether the broker has legitimately dropped mail of this client: then only fresh values can be
/// expected.
bool BusWorld::excused(const BusParticipant& participant) const {
    const bus::Connection* const client = server_->broker().find_client(participant.name());
    return client && client->traffic.dropped > 0;
}

void BusWorld::await_newest(std::string_view when, bool excuse) {
    const auto& keys = BusPlan::written_keys();
    const auto satisfied = [&](BusParticipant& p) {
        return (excuse && excused(p)) ||
               std::ranges::all_of(keys, [&](const std::string& key) { return has_newest(p, key); });
    };
    loop_.run_until(
        [&] { return std::ranges::all_of(participants_, [&](auto& p) { return satisfied(*p); }); },
        news_limit);
    for (auto& p : participants_) {
        if (excuse && excused(*p)) {
            ++report_.excused;
            continue;
        }
        for (const std::string& key : keys)
            if (!has_newest(*p, key))
                audit_.note(fmt::format("{} {} of {}, which it has registered: heard #{}, newest #{}",
                                        p->name(), when, key, p->heard(key).value_or(0),
                                        audit_.latest(key).value_or(0)));
    }
}

void BusWorld::await_fresh() {
    const auto writer = std::ranges::find_if(participants_, [](auto& p) { return p->connected(); });
    if (writer == participants_.end()) return;
    for (const std::string& key : BusPlan::written_keys()) {
        const wire::DataType type = audit_.type_of(key);
        const std::uint64_t number = next_number_;
        write_value(**writer, key, type == wire::DataType::none ? wire::DataType::number : type);
        if (!loop_.run_until([&] { return audit_.latest(key) == number; }, news_limit))
            audit_.note(fmt::format("a fresh value of {} does not reach the broker", key));
    }
    await_newest("does not hear a fresh value", false);
    loop_.advance(1s);
    for (auto& p : participants_)
        for (const std::string& key : BusPlan::written_keys())
            if (p->present() && p->want(key) == Want::no && p->heard(key) &&
                p->heard(key) == audit_.latest(key))
                audit_.note(
                    fmt::format("{} hears a fresh value of {}, which it has not registered", p->name(), key));
}

}  // namespace caribou::sim
