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

/// CDR, the bytes of ROS 2 messages: XCDR version 1, plain, as docs/formats/cdr.md lays it out.
namespace caribou::wire {

/// Each payload begins with four bytes that say how the rest is written; alignment counts from
/// behind them.
inline constexpr std::size_t cdr_header_size = 4;

/// What can be copied as it stands. A bool cannot: bytes from outside may be neither 0 nor 1.
template <class T>
concept CdrNumber = Scalar<T> && !std::same_as<T, bool>;

/// Writes fields one after another, little-endian, each aligned to its size.
class CdrWriter {
public:
    CdrWriter();

    template <Scalar T>
    void put(T value) {
        store_le(grow(sizeof(T), sizeof(T)), value);
    }
    void put(std::string_view text);
    /// The elements of an array, without their number.
    template <Scalar T>
    void put_all(std::span<const T> values) {
        if (!values.empty())
            std::memcpy(grow(sizeof(T), values.size_bytes()), values.data(), values.size_bytes());
    }
    /// What goes before the elements of a sequence.
    void put_count(std::size_t count);

    ByteView bytes() const { return bytes_; }
    Bytes take() && { return std::move(bytes_); }

private:
    std::byte* grow(std::size_t alignment, std::size_t size);

    Bytes bytes_;
};

/// Reads fields one after another, of either byte order. After the first field that does not hold
/// everything reads as zero or empty, and outcome() says what was wrong and where.
class CdrReader {
public:
    /// The bytes outlive the reader.
    explicit CdrReader(ByteView payload);

    template <Scalar T>
    T take() {
        const std::byte* from = next(sizeof(T), sizeof(T));
        return from == nullptr ? T{} : number<T>(from);
    }
    std::string take_string();
    /// Fills an array, whose number of elements is known.
    template <CdrNumber T>
    void take_all(std::span<T> into) {
        if (into.empty()) return;
        const std::byte* from = next(sizeof(T), into.size_bytes());
        if (from == nullptr) return;
        std::memcpy(into.data(), from, into.size_bytes());
        if (swapped_) std::ranges::for_each(into, [](T& value) { value = swapped(value); });
    }
    /// The number of elements of a sequence. One that cannot be, because each element takes at least
    /// `least_size` bytes, or that is above a bound, is an error: memory is never asked for on a
    /// sender's word alone.
    std::size_t take_count(std::size_t least_size, std::optional<std::size_t> bound = {});
    /// A sequence of numbers.
    template <CdrNumber T>
    void take_sequence(std::vector<T>& into, std::optional<std::size_t> bound = {}) {
        into.resize(take_count(sizeof(T), bound));
        take_all(std::span(into));
    }

    /// Declares what was read last to be wrong.
    void refuse(std::string what);
    bool failed() const { return fault_.has_value(); }
    Result<void> outcome() const;
    /// Bytes that were not read: none, or padding, or fields of a newer version of the type.
    std::size_t remaining() const { return bytes_.size() - position_; }

private:
    /// The place of `size` bytes behind the padding, or null if they are not there.
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
    std::size_t last_ = 0;  ///< where the field stands that was read last
    bool swapped_ = false;
    std::optional<std::string> fault_;
};

template <>
bool CdrReader::take<bool>();

/// What a type needs to go over the wire as a ROS 2 message. Specialised by the headers that
/// tools/msg_to_cpp.py makes of `.msg` files (`msg/std_msgs/string.hpp`), or by hand:
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

/// What follows the last field is passed over, as every receiver does.
template <WireMessage T>
Result<T> decode_cdr(ByteView payload) {
    CdrReader reader(payload);
    return MessageCodec<T>::read(reader);
}

}  // namespace caribou::wire
