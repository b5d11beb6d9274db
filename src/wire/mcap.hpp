#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "wire/mcap_format.hpp"

/// Recordings in the MCAP format, version 0, as docs/formats/mcap.md lays out what of it is used.
namespace caribou::wire {

using McapMetadata = std::map<std::string, std::string, std::less<>>;

/// Writes a recording. Messages are gathered in a chunk, which the owner takes away to a file when it has
/// ended. Every whole chunk of a file can be read, wherever it was cut: schemas and channels stand before the
/// chunks, so that no chunk needs another.
class McapWriter {
public:
    struct Options {
        std::string profile{};  ///< what the file is for, such as `ros2`; none by default
        std::string library = "caribou";
        std::size_t chunk_size = 4_MiB;  ///< a chunk ends by itself when it has become as large
    };

    explicit McapWriter(const Options& options);

    static constexpr std::size_t max_channels = 65'536;

    /// Describes messages. The number is for add_channel.
    std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view text);
    /// A stream of messages, of a schema or (0) of none; at most max_channels. The number is for add.
    std::uint16_t add_channel(std::string_view topic, std::string_view encoding, std::uint16_t schema,
                              const McapMetadata& metadata = {});
    /// Times are nanoseconds since 1970: when it was recorded, and when it was sent.
    void add(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time, ByteView data);

    /// Ends the chunk, and hands over all that was written since the last call.
    Bytes take();
    /// The same with what lets a reader find its way about. The last call.
    Bytes finish();

    /// All that was written, taken or not.
    std::uint64_t size() const { return taken_ + bytes_.size(); }
    std::uint64_t messages() const { return messages_; }

private:
    struct Span {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        void take(std::uint64_t time, bool is_first);
    };
    struct Channel {
        std::uint64_t count = 0;
        std::vector<McapIndexEntry> in_chunk{};  ///< its messages
    };

    /// A record that stands once more in the summary.
    void put_before_chunk(ByteView record);
    void begin_chunk();
    void end_chunk();
    void index_chunk(std::uint64_t length);
    void write_summary();
    void write_statistics(McapRecords& to) const;

    std::size_t chunk_size_;
    McapRecords bytes_;  ///< what was not taken; the open chunk is its end
    std::uint64_t taken_ = 0;
    std::uint32_t crc_ = 0;  ///< of what was taken

    std::size_t chunk_start_ = 0;  ///< in bytes_, of the open one if it has messages
    std::size_t chunk_messages_ = 0;
    Span chunk_times_;

    McapRecords schemas_;        ///< all of them, for the summary
    McapRecords channels_;       ///< the same
    McapRecords chunk_indexes_;  ///< the same
    std::uint16_t schema_count_ = 0;
    std::uint32_t chunk_count_ = 0;
    std::vector<Channel> streams_;
    Span times_;
    std::uint64_t messages_ = 0;
};

/// The channel that messages come on. Its texts stand in the file.
struct McapChannel {
    std::uint16_t id = 0;
    std::string_view topic{};
    std::string_view encoding{};
    std::string_view schema_name{};  ///< empty: it has none
    std::string_view schema_encoding{};
    std::string_view schema_text{};
};

/// A message. Its data stands in the file.
struct McapMessage {
    const McapChannel* channel = nullptr;  ///< for as long as the reader
    std::uint32_t sequence = 0;
    std::uint64_t log_time = 0;      ///< nanoseconds since 1970
    std::uint64_t publish_time = 0;  ///< the same
    ByteView data{};
};

struct McapTimes {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};
/// When the first and the last message were recorded, by the summary of a file that was finished, and else by
/// the heads of its chunks. None: it has no message, or is no MCAP file.
std::optional<McapTimes> mcap_times(ByteView file);

/// Reads a recording from its beginning to its end, or to where it was cut, in the order of the file.
/// Compressed chunks are not read, and damaged ones are not believed: they are passed over and counted.
class McapReader {
public:
    /// Fails if that is no MCAP file. The bytes outlive the reader.
    static Result<McapReader> open(ByteView file);

    std::optional<McapMessage> next();

    const std::map<std::uint16_t, McapChannel>& channels() const { return channels_; }
    /// The file was finished: its end was found where it should be.
    bool complete() const { return complete_; }
    /// Chunks and records that made no sense, or could not be read.
    std::uint64_t passed_over() const { return passed_over_; }

private:
    explicit McapReader(ByteView records) : file_(records) {}

    void take(const McapRecord& record);
    void enter_chunk(FieldReader fields);
    void read_schema(FieldReader fields);
    void read_channel(FieldReader fields);
    std::optional<McapMessage> read_message(FieldReader fields);

    struct Schema {
        std::string_view name;
        std::string_view encoding;
        std::string_view text;
    };

    ByteView file_;   ///< what was not read yet
    ByteView chunk_;  ///< the same of the chunk that is being read
    std::map<std::uint16_t, Schema> schemas_;
    std::map<std::uint16_t, McapChannel> channels_;
    std::uint64_t passed_over_ = 0;
    bool complete_ = false;
};

}  // namespace caribou::wire
