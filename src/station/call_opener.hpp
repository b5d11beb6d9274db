#pragma once

#include <map>

#include "link/datagram_seal.hpp"
#include "link/key_book.hpp"
#include "loop/time.hpp"

namespace caribou::station {

/// Opens what robots send while they have no session, each datagram once, and finds by its key whose it is.
class CallOpener {
public:
    struct Opened {
        link::PairedKey key;
        Bytes content;
    };

    /// The book outlives it.
    explicit CallOpener(link::KeyBook& keys) : keys_(keys) {}

    /// Code::not_found: no key with this id. Code::refused: not sealed with it, or seen before.
    Result<Opened> open(link::KeyId id, ByteView datagram);

    /// How often a call from an earlier start is followed, per key.
    static constexpr Duration earlier_period = std::chrono::seconds(30);
    /// Opens a call that open() refuses because it is from before the robot's latest start: the robot may
    /// have lost its state, or its clock may be in the past. At most once per earlier_period.
    Result<Opened> open_earlier(link::KeyId id, ByteView datagram, Instant now);
    /// The robot has proven its key on the connection that such a call led to: its count starts there.
    void accept_earlier(link::KeyId id);

private:
    struct Earlier {
        Instant next{};  ///< when another one may be followed
        link::SealedHeader header{};
    };
    link::KeyBook& keys_;
    std::map<link::KeyId, link::BootOpener> openers_;  ///< no more than there have been keys
    std::map<link::KeyId, Earlier> earlier_;           ///< no more than openers_
};

}  // namespace caribou::station
