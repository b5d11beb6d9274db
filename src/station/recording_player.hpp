#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "loop/disk.hpp"
#include "loop/loop.hpp"
#include "station/fleet_feed.hpp"
#include "wire/mcap.hpp"

namespace caribou::station {

/// A recording that is played: a feed as of the present, of what robots were at one moment of it.
class RecordingPlayer {
public:
    /// Stands at the start, paused. malformed: it is no recording.
    static Result<std::unique_ptr<RecordingPlayer>> open(Loop& loop, FileImage recording);

    void play();
    void pause();
    /// To that time, in UNIX seconds, or to the start or the end if it is beyond them. Whoever looks at the
    /// feed begins anew.
    void seek(double to);
    /// Times as fast as it was.
    void set_speed(double speed);
    /// Is told when it has come to its end and pauses.
    void on_end(std::function<void()> told) { on_end_ = std::move(told); }

    FleetFeed& feed() { return *feed_; }
    /// The moment that is shown. UNIX seconds, as all times here.
    double now() const;
    double start() const;
    double end() const;
    bool playing() const { return playing_; }
    double speed() const { return speed_; }
    /// That were shown since the last seek().
    std::uint64_t messages() const { return messages_; }

    static constexpr double lowest_speed = 0.1;
    static constexpr double highest_speed = 1000;

private:
    /// A section of a robot, as it was told last.
    struct View {
        ByteView data{};
        bool told = true;  ///< to the feed
    };
    using Views = std::map<std::pair<std::string, Section>, View>;

    RecordingPlayer(Loop& loop, FileImage recording, wire::McapReader reader);

    std::uint64_t position() const;
    void set_position(std::uint64_t position);
    void rewind();
    void go_on();
    void show(const wire::McapMessage& message);
    Views::value_type* view_of(const wire::McapChannel& channel);
    std::string section(const std::string& robot, Section section);

    Loop& loop_;
    FileImage recording_;
    wire::McapReader reader_;
    wire::McapTimes times_{};
    std::optional<wire::McapMessage> next_;
    std::optional<FleetFeed> feed_;
    Views views_;
    std::unordered_map<std::uint16_t, Views::value_type*> by_channel_;  ///< null: it tells of no section
    std::uint64_t messages_ = 0;
    bool playing_ = false;
    double speed_ = 1;
    std::uint64_t anchor_ = 0;  ///< the position when it was last changed by anything but time
    Instant anchored_at_{};
    std::function<void()> on_end_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::station
