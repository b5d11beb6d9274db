#pragma once

#include <string>
#include <string_view>

namespace caribou {

/// Returns the SHA-256 digest as 64 lowercase hexadecimal digits.
std::string sha256_of(std::string_view bytes);

}  // namespace caribou
