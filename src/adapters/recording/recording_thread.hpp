#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/limits.hpp"
#include "platform/file_disk.hpp"
#include "platform/named_thread.hpp"
#include "station/recording_writer.hpp"

namespace caribou {

/// Recordings in a folder, compressed and written on its own thread, so that neither delays another thread.
/// Batches are written in the order of the calls. The number of unwritten bytes is limited; beyond that,
/// batches are lost and counted.
class RecordingThread final : public station::RecordingSink {
public:
    static Result<std::unique_ptr<RecordingThread>> open(const std::string& folder,
                                                         const station::RecordingWriterSettings& settings,
                                                         Log& log);
    /// Writes the remaining batches.
    ~RecordingThread() override;
    RecordingThread(const RecordingThread&) = delete;
    RecordingThread& operator=(const RecordingThread&) = delete;

    void write(station::RecordingBatch batch) override;
    std::uint64_t lost() const override { return lost_ + lost_by_disk_; }
    std::uint64_t written() const override { return written_; }
    void forget(const std::string& name) override;
    /// Returns the number of unwritten bytes.
    std::size_t waiting() const { return waiting_; }
    /// For reading recordings: list(), size(), map() and remove() are thread-safe.
    Disk& disk() { return *disk_; }

    static constexpr std::size_t max_waiting = 64_MiB;

private:
    RecordingThread(std::unique_ptr<FileDisk> disk, const station::RecordingWriterSettings& settings,
                    Log& log);

    std::unique_ptr<FileDisk> disk_;
    Log& log_;
    station::RecordingWriter writer_;  ///< used by the thread only
    std::atomic<std::size_t> waiting_ = 0;
    std::atomic<std::uint64_t> lost_by_disk_ = 0;
    std::atomic<std::uint64_t> written_ = 0;
    std::uint64_t lost_ = 0;  ///< because too many bytes were waiting
    NamedThread thread_;
};

}  // namespace caribou
