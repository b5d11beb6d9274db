#include "archive/mcap_format.hpp"

#include <algorithm>
#include <utility>

#include <libdeflate.h>

namespace caribou::wire {

std::uint32_t mcap_crc(ByteView bytes, std::uint32_t before) {
    return ::libdeflate_crc32(before, bytes.data(), bytes.size());
}

void McapRecords::begin(McapOpcode opcode) {
    put(std::to_underlying(opcode), std::uint64_t{0});
    record_ = bytes_.size() - sizeof(std::uint64_t);
}

void McapRecords::end() {
    store_le(bytes_.data() + record_, std::uint64_t{bytes_.size() - record_ - sizeof(std::uint64_t)});
}

Bytes McapRecords::take() {
    Bytes taken;
    taken.swap(bytes_);
    bytes_.reserve(taken.size() + taken.size() / 8);
    return taken;
}

void McapRecords::insert(std::size_t at, ByteView bytes) {
    bytes_.insert(bytes_.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin(), bytes.end());
}

void McapRecords::overwrite(std::size_t at, ByteView bytes) {
    std::ranges::copy(bytes, bytes_.begin() + static_cast<std::ptrdiff_t>(at));
}

std::optional<McapRecord> take_record(ByteView& from) {
    FieldReader fields(from);
    const auto opcode = static_cast<McapOpcode>(fields.number<std::uint8_t>());
    const ByteView content = fields.sized<std::uint64_t>();
    if (!fields.ok()) return std::nullopt;
    from = fields.rest();
    return McapRecord{opcode, FieldReader(content)};
}

}  // namespace caribou::wire
