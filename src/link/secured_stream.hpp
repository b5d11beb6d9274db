#pragma once

#include <string_view>

#include "link/secret_key.hpp"
#include "loop/stream.hpp"

namespace caribou::link {

/// A stream whose two ends have proven to each other that they hold the same key. What goes over it is
/// read and altered by nobody else.
class SecuredStream : public Stream {
public:
    /// The key that was proven.
    virtual KeyId key() const = 0;
    /// A key that both ends get for the same purpose, that nobody else can know, and that no other
    /// connection has. Once the stream stands.
    virtual SecretKey derive(std::string_view purpose) const = 0;
};

}  // namespace caribou::link
