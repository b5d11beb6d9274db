#pragma once

// Private to wire: records and fields of an MCAP file.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/bytes.hpp"
#include "base/fields.hpp"

namespace caribou::wire {

inline constexpr std::string_view mcap_magic = "\x89MCAP0\r\n";
/// The name of this compression of chunks.
inline constexpr std::string_view mcap_zstd = "zstd";

enum class McapOpcode : std::uint8_t {
    header = 0x01,
    footer = 0x02,
    schema = 0x03,
    channel = 0x04,
    message = 0x05,
    chunk = 0x06,
    message_index = 0x07,
    chunk_index = 0x08,
    statistics = 0x0b,
    summary_offset = 0x0e,
    data_end = 0x0f,
};

/// Size of the opcode and the length, with which a record begins.
inline constexpr std::size_t mcap_record_head = 1 + 8;

/// The position of a message in its chunk, as stored in a message index record.
struct McapIndexEntry {
    std::uint64_t time;
    std::uint64_t offset;
};
static_assert(sizeof(McapIndexEntry) == 16);

/// Returns the CRC-32 (as in zlib) of the bytes, continuing from the CRC of the bytes before them.
std::uint32_t mcap_crc(ByteView bytes, std::uint32_t before = 0);

/// A buffer of serialized records.
class McapRecords {
public:
    void begin(McapOpcode opcode);
    void end();

    template <Scalar... T>
    void put(T... values) {
        std::byte raw[(sizeof(T) + ...)];
        std::byte* at = raw;
        ((store_le(at, values), at += sizeof values), ...);
        put_raw(raw);
    }
    void put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        append(bytes_, bytes_of(text));
    }
    void put_raw(ByteView bytes) { append(bytes_, bytes); }

    ByteView bytes() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }
    bool empty() const { return bytes_.empty(); }
    /// Returns all bytes, and reserves memory for as many again.
    Bytes take();
    /// Inserts bytes before those at `at`.
    void insert(std::size_t at, ByteView bytes);
    /// Replaces the bytes at `at`.
    void overwrite(std::size_t at, ByteView bytes);
    /// Removes all bytes from `at` on.
    void cut(std::size_t at) { bytes_.resize(at); }

private:
    Bytes bytes_;
    std::size_t record_ = 0;  ///< position of the length field of the open record
};

struct McapRecord {
    McapOpcode opcode;
    FieldReader fields;
};

/// Removes and returns the next record, or returns nullopt if it is incomplete.
std::optional<McapRecord> take_record(ByteView& from);

}  // namespace caribou::wire
