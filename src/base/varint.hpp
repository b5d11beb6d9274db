#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"

namespace caribou {

/// Appends a variable-length number: seven bits per byte, low bits first; the high bit is set if more bytes
/// follow.
inline void append_varint(Bytes& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
    to.push_back(static_cast<std::byte>(value));
}

/// Zigzag encoding: maps numbers with small magnitude to small unsigned numbers (0, -1, 1, -2 become 0, 1, 2,
/// 3).
constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

/// Appends a text, prefixed with its size as a variable-length number.
inline void append_text(Bytes& to, std::string_view text) {
    append_varint(to, text.size());
    append(to, bytes_of(text));
}

/// Reads numbers and texts from the front of a byte sequence. If a value is incomplete or malformed, the call
/// returns nullopt and consumes nothing.
class VarintReader {
public:
    explicit VarintReader(ByteView bytes) : bytes_(bytes) {}

    std::size_t offset() const { return offset_; }
    bool at_end() const { return offset_ == bytes_.size(); }

    std::optional<std::uint8_t> byte();
    /// Also returns nullopt if the number needs more than 64 bits.
    std::optional<std::uint64_t> number();
    /// Returns a view into the bytes passed to the constructor.
    std::optional<ByteView> raw(std::uint64_t size);
    std::optional<std::string_view> text();

private:
    ByteView bytes_;
    std::size_t offset_ = 0;
};

}  // namespace caribou
