#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archive/mcap_batch.hpp"
#include "archive/mcap_format.hpp"
#include "base/bytes.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"

/// Recordings in the MCAP format, version 0. The subset in use is described in docs/formats/mcap.md.
namespace caribou::wire {

using McapMetadata = std::map<std::string, std::string, std::less<>>;

/// Writes a recording. Messages are collected in a chunk; take() ends it and returns the bytes to append to a
/// file. If the file is truncated, all its complete chunks remain readable: schemas and channels are written
/// before the chunks that use them, so that no chunk depends on another.
class McapWriter {
public:
    struct Options {
        std::string profile{};  ///< intended use of the file, such as `ros2`; empty by default
        std::string library = "caribou";
        std::size_t chunk_size = 4_MiB;  ///< a chunk ends automatically when it reaches this size
        bool compress = false;           ///< chunks with zstd
    };

    explicit McapWriter(const Options& options);

    static constexpr std::size_t max_channels = 65'536;

    /// Adds a description of messages. Returns the id to pass to add_channel().
    std::uint16_t add_schema(std::string_view name, std::string_view encoding, std::string_view text);
    /// Adds a channel with a schema, or with none if `schema` is 0. Returns the id to pass to add(). At most
    /// max_channels.
    std::uint16_t add_channel(std::string_view topic, std::string_view encoding, std::uint16_t schema,
                              const McapMetadata& metadata = {});
    /// Adds a message. Times are in nanoseconds since 1970: when it was recorded, and when it was sent.
    void add(std::uint16_t channel, std::uint64_t log_time, std::uint64_t publish_time, ByteView data);

    /// Adds everything in the batch, whose ids are those of this writer.
    void add(const McapBatch& batch);

    /// Ends the chunk, and returns everything written since the last call.
    Bytes take();
    /// Like take(), but also writes the index and the summary for random access. The last call.
    Bytes finish();

    /// Returns the size of everything written so far, taken or not.
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
        std::vector<McapIndexEntry> in_chunk{};  ///< index of its messages in the open chunk
    };

    /// Writes a record that is repeated in the summary.
    void put_before_chunk(ByteView record);
    void begin_chunk();
    void end_chunk();
    /// `stored` and `content` are the bytes of the messages in the file, and before compression.
    void index_chunk(std::uint64_t stored, std::uint64_t content);
    void write_summary();
    void write_statistics(McapRecords& to) const;

    std::size_t chunk_size_;
    std::string_view compression_;  ///< name of the format; empty: none
    McapRecords bytes_;             ///< output not taken yet; ends with the open chunk
    std::uint64_t taken_ = 0;
    std::uint32_t crc_ = 0;  ///< of the output taken so far

    std::size_t chunk_start_ = 0;  ///< offset in bytes_ of the open chunk, if it has messages
    std::size_t chunk_messages_ = 0;
    Span chunk_times_;

    McapRecords schemas_;        ///< all of them, for the summary
    McapRecords channels_;       ///< likewise
    McapRecords chunk_indexes_;  ///< likewise
    std::uint16_t schema_count_ = 0;
    std::uint32_t chunk_count_ = 0;
    std::vector<Channel> streams_;
    Span times_;
    std::uint64_t messages_ = 0;
};

/// A channel of a recording.
struct McapChannel {
    std::uint16_t id = 0;
    std::string topic{};
    std::string encoding{};
    std::string schema_name{};  ///< empty if there is no schema
    std::string schema_encoding{};
    std::string schema_text{};
};

/// A message of a recording. The data refers to the file, or to `chunk`.
struct McapMessage {
    const McapChannel* channel = nullptr;  ///< valid for the lifetime of the reader
    std::uint32_t sequence = 0;
    std::uint64_t log_time = 0;      ///< nanoseconds since 1970
    std::uint64_t publish_time = 0;  ///< likewise
    ByteView data{};
    std::shared_ptr<const Bytes> chunk{};  ///< content of a compressed chunk; null if it was not compressed
};

struct McapTimes {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
};
/// Returns the profile in the header; empty if there is none or it is not an MCAP file.
std::string mcap_profile(ByteView file);

/// Returns the times at which the first and the last message were recorded: from the summary of a finished
/// file, otherwise from the headers of the chunks. Returns nullopt if there are no messages or it is not an
/// MCAP file.
std::optional<McapTimes> mcap_times(ByteView file);

/// Reads a recording in file order, up to its end or to where it was truncated. Chunks with a wrong checksum,
/// with another compression than zstd and above max_chunk are skipped and counted.
class McapReader {
public:
    static constexpr std::size_t max_chunk = 64_MiB;  ///< after decompression

    /// Fails if it is not an MCAP file. The bytes must outlive the reader.
    static Result<McapReader> open(ByteView file);

    /// Skips the chunks before `time` that do not have the last message of any channel up to then, without
    /// decompressing them. Call it before the first next().
    void skip_before(std::uint64_t time);

    std::optional<McapMessage> next();

    const std::map<std::uint16_t, McapChannel>& channels() const { return channels_; }
    /// Returns whether the file was finished properly. Valid once next() has returned nullopt.
    bool complete() const { return complete_; }
    /// Returns the number of chunks and records that were malformed or not supported.
    std::uint64_t passed_over() const { return passed_over_; }

private:
    explicit McapReader(ByteView records) : file_(records) {}

    void take(const McapRecord& record);
    void enter_chunk(FieldReader fields);
    /// Returns the messages of a chunk; empty if they cannot be read.
    ByteView content_of(std::string_view compression, ByteView stored, std::uint64_t size);
    void read_schema(FieldReader fields);
    void read_channel(FieldReader fields);
    std::optional<McapMessage> read_message(FieldReader fields);

    struct Schema {
        std::string name;
        std::string encoding;
        std::string text;
    };

    ByteView file_;                         ///< the part not read yet
    ByteView chunk_;                        ///< likewise, of the current chunk
    std::shared_ptr<const Bytes> content_;  ///< of the current chunk, if it was compressed
    std::map<std::uint16_t, Schema> schemas_;
    std::map<std::uint16_t, McapChannel> channels_;
    std::uint64_t passed_over_ = 0;
    bool complete_ = false;
    std::size_t chunk_count_ = 0;  ///< chunks seen, skipped or not
    std::vector<bool> skipped_;    ///< by number of the chunk
};

}  // namespace caribou::wire
