#pragma once

#include <cstddef>
#include <optional>

#include "base/bytes.hpp"

namespace caribou::wire {

/// Returns the bytes as one zstd frame.
Bytes zstd_compressed(ByteView bytes);

/// Returns the content of a zstd frame, or nullopt if it is malformed or does not have exactly `size` bytes.
/// Allocates `size` bytes: the caller limits it.
std::optional<Bytes> zstd_content(ByteView frame, std::size_t size);

}  // namespace caribou::wire
