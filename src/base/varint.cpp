#include "base/varint.hpp"

namespace caribou {

std::optional<std::uint8_t> VarintReader::byte() {
    if (at_end()) return std::nullopt;
    return static_cast<std::uint8_t>(bytes_[offset_++]);
}

std::optional<std::uint64_t> VarintReader::number() {
    std::uint64_t value = 0;
    std::size_t at = offset_;
    for (unsigned shift = 0; shift < 64 && at < bytes_.size(); shift += 7) {
        const auto next = static_cast<std::uint64_t>(bytes_[at++]);
        if (shift == 63 && next > 1) return std::nullopt;
        value |= (next & 0x7f) << shift;
        if (next < 0x80) {
            offset_ = at;
            return value;
        }
    }
    return std::nullopt;
}

std::optional<ByteView> VarintReader::raw(std::uint64_t size) {
    if (size > bytes_.size() - offset_) return std::nullopt;
    const ByteView taken = bytes_.subspan(offset_, size);
    offset_ += size;
    return taken;
}

std::optional<std::string_view> VarintReader::text() {
    const std::size_t before = offset_;
    if (const auto size = number())
        if (const auto taken = raw(*size)) return text_of(*taken);
    offset_ = before;
    return std::nullopt;
}

}  // namespace caribou
