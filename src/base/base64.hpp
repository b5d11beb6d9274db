#pragma once

#include <string>

#include "base/bytes.hpp"

namespace caribou {

/// Returns the bytes encoded as padded base64 (RFC 4648, section 4), for use in JSON.
std::string base64(ByteView bytes);

}  // namespace caribou
