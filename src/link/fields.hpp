#pragma once

// Private to link: how fields stand in its messages. All numbers are little-endian; a text has its size
// in two bytes before it.

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace caribou::link {

inline void append_text(Bytes& to, std::string_view text) {
    append_le(to, static_cast<std::uint16_t>(text.size()));
    append(to, bytes_of(text));
}

/// Reads field by field. What is not there reads as zero, and `ok` turns false for good.
class FieldReader {
public:
    explicit FieldReader(ByteView bytes) : left_(bytes) {}

    template <Scalar T>
    T number() {
        if (left_.size() < sizeof(T)) return broken<T>();
        const T value = load_le<T>(left_.data());
        left_ = left_.subspan(sizeof(T));
        return value;
    }
    bool flag() {
        const auto value = number<std::uint8_t>();
        if (value > 1) ok_ = false;
        return value == 1;
    }
    /// An enumerator that is not above `last`.
    template <class Enum>
    Enum one_of(Enum last) {
        const auto value = number<std::uint8_t>();
        if (value > static_cast<std::uint8_t>(last)) return broken<Enum>();
        return static_cast<Enum>(value);
    }
    std::string text(std::size_t most) { return std::string(text_of(sized(most))); }
    /// Bytes that stand like a text.
    Bytes bytes(std::size_t most) {
        const ByteView value = sized(most);
        return {value.begin(), value.end()};
    }
    /// A number of things that is at most `most`.
    std::size_t count(std::size_t most) {
        const std::size_t value = number<std::uint8_t>();
        return value > most ? broken<std::size_t>() : value;
    }
    void fail() { ok_ = false; }
    bool ok() const { return ok_; }
    /// Everything was read, and nothing was wrong.
    bool complete() const { return ok_ && left_.empty(); }

private:
    ByteView sized(std::size_t most) {
        const std::size_t size = number<std::uint16_t>();
        if (size > most || size > left_.size()) return broken<ByteView>();
        const ByteView value = left_.first(size);
        left_ = left_.subspan(size);
        return value;
    }
    template <class T>
    T broken() {
        ok_ = false;
        left_ = {};
        return T{};
    }

    ByteView left_;
    bool ok_ = true;
};

}  // namespace caribou::link
