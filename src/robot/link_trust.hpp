#pragma once

#include <cstdint>
#include <string>

#include "link/key_book.hpp"
#include "link/sealed_datagram.hpp"
#include "robot/server_cookie.hpp"

namespace caribou::robot {

/// Whom a robot believes: those who have proven one of its keys, and of stations only the one that it
/// belongs to. Any thread may call.
class LinkTrust {
public:
    struct Options {
        std::string robot;                ///< its name
        std::string station = "station";  ///< the key of the station to call while it belongs to none
        std::uint64_t boot = 0;           ///< of this start; more than of every one before
        link::BootNonce nonce{};          ///< random, of this start alone
    };

    /// Both outlive it.
    LinkTrust(link::KeyBook& keys, ServerCookie& cookie, Options options);

    /// The key of the station to call: of the one that it belongs to, else of the one it was told of.
    Result<link::PairedKey> station_key();
    /// Who it is that has proven this key, or why it is not let in.
    Result<link::PairedKey> admit(link::KeyId id);
    /// It becomes the robot's station, and stays so after a restart. refused: another one is.
    Result<void> claim(const link::PairedKey& station);
    /// Belongs to nobody any more.
    Result<void> drop_server() { return cookie_.drop(); }

    /// The mark of what is sealed with that key before there is a session.
    link::BootMark mark(const link::SecretKey& key) const {
        return {link::id_of(key), options_.boot, options_.nonce};
    }
    /// Robot and station share one folder of keys, where each robot has one, of its name. Whoever has that is
    /// its station.
    bool shares_folder() const { return options_.station == options_.robot; }

private:
    /// Of the station that it belongs to. Empty: of none whose key there still is.
    std::string owner();

    link::KeyBook& keys_;
    ServerCookie& cookie_;
    Options options_;
};

}  // namespace caribou::robot
