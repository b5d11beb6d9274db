#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"

namespace caribou {

/// Appends a number, seven bits to a byte, the low ones first; the high bit says that more follow.
inline void append_varint(Bytes& to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
    to.push_back(static_cast<std::byte>(value));
}

/// Small distances from 0 become small numbers: 0, -1, 1, -2 are 0, 1, 2, 3.
constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

inline void append_text(Bytes& to, std::string_view text) {
    append_varint(to, text.size());
    append(to, bytes_of(text));
}

/// Takes numbers and texts from the front of some bytes. What does not fit is nothing, and takes
/// nothing.
class VarintReader {
public:
    explicit VarintReader(ByteView bytes) : bytes_(bytes) {}

    std::size_t offset() const { return offset_; }
    bool at_end() const { return offset_ == bytes_.size(); }

    std::optional<std::uint8_t> byte();
    /// Nothing also if the number needs more than 64 bits.
    std::optional<std::uint64_t> number();
    /// Refers to the bytes.
    std::optional<ByteView> raw(std::uint64_t size);
    std::optional<std::string_view> text();

private:
    ByteView bytes_;
    std::size_t offset_ = 0;
};

}  // namespace caribou
