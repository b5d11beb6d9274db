#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "base/random.hpp"
#include "loop/loop.hpp"
#include "loop/memory_network.hpp"

namespace caribou {

class MemoryDatagram;
class MemoryStream;

/// The endpoint of a listener or socket: a port of a host, or a path on it.
struct Place {
    std::string host;
    std::string path;  ///< of a Unix socket; else empty
    std::uint16_t port = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
};

/// The accept callback of a listener. Shared, because the callback may destroy its listener while it runs.
struct Acceptor {
    AcceptHandler on_accept;
};

/// A datagram in flight.
struct Packet {
    std::string from_host;
    Address from;  ///< the sender's address as the receiver can reply to it
    Place to;
    Bytes bytes;
};

/// State shared by all hosts of one MemoryNetwork: listeners and sockets by endpoint, cut links, faults, and
/// the packets in flight. It does not own streams or sockets; they share ownership of it. Private to loop.
class MemoryFabric {
public:
    MemoryFabric(Loop& loop, std::uint64_t seed, Faults faults);

    Loop& loop() { return loop_; }
    Random& random() { return random_; }
    Instant now() const { return loop_.clock().now(); }
    const Faults& faults() const { return faults_; }
    void set_faults(Faults faults);
    Duration draw_delay();

    /// Returns the endpoint that `address` denotes when used on `host`.
    Place place_of(const std::string& host, const Address& address) const;
    std::uint16_t any_port();

    /// Reserves an endpoint for a listener or socket, which releases it with leave(). Fails if it is in use.
    Result<Place> claim(const std::string& host, const Address& at, std::shared_ptr<Acceptor> acceptor);
    Result<Place> claim(const std::string& host, const Address& at, MemoryDatagram& socket);
    void leave(const Place& place, const std::shared_ptr<Acceptor>& acceptor);
    void leave(const Place& place, const MemoryDatagram& socket);
    /// Returns nullptr if there is no listener at that endpoint.
    std::shared_ptr<Acceptor> acceptor_at(const Place& place) const;

    /// Registers a stream and returns its number. Streams are kept in order of registration, so that
    /// operations on all of them have the same order in every run.
    std::uint64_t enrol(MemoryStream& stream);
    void strike_off(std::uint64_t stream) { streams_.erase(stream); }

    /// Returns whether the link between the two hosts is intact.
    bool linked(const std::string& a, const std::string& b) const;
    /// Returns whether the host has crashed and nothing has been created on it since.
    bool is_down(const std::string& host) const { return down_.contains(host); }
    void wake(const std::string& host) { down_.erase(host); }

    void partition(const std::string& a, const std::string& b);
    void heal(const std::string& a, const std::string& b);
    void crash(const std::string& host);
    void reset(const std::string& a, const std::string& b);

    /// Sends a packet, which arrives after the delay unless it is lost.
    void launch(Packet packet, Duration delay);

private:
    void land(Packet packet);
    void land_all_due();

    Loop& loop_;
    Random random_;
    Faults faults_;
    std::uint16_t next_port_;
    std::uint64_t next_number_ = 0;  ///< of streams and of packets
    std::map<Place, std::shared_ptr<Acceptor>> acceptors_;
    std::map<Place, MemoryDatagram*> sockets_;
    std::map<std::uint64_t, MemoryStream*> streams_;
    std::set<std::pair<std::string, std::string>> cut_;
    std::set<std::string> down_;
    std::map<std::pair<Instant, std::uint64_t>, Packet> in_flight_;
    std::unique_ptr<Timer> landing_;
};

}  // namespace caribou
