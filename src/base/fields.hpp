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

/// A text, its size in two bytes before it.
inline void append_sized(Bytes& to, std::string_view text) {
    append_le(to, static_cast<std::uint16_t>(text.size()));
    append(to, bytes_of(text));
}

/// Reads field by field, numbers little-endian. What is not there reads as zero or empty, and ok() turns
/// false for good.
class FieldReader {
public:
    explicit FieldReader(ByteView bytes) : left_(bytes) {}

    template <Scalar T>
    T number() {
        const ByteView raw = bytes(sizeof(T));
        return raw.empty() ? T{} : load_le<T>(raw.data());
    }
    /// A byte that is not above `last`.
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
    /// Bytes whose size, at most `most`, stands before them.
    template <std::unsigned_integral Size = std::uint16_t>
    ByteView sized(std::size_t most = std::numeric_limits<Size>::max()) {
        const auto size = number<Size>();
        return size > most ? break_off() : bytes(size);
    }
    std::string text(std::size_t most = std::numeric_limits<std::uint16_t>::max()) {
        return std::string(text_of(sized(most)));
    }
    ByteView rest() { return std::exchange(left_, {}); }

    void fail() { ok_ = false; }
    bool ok() const { return ok_; }
    /// Everything was read, and nothing was wrong.
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
