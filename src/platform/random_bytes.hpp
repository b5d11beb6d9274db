#pragma once

#include <cstddef>
#include <span>

namespace caribou {

/// Fills the buffer with cryptographically secure random bytes, for keys and nonces.
void fill_with_random_bytes(std::span<std::byte> room);

}  // namespace caribou
