#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/limits.hpp"
#include "base/log.hpp"
#include "loop/network.hpp"

namespace caribou::link {

/// Forwards connections to an address on another network: each accepted connection is joined with a new one
/// there, with flow control in both directions. Networks and log must outlive the tunnel.
class Tunnel {
public:
    struct Ways {
        Network& near;  ///< where it listens
        Network& far;   ///< where it connects to
    };

    Tunnel(Ways ways, Address to, Log& log);
    ~Tunnel();
    Tunnel(const Tunnel&) = delete;
    Tunnel& operator=(const Tunnel&) = delete;

    /// Starts to listen. Returns the actual address.
    Result<Address> open(const Address& at);
    /// Returns the number of joined connections.
    std::size_t connections() const { return joints_.size(); }

    static constexpr std::size_t max_connections = 1000;
    static constexpr std::size_t read_size = 64_KiB;

private:
    class Joint;

    void accept(std::unique_ptr<Stream> stream);
    void remove(std::uint64_t joint);
    void far_end_opened();
    void far_end_failed(const Error& why);

    Ways ways_;
    Address to_;
    Log& log_;
    std::unique_ptr<Listener> listener_;
    std::map<std::uint64_t, std::unique_ptr<Joint>> joints_;
    std::uint64_t next_ = 0;
    Bytes scratch_;
    std::string complaint_;  ///< last message logged, so that repetitions are suppressed
};

}  // namespace caribou::link
