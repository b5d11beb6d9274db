#pragma once

#include <cstddef>

namespace caribou::link {

/// Casts for libsodium.
inline unsigned char* raw(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }
inline const unsigned char* raw(const std::byte* bytes) {
    return reinterpret_cast<const unsigned char*>(bytes);
}

}  // namespace caribou::link
