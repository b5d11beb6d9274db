#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "base/limits.hpp"
#include "platform/file_disk.hpp"
#include "platform/named_thread.hpp"
#include "station/recording_folder.hpp"

namespace caribou {

/// Recordings in a folder, written on its own thread, so that the disk blocks no other thread. The number of
/// unwritten bytes is limited; beyond that, parts are lost and counted.
class RecordingThread final : public station::RecordingSink {
public:
    static Result<std::unique_ptr<RecordingThread>> open(const std::string& folder, std::uint64_t limit,
                                                         Log& log);
    /// Writes the remaining parts.
    ~RecordingThread() override;
    RecordingThread(const RecordingThread&) = delete;
    RecordingThread& operator=(const RecordingThread&) = delete;

    void write(station::RecordingPart part) override;
    std::uint64_t lost() const override { return lost_ + lost_by_disk_; }
    /// Returns the number of unwritten bytes.
    std::size_t waiting() const { return waiting_; }
    /// For reading recordings: list(), size() and map() are thread-safe.
    Disk& disk() { return *disk_; }

    static constexpr std::size_t max_waiting = 64_MiB;

private:
    RecordingThread(std::unique_ptr<FileDisk> disk, std::uint64_t limit, Log& log);

    std::unique_ptr<FileDisk> disk_;
    Log& log_;
    station::RecordingFolder folder_;  ///< used by the thread only
    std::atomic<std::size_t> waiting_ = 0;
    std::atomic<std::uint64_t> lost_by_disk_ = 0;
    std::uint64_t lost_ = 0;  ///< because the disk was too slow
    NamedThread thread_;
};

}  // namespace caribou
