#include "loop/memory_fabric.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/check.hpp"
#include "loop/memory_datagram.hpp"
#include "loop/memory_stream.hpp"

namespace caribou {
namespace {

constexpr std::uint16_t first_free_port = 49152;  // the first port of the ephemeral range, as on real systems
constexpr int free_ports = 65536 - first_free_port;

bool is_probability(double p) { return p >= 0 && p <= 1; }

void check_faults(const Faults& faults) {
    check(Duration::zero() <= faults.min_delay && faults.min_delay <= faults.max_delay,
          "faults: 0 <= min_delay <= max_delay");
    check(is_probability(faults.loss) && is_probability(faults.duplication) &&
              is_probability(faults.reordering),
          "faults: loss, duplication and reordering are shares from 0 to 1");
    check(faults.stream_buffer > 0, "faults: a stream has room for at least one byte");
}

bool means_this_host(const Address& address) {
    return address.is_loopback() || address.host == "0.0.0.0" || address.host == "::";
}

bool same_pair(const std::string& a, const std::string& b, const std::string& x, const std::string& y) {
    return (a == x && b == y) || (a == y && b == x);
}

std::pair<std::string, std::string> link(const std::string& a, const std::string& b) {
    return std::minmax(a, b);
}

/// Returns the requested endpoint, or an unused port if any port is requested. Fails if the endpoint is taken
/// or on another host.
template <class Sockets>
Result<Place> free_place(MemoryFabric& fabric, const Sockets& taken, const std::string& host,
                         const Address& at) {
    Place place = fabric.place_of(host, at);
    if (place.host != host)
        return fail(Code::unavailable,
                    fmt::format("host '{}' cannot listen at {}, which is another host; use "
                                "127.0.0.1, 0.0.0.0 or its own name",
                                host, to_string(at)));
    const bool any = place.path.empty() && place.port == 0;
    if (!any && taken.contains(place))
        return fail(Code::already_exists,
                    fmt::format("{} is in use on host '{}' already; choose another, or port 0 "
                                "for any that is free",
                                to_string(at), host));
    for (int tries = 0; any && tries < free_ports; ++tries) {
        place.port = fabric.any_port();
        if (!taken.contains(place)) return place;
    }
    if (any)
        return fail(Code::limit_exceeded, fmt::format("host '{}' has no free port left; close some", host));
    return place;
}

}  // namespace

MemoryFabric::MemoryFabric(Loop& loop, std::uint64_t seed, Faults faults)
    : loop_(loop), random_(seed), faults_(faults), next_port_(first_free_port) {
    check_faults(faults);
}

void MemoryFabric::set_faults(Faults faults) {
    check_faults(faults);
    faults_ = faults;
}

Duration MemoryFabric::draw_delay() {
    if (faults_.max_delay == Duration::zero()) return Duration::zero();
    return Duration(random_.between(faults_.min_delay.count(), faults_.max_delay.count()));
}

Place MemoryFabric::place_of(const std::string& host, const Address& address) const {
    if (address.kind == Address::Kind::unix_socket) return {host, address.host, 0};
    return {means_this_host(address) ? host : address.host, "", address.port};
}

std::uint16_t MemoryFabric::any_port() {
    const std::uint16_t port = next_port_;
    next_port_ = port == 65535 ? first_free_port : static_cast<std::uint16_t>(port + 1);
    return port;
}

Result<Place> MemoryFabric::claim(const std::string& host, const Address& at,
                                  std::shared_ptr<Acceptor> acceptor) {
    auto place = free_place(*this, acceptors_, host, at);
    if (!place) return place;
    wake(host);
    acceptors_.emplace(*place, std::move(acceptor));
    return place;
}

Result<Place> MemoryFabric::claim(const std::string& host, const Address& at, MemoryDatagram& socket) {
    auto place = free_place(*this, sockets_, host, at);
    if (!place) return place;
    wake(host);
    sockets_.emplace(*place, &socket);
    return place;
}

void MemoryFabric::leave(const Place& place, const std::shared_ptr<Acceptor>& acceptor) {
    // After a crash, the endpoint may belong to another listener.
    const auto found = acceptors_.find(place);
    if (found != acceptors_.end() && found->second == acceptor) acceptors_.erase(found);
}

void MemoryFabric::leave(const Place& place, const MemoryDatagram& socket) {
    const auto found = sockets_.find(place);
    if (found != sockets_.end() && found->second == &socket) sockets_.erase(found);
}

std::shared_ptr<Acceptor> MemoryFabric::acceptor_at(const Place& place) const {
    const auto found = acceptors_.find(place);
    return found == acceptors_.end() ? nullptr : found->second;
}

std::uint64_t MemoryFabric::enrol(MemoryStream& stream) {
    streams_.emplace(next_number_, &stream);
    return next_number_++;
}

bool MemoryFabric::linked(const std::string& a, const std::string& b) const {
    return cut_.empty() || !cut_.contains(link(a, b));
}

void MemoryFabric::partition(const std::string& a, const std::string& b) { cut_.insert(link(a, b)); }

void MemoryFabric::heal(const std::string& a, const std::string& b) {
    if (cut_.erase(link(a, b)) == 0) return;
    for (const auto& [number, stream] : streams_)
        if (same_pair(stream->host(), stream->peer_host(), a, b)) stream->resume();
}

void MemoryFabric::crash(const std::string& host) {
    down_.insert(host);
    std::erase_if(acceptors_, [&](const auto& entry) { return entry.first.host == host; });
    std::erase_if(in_flight_, [&](const auto& entry) { return entry.second.from_host == host; });
    for (const auto& [place, socket] : sockets_)
        if (place.host == host) socket->vanish();
    std::erase_if(sockets_, [&](const auto& entry) { return entry.first.host == host; });
    for (const auto& [number, stream] : streams_) {
        if (stream->host() == host)
            stream->vanish();
        else if (stream->peer_host() == host)
            stream->lose_sight_of_peer();
    }
}

void MemoryFabric::reset(const std::string& a, const std::string& b) {
    for (const auto& [number, stream] : streams_)
        if (same_pair(stream->host(), stream->peer_host(), a, b)) stream->reset();
}

void MemoryFabric::launch(Packet packet, Duration delay) {
    if (!linked(packet.from_host, packet.to.host)) return;
    if (delay == Duration::zero()) return land(std::move(packet));
    in_flight_.emplace(std::pair(now() + delay, next_number_++), std::move(packet));
    if (!landing_) landing_ = loop_.make_timer([this] { land_all_due(); });
    landing_->arm(in_flight_.begin()->first.first);
}

void MemoryFabric::land(Packet packet) {
    const auto receiver = sockets_.find(packet.to);
    if (receiver == sockets_.end() || !linked(packet.from_host, packet.to.host)) return;
    receiver->second->deliver(std::move(packet));
}

void MemoryFabric::land_all_due() {
    while (!in_flight_.empty() && in_flight_.begin()->first.first <= now())
        land(std::move(in_flight_.extract(in_flight_.begin()).mapped()));
    if (!in_flight_.empty()) landing_->arm(in_flight_.begin()->first.first);
}

}  // namespace caribou
