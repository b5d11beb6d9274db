#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/limits.hpp"
#include "base/log.hpp"
#include "loop/network.hpp"

namespace caribou::link {

/// Lets whoever connects here talk to an address that is reached in another way: each connection is joined
/// with one of its own there, byte for byte, and each side is held up while the other is slow. Networks and
/// log outlive it.
class Tunnel {
public:
    struct Ways {
        Network& near;  ///< where it listens
        Network& far;   ///< by which it reaches the other end
    };

    Tunnel(Ways ways, Address to, Log& log);
    ~Tunnel();
    Tunnel(const Tunnel&) = delete;
    Tunnel& operator=(const Tunnel&) = delete;

    /// Returns where it really listens.
    Result<Address> open(const Address& at);
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
    std::string complaint_;  ///< told last, so that it is told once
};

}  // namespace caribou::link
