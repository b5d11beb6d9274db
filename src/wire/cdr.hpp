#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

/// CDR, the serialization of ROS 2 messages: plain XCDR version 1. The format is described in
/// docs/formats/cdr.md.
namespace caribou::wire {

/// Size of the header with which every payload begins, and which states the encoding. Alignment is relative
/// to the end of the header.
inline constexpr std::size_t cdr_header_size = 4;

/// Types that can be copied byte by byte. Excludes bool, because received bytes may be neither 0 nor 1.
template <class T>
concept CdrNumber = Scalar<T> && !std::same_as<T, bool>;

/// Serializes consecutive fields, little-endian, each aligned to its size.
class CdrWriter {
public:
    CdrWriter();

    template <Scalar T>
    void put(T value) {
        store_le(grow(sizeof(T), sizeof(T)), value);
    }
    void put(std::string_view text);
    /// Writes the elements of a fixed-size array, without a count.
    template <Scalar T>
    void put_all(std::span<const T> values) {
        if (!values.empty())
            std::memcpy(grow(sizeof(T), values.size_bytes()), values.data(), values.size_bytes());
    }
    /// Writes the element count that precedes a sequence.
    void put_count(std::size_t count);

    ByteView bytes() const { return bytes_; }
    Bytes take() && { return std::move(bytes_); }

private:
    std::byte* grow(std::size_t alignment, std::size_t size);

    Bytes bytes_;
};

/// Deserializes consecutive fields of either byte order. After the first invalid field, every read returns
/// zero or an empty value, and outcome() returns the error with its offset.
class CdrReader {
public:
    /// The payload must outlive the reader.
    explicit CdrReader(ByteView payload);

    template <Scalar T>
    T take() {
        const std::byte* from = next(sizeof(T), sizeof(T));
        return from == nullptr ? T{} : number<T>(from);
    }
    std::string take_string();
    /// Reads a fixed-size array.
    template <CdrNumber T>
    void take_all(std::span<T> into) {
        if (into.empty()) return;
        const std::byte* from = next(sizeof(T), into.size_bytes());
        if (from == nullptr) return;
        std::memcpy(into.data(), from, into.size_bytes());
        if (swapped_) std::ranges::for_each(into, [](T& value) { value = swapped(value); });
    }
    /// Returns the element count of a sequence. Fails if the remaining bytes cannot contain that many
    /// elements of at least `least_size` bytes, or if the count exceeds `bound`. Memory is therefore never
    /// allocated on the basis of a sender's count alone.
    std::size_t take_count(std::size_t least_size, std::optional<std::size_t> bound = {});
    /// Reads a sequence of numbers.
    template <CdrNumber T>
    void take_sequence(std::vector<T>& into, std::optional<std::size_t> bound = {}) {
        into.resize(take_count(sizeof(T), bound));
        take_all(std::span(into));
    }

    /// Reports an error at the position of the field that was read last.
    void refuse(std::string what);
    bool failed() const { return fault_.has_value(); }
    Result<void> outcome() const;
    /// Returns the number of unread bytes. They may be padding, or fields of a newer version of the type.
    std::size_t remaining() const { return bytes_.size() - position_; }

private:
    /// Skips padding and returns a pointer to the next `size` bytes, or nullptr if there are too few.
    const std::byte* next(std::size_t alignment, std::size_t size);

    template <Scalar T>
    static T swapped(T value) {
        auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
        std::ranges::reverse(raw);
        return std::bit_cast<T>(raw);
    }
    template <Scalar T>
    T number(const std::byte* from) const {
        const T value = load_le<T>(from);
        return swapped_ ? swapped(value) : value;
    }

    ByteView bytes_;
    std::size_t position_ = cdr_header_size;
    std::size_t last_ = 0;  ///< position of the last field read
    bool swapped_ = false;
    std::optional<std::string> fault_;
};

template <>
bool CdrReader::take<bool>();

/// Serialization of a type as a ROS 2 message. Specialized by the headers that tools/msg_to_cpp.py generates
/// from `.msg` files (`msg/std_msgs/string.hpp`), or by hand:
///
///     static constexpr std::string_view type_name = "pkg/msg/Name";
///     static void write(CdrWriter&, const T&);
///     static Result<T> read(CdrReader&);
template <class T>
struct MessageCodec;

template <class T>
concept WireMessage = requires(const T& message, CdrWriter& writer, CdrReader& reader) {
    { MessageCodec<T>::type_name } -> std::convertible_to<std::string_view>;
    MessageCodec<T>::write(writer, message);
    { MessageCodec<T>::read(reader) } -> std::same_as<Result<T>>;
};

template <WireMessage T>
Bytes encode_cdr(const T& message) {
    CdrWriter writer;
    MessageCodec<T>::write(writer, message);
    return std::move(writer).take();
}

/// Returns the message, or Code::malformed. Bytes after the last field are ignored, as by all other
/// receivers.
template <WireMessage T>
Result<T> decode_cdr(ByteView payload) {
    CdrReader reader(payload);
    return MessageCodec<T>::read(reader);
}

}  // namespace caribou::wire
