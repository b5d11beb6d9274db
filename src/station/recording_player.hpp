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

/// Replays a recording: a feed of the state of robots at the current position.
class RecordingPlayer {
public:
    /// Opens a recording at its start, paused. Fails with malformed if it is not a recording. `name` is
    /// reported to watchers.
    static Result<std::unique_ptr<RecordingPlayer>> open(Loop& loop, std::string name, FileImage recording);

    void play();
    void pause();
    /// Moves to that time, in UNIX seconds, limited to the start and the end. Watchers of the feed receive
    /// the complete state again.
    void seek(double to);
    /// Sets the speed relative to real time.
    void set_speed(double speed);
    /// Sets the handler that is called when it has reached the end and paused.
    void on_end(std::function<void()> told) { on_end_ = std::move(told); }

    const std::string& name() const { return name_; }
    FleetFeed& feed() { return *feed_; }
    /// Returns the current position. All times here are UNIX seconds.
    double now() const;
    double start() const;
    double end() const;
    bool playing() const { return playing_; }
    double speed() const { return speed_; }
    /// Returns the number of messages since the last seek().
    std::uint64_t messages() const { return messages_; }

    static constexpr double lowest_speed = 0.1;
    static constexpr double highest_speed = 1000;

private:
    /// The latest state of a section of a robot.
    struct View {
        ByteView data{};
        std::shared_ptr<const Bytes> chunk{};  ///< owns the data, unless the file does
        bool told = true;                      ///< reported to the feed
    };
    using Views = std::map<std::pair<std::string, Section>, View>;

    RecordingPlayer(Loop& loop, std::string name, FileImage recording, wire::McapReader reader);

    std::uint64_t position() const;
    void set_position(std::uint64_t position);
    void rewind();
    void go_on();
    void show(const wire::McapMessage& message);
    Views::value_type* view_of(const wire::McapChannel& channel);
    std::string section(const std::string& robot, Section section);

    Loop& loop_;
    std::string name_;
    FileImage recording_;
    wire::McapReader reader_;
    wire::McapTimes times_{};
    std::optional<wire::McapMessage> next_;
    std::optional<FleetFeed> feed_;
    Views views_;
    std::unordered_map<std::uint16_t, Views::value_type*> by_channel_;  ///< null: not a section
    std::uint64_t messages_ = 0;
    bool playing_ = false;
    double speed_ = 1;
    std::uint64_t anchor_ = 0;  ///< position at the last change of state other than by time
    Instant anchored_at_{};
    std::function<void()> on_end_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::station
