#pragma once

// Private to wire: how records and fields stand in an MCAP file.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"

namespace caribou::wire {

inline constexpr std::string_view mcap_magic = "\x89MCAP0\r\n";

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

/// Where a message stands in its chunk.
struct McapIndexEntry {
    std::uint64_t time;
    std::uint64_t offset;
};

/// zlib's CRC-32 of the bytes, going on from that of those before them.
std::uint32_t mcap_crc(ByteView bytes, std::uint32_t before = 0);
/// That of some bytes and `size` more, from those of both.
std::uint32_t joined_mcap_crc(std::uint32_t first, std::uint32_t second, std::size_t size);

/// Records as they are written, one after another.
class McapRecords {
public:
    void begin(McapOpcode opcode);
    void end();

    template <Scalar T>
    void put(T value) {
        append_le(bytes_, value);
    }
    void put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        append(bytes_, bytes_of(text));
    }
    void put_raw(ByteView bytes) { append(bytes_, bytes); }
    template <class Key, class Value>
    void put_map(const std::map<Key, Value>& map) {
        put(static_cast<std::uint32_t>(map.size() * (sizeof(Key) + sizeof(Value))));
        for (const auto& [key, value] : map) {
            put(key);
            put(value);
        }
    }

    ByteView bytes() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }
    bool empty() const { return bytes_.empty(); }
    void clear() { bytes_.clear(); }

private:
    Bytes bytes_;
    std::size_t record_ = 0;  ///< where the length of the open one stands
};

/// Reads the fields of a record. What is not there reads as zero or empty, and ok() turns false.
class McapFields {
public:
    explicit McapFields(ByteView bytes) : left_(bytes) {}

    template <Scalar T>
    T take() {
        const ByteView raw = take_raw(sizeof(T));
        return raw.empty() ? T{} : load_le<T>(raw.data());
    }
    std::string_view take_text() { return text_of(take_raw(take<std::uint32_t>())); }
    ByteView take_raw(std::uint64_t size);
    ByteView rest() { return std::exchange(left_, {}); }
    bool ok() const { return ok_; }

private:
    ByteView left_;
    bool ok_ = true;
};

struct McapRecord {
    McapOpcode opcode;
    McapFields fields;
};

/// Takes the next record off. None: there is no whole one.
std::optional<McapRecord> take_record(ByteView& from);

}  // namespace caribou::wire
