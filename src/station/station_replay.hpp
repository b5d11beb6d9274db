#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "loop/disk.hpp"
#include "station/station.hpp"
#include "wire/mcap.hpp"

namespace caribou::station {

/// Plays a recording into a station, whose interface then shows it as if it were happening.
class StationReplay {
public:
    /// malformed: it is no recording. `speed`: times as fast as it was.
    static Result<std::unique_ptr<StationReplay>> open(Loop& loop, Station& station, FileImage recording,
                                                       double speed);

    void start();
    bool ended() const { return !next_; }
    std::uint64_t messages() const { return messages_; }

private:
    StationReplay(Loop& loop, Station& station, FileImage recording, wire::McapReader reader, double speed);
    void play();
    void show(const wire::McapMessage& message);
    Instant due(const wire::McapMessage& message) const;

    Loop& loop_;
    Station& station_;
    FileImage recording_;
    wire::McapReader reader_;
    double speed_;
    std::optional<wire::McapMessage> next_;
    std::uint64_t first_time_ = 0;
    Instant began_{};
    std::uint64_t messages_ = 0;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::station
