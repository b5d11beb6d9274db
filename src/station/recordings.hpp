#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "loop/disk.hpp"
#include "station/recording_player.hpp"
#include "station/station_recorder.hpp"

namespace caribou::station {

struct RecordingsSettings {
    RecorderSettings recorder{};
    std::uint64_t limit = 1024_MiB;               ///< bytes of all recordings together; enforced by the sink
    Duration camera_keep = std::chrono::days(7);  ///< age at which recordings with camera images are deleted
};

/// The recordings of a station: completed ones, and the active one.
class Recordings {
public:
    /// All arguments must outlive this object. `sink` writes the files that `shelf` reads and removes.
    Recordings(Loop& loop, Station& station, Disk& shelf, RecordingSink& sink,
               const RecordingsSettings& settings, Log& log);

    void start() { recorder_.start(); }
    void stop() { recorder_.finish(); }
    /// Returns the name of the active recording; empty if there is none.
    const std::string& current() const;

    /// Returns the list of recordings (docs/formats/station-api.md).
    Result<std::string> json();
    /// Returns a file. Fails with not_found if there is none of that name.
    Result<FileImage> file(const std::string& name);
    /// Deletes all files of the recording of that name, without extension. Fails with not_found if there is
    /// none, with wrong_state if it is the active one. Open replays of it go on.
    Result<void> remove(const std::string& name);
    /// Opens the recording of that name, without extension. `turns` as for RecordingPlayer::open().
    Result<std::unique_ptr<RecordingPlayer>> play(const std::string& name, ReplayTurns* turns = nullptr);

private:
    using Sizes = std::map<std::string, std::uint64_t>;
    /// Returns all files, sorted by name and therefore by time.
    Result<Sizes> sizes();
    /// Deletes recordings with images of cameras that are older than camera_keep.
    void expire();
    std::optional<wire::McapTimes> times_of(const std::string& file, std::uint64_t size);

    struct Known {
        std::uint64_t size = 0;
        std::optional<wire::McapTimes> times{};
    };

    Loop& loop_;
    Disk& shelf_;
    RecordingSink& sink_;
    Log& log_;
    StationRecorder recorder_;
    std::uint64_t limit_;
    Duration camera_keep_;
    std::unique_ptr<Timer> timer_;
    std::map<std::string, Known> known_;  ///< cached contents of files
};

}  // namespace caribou::station
