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
    std::uint64_t limit = 1024_MiB;  ///< bytes of all recordings together; it is the sink that keeps it
};

/// The recordings of a station: those that were made, and the one that is being made.
class Recordings {
public:
    /// All outlive it. `sink` writes what `shelf` shows.
    Recordings(Loop& loop, Station& station, Disk& shelf, RecordingSink& sink,
               const RecordingsSettings& settings);

    void start() { recorder_.start(); }
    void stop() { recorder_.finish(); }
    /// The name of the one that is being made. Empty: there is none.
    const std::string& current() const;

    /// What there is, as docs/formats/station-api.md lays it out.
    Result<std::string> json();
    /// One of the files. not_found: none has that name.
    Result<FileImage> file(const std::string& name);
    /// Of that name, without an ending.
    Result<std::unique_ptr<RecordingPlayer>> play(const std::string& name);

private:
    using Sizes = std::map<std::string, std::uint64_t>;
    /// All files, in order of their names and therefore of their times.
    Result<Sizes> sizes();
    std::optional<wire::McapTimes> times_of(const std::string& file, std::uint64_t size);

    struct Known {
        std::uint64_t size = 0;
        std::optional<wire::McapTimes> times{};
    };

    Loop& loop_;
    Disk& shelf_;
    StationRecorder recorder_;
    std::uint64_t limit_;
    std::map<std::string, Known> known_;  ///< what was looked up in files before
};

}  // namespace caribou::station
