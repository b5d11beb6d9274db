#pragma once

// Private to wire.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"

namespace caribou::wire {

/// The last character is the format version.
inline constexpr std::string_view journal_mark = "caribou journal1";
inline constexpr std::uint32_t clear_number = 0xffff'ffff;
inline constexpr std::size_t record_head_size = 8;  // length, number
inline constexpr std::size_t value_head_size = record_head_size + 16;

/// The header of a frame. The body follows immediately.
struct FrameHead {
    std::uint64_t batch = 0;
    std::uint32_t index = 0;  ///< within the batch
    std::uint32_t size = 0;   ///< of the body
    bool last = false;        ///< of the batch
    bool sealed = false;
    std::uint64_t checksum = 0;  ///< of the body

    static constexpr std::size_t size_on_disk = 40;
    static constexpr std::string_view mark = "CJ1\n";

    void store(std::byte* to) const;
    /// Returns nullopt if the bytes do not begin with a complete and valid header.
    static std::optional<FrameHead> load(ByteView bytes);
};

std::uint64_t journal_checksum(ByteView bytes);

}  // namespace caribou::wire
