#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/limits.hpp"
#include "station/recording_folder.hpp"
#include "station/station.hpp"
#include "wire/alog.hpp"
#include "wire/mcap.hpp"

namespace caribou::station {

struct RecorderSettings {
    std::uint64_t file_bytes = 64_MiB;         ///< size at which a new recording is started
    Duration flush = std::chrono::seconds(2);  ///< maximum loss on a power failure; shorter compresses worse
    Duration retry = std::chrono::seconds(5);  ///< pause before a new recording after a part was lost
    std::set<views::View> views{};             ///< of all robots, in addition to watched ones
};

/// Records all events of robots (docs/formats/recording.md): the data of the interface (.mcap), and the same
/// for MOOS tools (.alog).
class StationRecorder final : SessionEvents {
public:
    StationRecorder(Loop& loop, Station& station, RecordingSink& sink, const RecorderSettings& settings);
    ~StationRecorder();
    StationRecorder(const StationRecorder&) = delete;
    StationRecorder& operator=(const StationRecorder&) = delete;

    /// Starts a recording.
    void start();
    /// Ends the recording; no effect if there is none.
    void finish();
    bool recording() const { return mcap_.has_value(); }
    std::uint64_t messages() const { return messages_; }
    /// Returns the name of the files, without extension.
    const std::string& name() const { return name_; }

private:
    void on_status(RobotSession& session) override;
    void on_telemetry(RobotSession& session) override;
    void on_view(RobotSession& session, views::View view) override;
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession& session, const link::Command& command, const Asker& asker) override;
    void on_answer(RobotSession& session, const link::Answer& answer) override;

    void begin();
    void flush(bool last);
    /// Returns whether a new recording must be started: this one is large, or a part of it was lost.
    bool is_over() const;
    /// Returns whether no further channel can be added.
    bool is_full() const { return channels_.size() >= wire::McapWriter::max_channels; }
    void add(const RobotSession& session, std::string_view kind, std::string_view json);
    std::uint16_t schema_of(std::string_view kind);
    void log(const RobotSession& session, std::string_view what, double number);
    void log(const RobotSession& session, std::string_view what, std::string_view text);

    Loop& loop_;
    Station& station_;
    RecordingSink& sink_;
    RecorderSettings settings_;
    std::unique_ptr<Timer> timer_;
    std::string name_;
    std::uint64_t mcap_size_ = 0;  ///< bytes passed to the sink
    std::uint64_t alog_size_ = 0;
    std::uint64_t lost_ = 0;  ///< counter of the sink when the recording started
    Instant began_{};
    int count_ = 0;
    std::uint64_t messages_ = 0;
    std::optional<wire::McapWriter> mcap_;
    std::map<std::string, std::uint16_t, std::less<>> schemas_;  ///< of the file, by kind
    std::optional<wire::AlogWriter> alog_;
    std::map<std::string, std::uint16_t, std::less<>> channels_;
    /// The latest record of sections that seldom change.
    std::map<std::pair<std::string, Section>, std::string> last_;
};

}  // namespace caribou::station
