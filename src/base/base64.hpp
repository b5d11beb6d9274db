#pragma once

#include <string>

#include "base/bytes.hpp"

namespace caribou {

/// Bytes as text, as RFC 4648 has it: for JSON.
std::string base64(ByteView bytes);

}  // namespace caribou
