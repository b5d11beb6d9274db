#include "wire/journal_frame.hpp"

// Inlined, so that users of the installed library do not need xxHash.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace caribou::wire {
namespace {

constexpr std::uint32_t last_flag = 1;
constexpr std::uint32_t sealed_flag = 2;
constexpr std::size_t checked_part = FrameHead::size_on_disk - 8;

}  // namespace

std::uint64_t journal_checksum(ByteView bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

void FrameHead::store(std::byte* to) const {
    std::memcpy(to, mark.data(), mark.size());
    store_le(to + 4, size);
    store_le(to + 8, batch);
    store_le(to + 16, index);
    store_le(to + 20, (last ? last_flag : 0) | (sealed ? sealed_flag : 0));
    store_le(to + 24, checksum);
    store_le(to + checked_part, journal_checksum({to, checked_part}));
}

std::optional<FrameHead> FrameHead::load(ByteView bytes) {
    if (bytes.size() < size_on_disk || !text_of(bytes).starts_with(mark)) return std::nullopt;
    const std::byte* const from = bytes.data();
    if (load_le<std::uint64_t>(from + checked_part) != journal_checksum(bytes.first(checked_part)))
        return std::nullopt;
    const auto flags = load_le<std::uint32_t>(from + 20);
    return FrameHead{.batch = load_le<std::uint64_t>(from + 8),
                     .index = load_le<std::uint32_t>(from + 16),
                     .size = load_le<std::uint32_t>(from + 4),
                     .last = (flags & last_flag) != 0,
                     .sealed = (flags & sealed_flag) != 0,
                     .checksum = load_le<std::uint64_t>(from + 24)};
}

}  // namespace caribou::wire
