#include "bus/share.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "bus/wildcard.hpp"

namespace caribou::bus {
namespace {

ClientOptions options_for(const SharePlan& plan, const SharePeer& peer) {
    ClientOptions options{.name = plan.client_name, .broker = peer.broker, .adopt_warp = true};
    // While a broker is unreachable, newer values are preferred.
    options.outbox.when_full = WhenFull::drop_oldest;
    return options;
}

}  // namespace

struct Share::Peer {
    Peer(Loop& loop, Network& network, const SharePlan& plan, std::size_t number)
        : index(number),
          name(plan.peers[number].name),
          client(loop, network, options_for(plan, plan.peers[number])) {}

    std::size_t index;
    std::string name;
    Client client;
    bool doubled = false;        ///< another peer reports the same community
    std::uint64_t refusals = 0;  ///< since the last connection
};

Share::Share(Loop& loop, Network& network, SharePlan plan, Log& log) : plan_(std::move(plan)), log_(log) {
    stats_.routes.resize(plan_.routes.size());
    for (std::size_t i = 0; i < plan_.peers.size(); ++i) {
        peers_.push_back(std::make_unique<Peer>(loop, network, plan_, i));
        Peer& peer = *peers_.back();
        peer.client.on_connected([this, &peer] { on_connected(peer); });
        peer.client.on_disconnected(
            [this, &peer](const Error& why) { log_.info(fmt::format("{}: {}", peer.name, why.message)); });
        peer.client.on_refused([this, &peer](std::string_view why) {
            // Logs the 1st, 2nd, 4th, 8th … refusal: the client tries again every second.
            if (std::has_single_bit(++peer.refusals))
                log_.warning(fmt::format("{} refused the connection: {} ({} refusals so far)", peer.name, why,
                                         peer.refusals));
        });
        peer.client.on_other_mail([this, &peer](const wire::MessageView& message) { carry(peer, message); });
    }
}

Share::~Share() = default;

Result<void> Share::start() {
    for (const ShareRoute& route : plan_.routes) {
        Client& client = peers_[route.from]->client;
        auto registered = is_pattern(route.variable)
                              ? client.register_wildcard(route.variable, "*", route.interval)
                              : client.register_variable(route.variable, route.interval);
        if (!registered) return registered;
    }
    for (const auto& peer : peers_)
        if (auto started = peer->client.start(); !started) return started;
    return {};
}

void Share::finish(Duration limit) {
    for (const auto& peer : peers_) peer->client.finish(limit);
}

bool Share::stopped() const {
    return std::ranges::all_of(peers_,
                               [](const auto& peer) { return peer->client.state() == ClientState::stopped; });
}

void Share::on_connected(Peer& peer) {
    peer.refusals = 0;
    log_.info(fmt::format("{} is community {} at {}", peer.name, peer.client.community(),
                          to_string(plan_.peers[peer.index].broker)));
    for (const auto& one : peers_)
        one->doubled = std::ranges::any_of(peers_, [&](const auto& other) {
            return other != one && !one->client.community().empty() &&
                   other->client.community() == one->client.community();
        });
    report_other_warps(peer);
    if (peer.doubled)
        log_.error(
            fmt::format("two brokers report the community {}; nothing is shared with them, because values "
                        "would loop; start one with another --community",
                        peer.client.community()));
}

void Share::report_other_warps(const Peer& peer) {
    for (const auto& other : peers_)
        if (other->client.connected() && other->client.warp() != peer.client.warp())
            log_.error(
                fmt::format("{} runs at time warp {:g}, {} at {:g}; nothing is copied between them, "
                            "because their time stamps differ: start both with the same MOOSTimeWarp",
                            peer.name, peer.client.warp(), other->name, other->client.warp()));
}

bool Share::compatible(const Peer& from, const Peer& to) {
    // The warp of a broker that was never reached is unknown; values for it wait.
    const bool same_warp = !to.client.last_connected() || from.client.warp() == to.client.warp();
    return !from.doubled && !to.doubled && same_warp;
}

void Share::carry(const Peer& from, const wire::MessageView& message) {
    if (message.community != from.client.community()) {
        ++stats_.foreign;
        return;
    }
    for (std::size_t i = 0; i < plan_.routes.size(); ++i) {
        const ShareRoute& route = plan_.routes[i];
        if (route.from != from.index || !compatible(from, *peers_[route.to])) continue;
        const std::string key = name_over_there(route, message.key);
        if (key.empty()) continue;
        RouteStats& stats = stats_.routes[i];
        const auto pushed = notify(peers_[route.to]->client, key, message);
        if (pushed) ++stats.copied;
        if (pushed == Pushed::accepted) continue;
        if (std::has_single_bit(++stats.lost))
            log_.warning(fmt::format("{} is unreachable or too slow: {} values of {} lost so far",
                                     peers_[route.to]->name, stats.lost, route.variable));
    }
}

std::vector<std::string> Share::report() const {
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < plan_.routes.size(); ++i) {
        const ShareRoute& route = plan_.routes[i];
        lines.push_back(fmt::format("{} to {}: {}{}: {} copied, {} lost", peers_[route.from]->name,
                                    peers_[route.to]->name, route.variable,
                                    route.as == route.variable ? "" : " as " + route.as,
                                    stats_.routes[i].copied, stats_.routes[i].lost));
    }
    return lines;
}

Result<Pushed> Share::notify(Client& client, std::string_view key, const wire::MessageView& message) {
    const NotifyOptions with{
        .aux = message.aux, .time = message.time, .source = message.source, .community = message.community};
    if (message.is_number()) return client.notify(key, message.value, with);
    if (message.is_string()) return client.notify(key, message.payload, with);
    return client.notify(key, bytes_of(message.payload), with);
}

}  // namespace caribou::bus
