#pragma once

#include <functional>

#include "base/result.hpp"
#include "link/secret_key.hpp"

namespace caribou::link {

/// Returns the key with an id, or an error with the reason for the peer.
using KeyLookup = std::function<Result<SecretKey>(KeyId)>;

}  // namespace caribou::link
