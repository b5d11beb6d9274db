#pragma once

#include <map>

#include "link/datagram_seal.hpp"
#include "link/key_book.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// Opens the datagrams of robots without a session, each once, and identifies the robot by its key.
class CallOpener {
public:
    struct Opened {
        link::PairedKey key;
        Bytes content;
    };

    /// The book must outlive this object.
    explicit CallOpener(link::KeyBook& keys) : keys_(keys) {}

    /// Fails with Code::not_found if no key has this id, and with Code::refused if the datagram was not
    /// sealed with it or was received before.
    Result<Opened> open(link::KeyId id, ByteView datagram);

    /// Minimum time between two calls from an earlier start that are followed, per key.
    static constexpr Duration earlier_period = std::chrono::seconds(30);
    /// Opens a call that open() refuses because it is from before the robot's latest start: the robot may
    /// have lost its state, or its clock may be in the past. At most once per earlier_period.
    Result<Opened> open_earlier(link::KeyId id, ByteView datagram, Instant now);
    /// Must be called when the robot has proved its key on the connection caused by such a call: its start
    /// becomes the latest.
    void accept_earlier(link::KeyId id);

private:
    struct Earlier {
        Instant next{};  ///< when another one may be followed
        link::SealedHeader header{};
    };
    link::KeyBook& keys_;
    std::map<link::KeyId, link::BootOpener> openers_;  ///< at most one per key
    std::map<link::KeyId, Earlier> earlier_;           ///< at most as many as openers_
};

}  // namespace caribou::station
