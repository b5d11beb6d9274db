#include "wire/mcap_format.hpp"

#include <zlib.h>

namespace caribou::wire {

std::uint32_t mcap_crc(ByteView bytes, std::uint32_t before) {
    return static_cast<std::uint32_t>(
        ::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::uint32_t joined_mcap_crc(std::uint32_t first, std::uint32_t second, std::size_t size) {
    return static_cast<std::uint32_t>(::crc32_combine(first, second, static_cast<z_off_t>(size)));
}

void McapRecords::begin(McapOpcode opcode) {
    put(static_cast<std::uint8_t>(opcode));
    record_ = bytes_.size();
    put(std::uint64_t{0});
}

void McapRecords::end() {
    store_le(bytes_.data() + record_, std::uint64_t{bytes_.size() - record_ - sizeof(std::uint64_t)});
}

ByteView McapFields::take_raw(std::uint64_t size) {
    if (size > left_.size()) {
        ok_ = false;
        left_ = {};
        return {};
    }
    const ByteView raw = left_.first(size);
    left_ = left_.subspan(size);
    return raw;
}

std::optional<McapRecord> take_record(ByteView& from) {
    McapFields fields(from);
    const auto opcode = static_cast<McapOpcode>(fields.take<std::uint8_t>());
    const ByteView content = fields.take_raw(fields.take<std::uint64_t>());
    if (!fields.ok()) return std::nullopt;
    from = fields.rest();
    return McapRecord{opcode, McapFields(content)};
}

}  // namespace caribou::wire
