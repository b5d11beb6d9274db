#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace caribou {

using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// Views text as bytes, and bytes as text. Nothing is copied: the result refers to the argument's memory.
inline ByteView bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }
inline std::string_view text_of(ByteView bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <class T>
concept Scalar = std::integral<T> || std::floating_point<T>;

/// Returns the little-endian number at `from`. The caller guarantees that sizeof(T) bytes are readable there.
template <Scalar T>
T load_le(const std::byte* from) {
    static_assert(std::endian::native == std::endian::little, "big-endian hosts need a byte swap here");
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Writes a little-endian number to `to`. The caller guarantees room for sizeof(T) bytes.
template <Scalar T>
void store_le(std::byte* to, T value) {
    static_assert(std::endian::native == std::endian::little, "big-endian hosts need a byte swap here");
    std::memcpy(to, &value, sizeof value);
}

inline void append(Bytes& to, ByteView bytes) { to.insert(to.end(), bytes.begin(), bytes.end()); }

template <Scalar T>
void append_le(Bytes& to, T value) {
    std::byte raw[sizeof value];
    store_le(raw, value);
    append(to, raw);
}

}  // namespace caribou
