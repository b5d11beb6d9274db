#include "wire/cdr.hpp"

#include <limits>

#include <fmt/format.h>

#include "base/check.hpp"

namespace caribou::wire {
namespace {

constexpr std::byte little_endian_cdr{0x01};

/// Returns the number of padding bytes before the next multiple of `alignment`, relative to the end of the
/// header.
std::size_t padding(std::size_t position, std::size_t alignment) {
    return (alignment - (position - cdr_header_size) % alignment) % alignment;
}

}  // namespace

CdrWriter::CdrWriter() : bytes_{std::byte{0}, little_endian_cdr, std::byte{0}, std::byte{0}} {}

std::byte* CdrWriter::grow(std::size_t alignment, std::size_t size) {
    const std::size_t at = bytes_.size() + padding(bytes_.size(), alignment);
    bytes_.resize(at + size);
    return bytes_.data() + at;
}

void CdrWriter::put(std::string_view text) {
    put_count(text.size() + 1);
    std::byte* const to = grow(1, text.size() + 1);
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
}

void CdrWriter::put_count(std::size_t count) {
    check(count <= std::numeric_limits<std::uint32_t>::max(), "a sequence has at most 2^32-1 elements");
    put(static_cast<std::uint32_t>(count));
}

CdrReader::CdrReader(ByteView payload) : bytes_(payload) {
    if (payload.size() < cdr_header_size) {
        fault_ = fmt::format("{} bytes, but the header alone has {}", payload.size(), cdr_header_size);
    } else if (payload[0] != std::byte{0} || payload[1] > little_endian_cdr) {
        fault_ = fmt::format(
            "the header {:02x} {:02x} at offset 0 is not that of plain CDR, 00 00 or 00 01; the writer has "
            "to offer the data representation XCDR1",
            std::to_integer<int>(payload[0]), std::to_integer<int>(payload[1]));
    } else {
        swapped_ = payload[1] != little_endian_cdr;
    }
    if (failed()) position_ = payload.size();
}

const std::byte* CdrReader::next(std::size_t alignment, std::size_t size) {
    if (failed()) return nullptr;
    const std::size_t skip = padding(position_, alignment);
    last_ = position_ + skip;
    if (skip > remaining() || size > remaining() - skip) {
        refuse(fmt::format("{} bytes are missing", skip + size - remaining()));
        return nullptr;
    }
    position_ = last_ + size;
    return bytes_.data() + last_;
}

template <>
bool CdrReader::take<bool>() {
    const auto value = take<std::uint8_t>();
    if (value > 1) refuse(fmt::format("a bool is 0 or 1, not {}", value));
    return value == 1;
}

std::string CdrReader::take_string() {
    const auto size = take<std::uint32_t>();
    if (failed() || size == 0) return {};  // some writers omit the NUL of an empty text
    if (size > remaining()) {
        refuse(fmt::format("a text of {} bytes, but {} are left", size, remaining()));
        return {};
    }
    const auto text = text_of(bytes_.subspan(position_, size));
    if (text.back() != '\0') {
        refuse("a text that does not end with NUL");
        return {};
    }
    position_ += size;
    return std::string(text.substr(0, size - 1));
}

std::size_t CdrReader::take_count(std::size_t least_size, std::optional<std::size_t> bound) {
    const auto count = take<std::uint32_t>();
    if (count > remaining() / std::max<std::size_t>(least_size, 1))
        refuse(fmt::format("a sequence of {} elements, but {} bytes are left", count, remaining()));
    else if (bound && count > *bound)
        refuse(fmt::format("a sequence of {} elements, but at most {} are allowed", count, *bound));
    return failed() ? 0 : count;
}

void CdrReader::refuse(std::string what) {
    if (!failed()) fault_ = fmt::format("at offset {}: {}", last_, what);
    position_ = bytes_.size();
}

Result<void> CdrReader::outcome() const {
    if (fault_) return fail(Code::malformed, "CDR " + *fault_);
    return {};
}

}  // namespace caribou::wire
