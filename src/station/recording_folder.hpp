#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "loop/disk.hpp"

namespace caribou::station {

/// Bytes for the end of a file.
struct RecordingPart {
    std::string file{};
    std::uint64_t at = 0;  ///< where they stand in it; 0: it is new
    Bytes bytes{};
    bool last = false;  ///< nothing follows
};

/// Where recordings go.
class RecordingSink {
public:
    virtual ~RecordingSink() = default;
    /// Takes the part, or, if the disk cannot follow, loses it and counts it. Without it nothing that comes
    /// later in the same file makes sense, and that is lost, too.
    virtual void write(RecordingPart part) = 0;
    virtual std::uint64_t lost() const = 0;
};

/// Recordings on a disk. The oldest go when there is no room left; what cannot be written is lost, and said
/// once.
class RecordingFolder final : public RecordingSink {
public:
    /// Disk and log outlive it. `limit`: bytes of all recordings together.
    RecordingFolder(Disk& disk, std::uint64_t limit, Log& log);

    void write(RecordingPart part) override;
    std::uint64_t lost() const override { return lost_; }

private:
    Result<DiskFile*> file_for(const RecordingPart& part);
    void make_room(std::size_t bytes);
    void give_up(const RecordingPart& part, const Error& why);

    Disk& disk_;
    std::uint64_t limit_;
    Log& log_;
    std::map<std::string, std::uint64_t>
        sizes_;  ///< names begin with the time, so that the oldest comes first
    std::map<std::string, std::unique_ptr<DiskFile>> open_;
    std::uint64_t used_ = 0;
    std::uint64_t lost_ = 0;
    bool complained_ = false;
    int good_parts_ = 0;  ///< since a part was lost
};

}  // namespace caribou::station
