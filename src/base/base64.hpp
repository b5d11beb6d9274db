#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace caribou {

/// Returns the bytes encoded as padded base64 (RFC 4648, section 4), for use in JSON.
std::string base64(ByteView bytes);
/// Returns the bytes of such a text, or nullopt if it is malformed.
std::optional<Bytes> base64_content(std::string_view text);

}  // namespace caribou
