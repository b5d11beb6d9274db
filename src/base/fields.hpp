#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"

namespace caribou {

/// Appends a text, prefixed with its size as a 16-bit number. The text must have at most 65,535 bytes.
inline void append_sized(Bytes& to, std::string_view text) {
    append_le(to, static_cast<std::uint16_t>(text.size()));
    append(to, bytes_of(text));
}

/// Returns the first bytes of a text, at most `most`, without cutting a UTF-8 character.
inline std::string_view clipped(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
    return text.substr(0, most);
}

/// Reads consecutive fields; numbers are little-endian. A read past the end returns zero or an empty view,
/// and from then on ok() returns false.
class FieldReader {
public:
    explicit FieldReader(ByteView bytes) : left_(bytes) {}

    template <Scalar T>
    T number() {
        const ByteView raw = bytes(sizeof(T));
        return raw.empty() ? T{} : load_le<T>(raw.data());
    }
    /// Returns the next byte as a T, or fails if it is greater than `last`.
    template <class T>
    T up_to(T last) {
        const auto value = number<std::uint8_t>();
        if (value <= static_cast<std::uint8_t>(last)) return static_cast<T>(value);
        return break_off(), T{};
    }
    bool flag() { return up_to<std::uint8_t>(1) == 1; }
    ByteView bytes(std::uint64_t size) {
        if (size > left_.size()) return break_off();
        const ByteView taken = left_.first(size);
        left_ = left_.subspan(size);
        return taken;
    }
    /// Returns the next bytes, which are prefixed with their size. Fails if the size exceeds `most`.
    template <std::unsigned_integral Size = std::uint16_t>
    ByteView sized(std::size_t most = std::numeric_limits<Size>::max()) {
        const auto size = number<Size>();
        return size > most ? break_off() : bytes(size);
    }
    std::string text(std::size_t most = std::numeric_limits<std::uint16_t>::max()) {
        return std::string(text_of(sized(most)));
    }
    /// Returns the number of unread bytes.
    std::size_t left() const { return left_.size(); }
    /// Returns all remaining bytes.
    ByteView rest() { return std::exchange(left_, {}); }

    /// Makes ok() return false, for callers that find a value invalid.
    void fail() { ok_ = false; }
    bool ok() const { return ok_; }
    /// Returns true if all bytes were read and no read failed.
    bool complete() const { return ok_ && left_.empty(); }

private:
    ByteView break_off() {
        ok_ = false;
        left_ = {};
        return {};
    }

    ByteView left_;
    bool ok_ = true;
};

}  // namespace caribou
