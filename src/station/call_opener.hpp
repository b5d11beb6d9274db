#pragma once

#include <map>

#include "link/datagram_seal.hpp"
#include "link/key_book.hpp"

namespace caribou::station {

/// Opens what robots send while they have no session, each datagram once, and tells by its key whose it is.
class CallOpener {
public:
    struct Opened {
        link::PairedKey key;
        Bytes content;
    };

    /// The book outlives it.
    explicit CallOpener(link::KeyBook& keys) : keys_(keys) {}

    /// not_found: a key that nobody has here. refused: not the holder's, or seen before.
    Result<Opened> open(link::KeyId id, ByteView datagram);

private:
    link::KeyBook& keys_;
    std::map<link::KeyId, link::BootOpener> openers_;  ///< no more than there have been keys
};

}  // namespace caribou::station
