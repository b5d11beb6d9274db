#pragma once

#include <functional>

#include "base/result.hpp"
#include "link/secret_key.hpp"

namespace caribou::link {

/// The key that goes by an id, or a sentence why there is none for the one who asks.
using KeyLookup = std::function<Result<SecretKey>(KeyId)>;

}  // namespace caribou::link
