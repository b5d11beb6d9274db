#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "loop/disk.hpp"

namespace caribou::station {

/// Bytes to be appended to a file.
struct RecordingPart {
    std::string file{};
    std::uint64_t at = 0;  ///< offset in the file; 0: a new file
    Bytes bytes{};
    bool last = false;  ///< last part of the file
};

/// Recordings on a disk. The oldest are deleted when the limit is reached; parts that cannot be written are
/// lost, and logged once.
class RecordingFolder {
public:
    /// Disk and log must outlive this object. `limit` is the size of all recordings together, in bytes.
    RecordingFolder(Disk& disk, std::uint64_t limit, Log& log);

    /// Appends the part, or drops and counts it if the disk fails. Later parts of the same file are then
    /// dropped as well.
    void write(RecordingPart part);
    /// The last part of the file was written, although it was not marked as such.
    void close(const std::string& file) { open_.erase(file); }
    /// The file was removed from the disk.
    void forget(const std::string& file);
    std::uint64_t lost() const { return lost_; }

private:
    Result<DiskFile*> file_for(const RecordingPart& part);
    void make_room(std::size_t bytes);
    void give_up(const RecordingPart& part, const Error& why);

    Disk& disk_;
    std::uint64_t limit_;
    Log& log_;
    std::map<std::string, std::uint64_t> sizes_;  ///< names start with the time, so that the oldest is first
    std::map<std::string, std::unique_ptr<DiskFile>> open_;
    std::uint64_t used_ = 0;
    std::uint64_t lost_ = 0;
    bool complained_ = false;
    int good_parts_ = 0;  ///< since a part was lost
};

}  // namespace caribou::station
