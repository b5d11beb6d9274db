#pragma once

#include <cstddef>
#include <span>

namespace caribou {

/// Fills the room with bytes that nobody can guess: for keys and nonces.
void fill_with_random_bytes(std::span<std::byte> room);

}  // namespace caribou
