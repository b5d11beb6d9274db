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

/// Where something listens: a port of a host, or a path on it.
struct Place {
    std::string host;
    std::string path;  ///< of a Unix socket; else empty
    std::uint16_t port = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
};

/// Whom a listener lets in. Shared, because a handler may destroy its listener while it runs.
struct Acceptor {
    AcceptHandler on_accept;
};

/// A datagram on its way.
struct Packet {
    std::string from_host;
    Address from;  ///< as the receiver can answer it
    Place to;
    Bytes bytes;
};

/// What all hosts of one MemoryNetwork share: who is where, which links are cut, the faults, and
/// the packets in flight. It owns no streams and no sockets; these own it. Private to loop.
class MemoryFabric {
public:
    MemoryFabric(Loop& loop, std::uint64_t seed, Faults faults);

    Loop& loop() { return loop_; }
    Random& random() { return random_; }
    Instant now() const { return loop_.clock().now(); }
    const Faults& faults() const { return faults_; }
    void set_faults(Faults faults);
    Duration draw_delay();

    /// What an address means when it is said on `host`.
    Place place_of(const std::string& host, const Address& address) const;
    std::uint16_t any_port();

    /// Takes a place for a listener, which gives it back with leave().
    Result<Place> claim(const std::string& host, const Address& at, std::shared_ptr<Acceptor> acceptor);
    Result<Place> claim(const std::string& host, const Address& at, MemoryDatagram& socket);
    void leave(const Place& place, const std::shared_ptr<Acceptor>& acceptor);
    void leave(const Place& place, const MemoryDatagram& socket);
    /// Null when nobody listens there.
    std::shared_ptr<Acceptor> acceptor_at(const Place& place) const;

    /// Streams are kept in order of enrolment, so that what is done to all is done in the same
    /// order in every run.
    std::uint64_t enrol(MemoryStream& stream);
    void strike_off(std::uint64_t stream) { streams_.erase(stream); }

    /// Whether anything passes between the two hosts.
    bool linked(const std::string& a, const std::string& b) const;
    /// Whether the host has crashed and nothing has been made on it since.
    bool is_down(const std::string& host) const { return down_.contains(host); }
    void wake(const std::string& host) { down_.erase(host); }

    void partition(const std::string& a, const std::string& b);
    void heal(const std::string& a, const std::string& b);
    void crash(const std::string& host);
    void reset(const std::string& a, const std::string& b);

    /// Lets a packet arrive after the delay, if it arrives.
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
