#pragma once

#include <memory>

#include "link/secured_stream.hpp"
#include "loop/network.hpp"

namespace caribou::link {

/// A network whose streams are all SecuredStreams: both ends have proved a key before a connection is
/// reported.
class SecuredNetwork : public Network {
public:
    using Network::connect;
    /// Connects with the key shared with the other end.
    virtual std::unique_ptr<SecuredStream> connect(const Address& to, const SecretKey& key,
                                                   StreamEvents& events) = 0;
};

/// Returns the secured stream, or null for a plain one.
inline const SecuredStream* secured(const Stream& stream) {
    return dynamic_cast<const SecuredStream*>(&stream);
}

}  // namespace caribou::link
