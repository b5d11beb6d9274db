#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "archive/mcap.hpp"
#include "station/recording_folder.hpp"
#include "station/recording_sink.hpp"

namespace caribou::station {

struct RecordingWriterSettings {
    std::uint64_t limit = 1024_MiB;  ///< bytes of all recordings together
    bool compress = true;
};

/// Encodes, compresses and writes recordings. One recording is open at a time. Compressing a chunk takes up
/// to 20 ms: a station uses it on a thread of its own.
class RecordingWriter final : public RecordingSink {
public:
    /// Disk and log must outlive this object.
    RecordingWriter(Disk& disk, const RecordingWriterSettings& settings, Log& log)
        : compress_(settings.compress), folder_(disk, settings.limit, log) {}

    void write(RecordingBatch batch) override;
    std::uint64_t lost() const override { return lost_ + folder_.lost(); }
    std::uint64_t written() const override { return written_; }
    void forget(const std::string& name) override;

    /// Size of a chunk before compression: what a seek has to read at least. All that one robot sends between
    /// two flushes fits, because repeated maps and views compress well only within a chunk.
    static constexpr std::size_t longest_chunk = 2_MiB;

private:
    void forget_open();

    struct Open {
        std::string name;
        wire::McapWriter mcap;
        std::uint64_t next = 0;  ///< number of the next batch
        std::uint64_t mcap_size = 0;
        std::uint64_t alog_size = 0;
    };

    bool compress_;
    RecordingFolder folder_;
    std::optional<Open> open_{};
    std::uint64_t written_ = 0;
    std::uint64_t lost_ = 0;
};

}  // namespace caribou::station
