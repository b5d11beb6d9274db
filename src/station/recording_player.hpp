#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "archive/mcap.hpp"
#include "loop/disk.hpp"
#include "loop/loop.hpp"
#include "station/fleet_feed.hpp"
#include "station/mark_finder.hpp"
#include "station/replay_turns.hpp"

namespace caribou::station {

/// Replays a recording: a feed of the state of robots at the current position.
class RecordingPlayer final : ReplayWork {
public:
    /// Opens a recording at its start, paused. Fails with malformed if it is not a recording. `name` is
    /// reported to watchers. With `turns`, which must outlive the player, it reads on in those turns only.
    static Result<std::unique_ptr<RecordingPlayer>> open(Loop& loop, std::string name, FileImage recording,
                                                         ReplayTurns* turns = nullptr);
    ~RecordingPlayer();
    RecordingPlayer(const RecordingPlayer&) = delete;
    RecordingPlayer& operator=(const RecordingPlayer&) = delete;

    void play();
    void pause();
    /// Moves to that time, in UNIX seconds, limited to the start and the end. Watchers of the feed receive
    /// the complete state again.
    void seek(double to);
    /// Moves forward to that time, limited likewise. Watchers of the feed receive what changes.
    void skip(double to);
    /// Sets the speed relative to real time.
    void set_speed(double speed);
    /// Looks for the marks of the recording, in small steps between other events, and calls `found` once with
    /// all of them.
    void find_marks(std::function<void(const data::MarksMessage&)> found);
    /// Sets the handler that is called when it has reached the end and paused.
    void on_end(std::function<void()> told) { on_end_ = std::move(told); }

    const std::string& name() const { return name_; }
    FleetFeed& feed() { return *feed_; }
    /// Returns the current position. All times here are UNIX seconds.
    double now() const;
    double start() const;
    double end() const;
    bool playing() const { return playing_; }
    /// Returns whether the feed has the complete state since the last seek(), which may take several turns.
    bool settled() const { return settled_; }
    double speed() const { return speed_; }
    /// Returns the number of robots whose motion is known at the current position.
    std::size_t moving_robots() const;
    /// Returns the number of messages since the last seek().
    std::uint64_t messages() const { return messages_; }

    static constexpr double lowest_speed = 0.1;
    static constexpr double highest_speed = 1000;

private:
    /// What the messages of a section are.
    enum class Form : std::uint8_t { section, laser_scan, grid, image };
    /// The latest state of a section of a robot.
    struct View {
        Form form = Form::section;
        ByteView data{};
        std::shared_ptr<const Bytes> chunk{};  ///< owns the data, unless the file does
        bool told = true;                      ///< reported to the feed
    };
    using Views = std::map<std::pair<std::string, Section>, View>;

    RecordingPlayer(Loop& loop, std::string name, FileImage recording, wire::McapReader reader,
                    ReplayTurns* turns);

    void do_piece() override;
    /// Runs a piece now, or requests a turn for it.
    void wake();
    std::uint64_t position() const;
    void set_position(std::uint64_t position);
    std::uint64_t position_of(double time) const;
    void rewind();
    void go_on();
    void show(const wire::McapMessage& message);
    Views::value_type* view_of(const wire::McapChannel& channel);
    std::string section(const std::string& robot, Section section);
    void look_for_marks();

    Loop& loop_;
    ReplayTurns* turns_;
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
    bool settled_ = false;
    bool is_due_ = false;  ///< messages are to be read in the next piece
    double speed_ = 1;
    std::uint64_t anchor_ = 0;  ///< position at the last change of state other than by time
    Instant anchored_at_{};
    std::function<void()> on_end_;
    std::unique_ptr<Timer> timer_;
    std::optional<MarkFinder> marks_;
    std::function<void(const data::MarksMessage&)> on_marks_;
    std::unique_ptr<Timer> marks_timer_;
};

}  // namespace caribou::station
