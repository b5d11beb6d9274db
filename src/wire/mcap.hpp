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

/// Writes a recording. Messages are gathered in a chunk; with its end they come to stand in bytes(),
/// which the owner takes away to a file. Every whole chunk of a file can be read, wherever it was cut:
/// schemas and channels stand before the chunks, so that no chunk needs another.
class McapWriter {
public:
    struct Options {
        std::string profile{};  ///< what the file is for, such as `ros2`; none by default
        std::string library = "caribou";
        std::size_t chunk_size = 1_MiB;  ///< a chunk ends by itself when it has become as large
    };

    explicit McapWriter(Options options);

    /// Describes messages. The number is for add_channel.
    std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view text);
    /// A stream of messages, of a schema or (0) of none. The number is for add.
    std::uint16_t add_channel(std::string_view topic, std::string_view encoding, std::uint16_t schema,
                              const McapMetadata& metadata = {});
    /// Times are nanoseconds since 1970: when it was recorded, and when it was sent.
    void add(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time, ByteView data);

    /// What was added since the last chunk's end comes to stand in bytes(). Nothing: no chunk.
    void end_chunk();
    /// Ends the last chunk, and adds what lets a reader find its way about. The last call but for
    /// bytes() and clear().
    void finish();

    /// What waits to be taken.
    ByteView bytes() const { return bytes_.bytes(); }
    /// What waited has been taken.
    void clear();
    /// All that was written, taken or not, and what stands in the unfinished chunk.
    std::uint64_t size() const { return taken_ + bytes_.size() + chunk_.size(); }
    std::uint64_t messages() const { return messages_; }

private:
    struct Span {
        std::uint64_t first = 0;
        std::uint64_t last = 0;
        void take(std::uint64_t time, bool is_first);
    };
    struct ChunkIndex {
        Span times;
        std::uint64_t start;
        std::uint64_t length;
        std::map<std::uint16_t, std::uint64_t> message_indexes;
        std::uint64_t index_length;
        std::uint64_t size;
    };

    std::uint64_t offset() const { return taken_ + bytes_.size(); }
    /// Takes the bytes up to there into the CRC.
    void cover(std::size_t end);
    void write_summary(std::uint64_t summary_start);
    void write_statistics(McapRecords& to) const;

    Options options_;
    McapRecords bytes_;
    std::uint64_t taken_ = 0;
    std::uint32_t crc_ = 0;    ///< of all bytes up to `covered_`
    std::size_t covered_ = 0;  ///< of bytes_

    McapRecords chunk_;
    Span chunk_times_;
    std::map<std::uint16_t, std::vector<McapIndexEntry>> chunk_messages_;
    std::uint64_t chunk_count_ = 0;

    McapRecords schemas_;   ///< all of them once more, for the summary
    McapRecords channels_;  ///< the same
    std::uint16_t schema_count_ = 0;
    std::map<std::uint16_t, std::uint64_t> counts_;  ///< messages of each channel
    std::vector<ChunkIndex> indexes_;
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
    void enter_chunk(McapFields fields);
    void read_schema(McapFields fields);
    void read_channel(McapFields fields);
    std::optional<McapMessage> read_message(McapFields fields);

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
