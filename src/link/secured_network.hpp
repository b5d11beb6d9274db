#pragma once

#include <memory>

#include "link/secured_stream.hpp"
#include "loop/network.hpp"

namespace caribou::link {

/// A network whose streams are all SecuredStreams: both ends have proven a key before anybody hears of them.
class SecuredNetwork : public Network {
public:
    using Network::connect;
    /// With the key that the other end has, too.
    virtual std::unique_ptr<SecuredStream> connect(const Address& to, const SecretKey& key,
                                                   StreamEvents& events) = 0;
};

/// What a stream of a network is beyond a stream. Null: a plain one.
inline const SecuredStream* secured(const Stream& stream) {
    return dynamic_cast<const SecuredStream*>(&stream);
}

}  // namespace caribou::link
