#pragma once

#include <cstdint>
#include <string>

#include "link/key_book.hpp"
#include "link/sealed_datagram.hpp"
#include "robot/server_cookie.hpp"

namespace caribou::robot {

/// Decides which peers a robot trusts: those that have proved one of its keys, and of stations only the one
/// that it belongs to. Thread-safe.
class LinkTrust {
public:
    struct Options {
        std::string robot;                ///< its name
        std::string station = "station";  ///< key of the station to call while it belongs to none
        std::uint64_t boot = 0;           ///< of this start; higher than all before
        link::BootNonce nonce{};          ///< random, for this start only
    };

    /// Both arguments must outlive this object.
    LinkTrust(link::KeyBook& keys, ServerCookie& cookie, Options options);

    /// Returns the key of the station to call: its own station's, or else the configured one.
    Result<link::PairedKey> station_key();
    /// Returns the peer that has proved this key, or why it is refused.
    Result<link::PairedKey> admit(link::KeyId id);
    /// Makes this the robot's station, also after a restart. Fails with refused if it belongs to another one.
    Result<void> claim(const link::PairedKey& station);
    /// Ends the assignment to a station.
    Result<void> drop_server() { return cookie_.drop(); }

    /// Returns the mark for datagrams sealed with that key before there is a session.
    link::BootMark mark(const link::SecretKey& key) const {
        return {link::id_of(key), options_.boot, options_.nonce};
    }
    /// Returns whether robot and station share a folder of keys, with one key per robot, of its name. A peer
    /// with that key is its station.
    bool shares_folder() const { return options_.station == options_.robot; }

private:
    /// Returns the station that it belongs to; empty if there is none or its key was removed.
    std::string owner();

    link::KeyBook& keys_;
    ServerCookie& cookie_;
    Options options_;
};

}  // namespace caribou::robot
