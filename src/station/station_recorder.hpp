#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "archive/mcap.hpp"
#include "base/limits.hpp"
#include "station/recording_sink.hpp"
#include "station/topic_stream.hpp"
#include "wire/alog.hpp"

namespace caribou::station {

struct RecorderSettings {
    std::uint64_t file_bytes = 64_MiB;         ///< size at which a new recording is started
    Duration flush = std::chrono::seconds(5);  ///< maximum loss on a power failure; shorter compresses worse
    Duration retry = std::chrono::seconds(5);  ///< pause before a new recording after a part was lost
    std::set<views::View> views{};             ///< of all robots, in addition to watched ones
    /// After this time a recording with images of cameras is followed by a new one, so that each can be
    /// deleted when its first image is too old.
    Duration camera_span = std::chrono::hours(1);
};

/// Returns whether a recording, or a file of one, has images of cameras: its name says so.
bool is_camera_recording(std::string_view name);

/// Records all data of robots (docs/formats/recording.md): their topics (.mcap), and the main values for MOOS
/// tools (.alog).
class StationRecorder final : SessionEvents, TopicEvents {
public:
    StationRecorder(Loop& loop, Station& station, RecordingSink& sink, const RecorderSettings& settings);
    ~StationRecorder();
    StationRecorder(const StationRecorder&) = delete;
    StationRecorder& operator=(const StationRecorder&) = delete;

    /// Starts a recording.
    void start();
    /// Ends the recording; no effect if there is none.
    void finish();
    bool recording() const { return alog_.has_value(); }
    std::uint64_t messages() const { return messages_; }
    /// Returns the name of the files, without extension.
    const std::string& name() const { return name_; }

private:
    void on_status(RobotSession&) override {}
    void on_telemetry(RobotSession& session) override;
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession& session, const link::Command& command, const Asker& asker) override;
    void on_answer(RobotSession& session, const link::Answer& answer) override;
    /// Cameras are recorded only if the settings have them, not because someone watches.
    bool wants(const std::string&, Topic topic) const override {
        return topic != Topic::camera || settings_.views.contains(views::View::camera);
    }
    void on_message(const std::string& robot, Topic topic, std::string_view json) override;

    void begin();
    void flush(bool last);
    /// Returns whether a new recording must be started: this one is large or long, or a part of it was lost.
    bool is_over() const;
    bool has_camera() const { return settings_.views.contains(views::View::camera); }
    /// Returns whether no further channel can be added.
    bool is_full() const { return channels_.size() >= wire::McapWriter::max_channels; }
    std::uint16_t schema_of(Topic topic);
    void log(const std::string& robot, std::string_view what, double number);
    void log(const std::string& robot, std::string_view what, std::string_view text);

    Loop& loop_;
    Station& station_;
    RecordingSink& sink_;
    RecorderSettings settings_;
    std::unique_ptr<Timer> timer_;
    std::string name_;
    // Counters of the sink when the recording started.
    std::uint64_t written_ = 0;
    std::uint64_t lost_ = 0;
    Instant began_{};
    int count_ = 0;
    std::uint64_t messages_ = 0;
    RecordingBatch batch_{};                             ///< not passed to the sink yet
    std::map<std::string_view, std::uint16_t> schemas_;  ///< of the file, by name
    std::optional<wire::AlogWriter> alog_;
    std::map<std::string, std::uint16_t, std::less<>> channels_;
    std::optional<TopicStream> topics_;
};

}  // namespace caribou::station
