#pragma once

#include <string_view>

#include "link/secret_key.hpp"
#include "loop/stream.hpp"

namespace caribou::link {

/// A stream whose two ends have proved to each other that they hold the same key. Encrypted and
/// authenticated.
class SecuredStream : public Stream {
public:
    /// Returns the id of the proved key.
    virtual KeyId key() const = 0;
    /// Returns a key that both ends derive for the same purpose, unique to this connection and known to no
    /// third party. Must not be called before the stream is connected.
    virtual SecretKey derive(std::string_view purpose) const = 0;
};

}  // namespace caribou::link
