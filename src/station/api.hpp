#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.hpp"
#include "base/static_files.hpp"
#include "base/web_request.hpp"
#include "link/answer.hpp"
#include "link/seats.hpp"
#include "loop/stall_watch.hpp"
#include "loop/text_channel.hpp"
#include "station/api_access.hpp"
#include "station/foxglove_feed.hpp"
#include "station/recordings.hpp"
#include "station/refused_channels.hpp"
#include "station/replay_turns.hpp"
#include "station/start_requests.hpp"
#include "station/station.hpp"

namespace caribou::station {

struct ApiSettings {
    std::string station = "station";
    ApiAccess access{};
    std::vector<std::string> hosts{};  ///< host names accepted from browsers, besides localhost
    StaticFiles page{};                ///< files for browsers
    /// Requests a restart of a robot from the owner of the robots' processes. Empty if there is none.
    std::function<void(const std::string& robot, StartRequests::OnDone on_done)> start_again{};
    std::size_t max_watchers = 64;
    std::size_t max_replays = 8;                ///< replays of their own that watchers may open, in all
    std::size_t max_replays_without_token = 4;  ///< of these
    std::size_t max_waiting = 4_MiB;            ///< bytes that a watcher may leave unread
    /// time without reading anything, or without its heartbeat
    Duration max_silence = std::chrono::seconds(10);
    /// A watcher that has sent nothing for longer, not even a heartbeat, is closed if its seat is needed.
    Duration idle_after = std::chrono::seconds(3);
};

class Watcher;

/// The station's interface for programs: HTTP, and one WebSocket per program that watches and commands.
class StationApi final : SessionEvents {
public:
    /// All arguments must outlive this object. `recordings` is null if there are none.
    StationApi(Loop& loop, Station& station, ApiSettings settings, Log& log,
               Recordings* recordings = nullptr);
    ~StationApi();
    StationApi(const StationApi&) = delete;
    StationApi& operator=(const StationApi&) = delete;

    /// Accepts one more token.
    void grant(const std::string& token, link::Role role) { settings_.access.tokens[token] = role; }
    WebAnswer answer(const WebRequest& request);
    /// Takes a WebSocket whose request answer() has accepted.
    void open(const WebRequest& request, std::unique_ptr<TextChannel> channel);
    std::size_t watchers() const { return watchers_.size() + foxglove_.clients(); }
    /// Shows a recording instead of live robots to all watchers, and refuses all commands. Must be called
    /// before the first watcher is opened. The player must outlive this object.
    void show(RecordingPlayer& player);
    /// Closes all watchers with a reason.
    void close_all(std::string_view why);

private:
    friend Watcher;

    void on_status(RobotSession&) override {}
    void on_telemetry(RobotSession&) override {}
    void on_report(RobotSession& session, std::string_view text) override;
    void on_command(RobotSession&, const link::Command&, const Asker&) override {}
    void on_answer(RobotSession&, const link::Answer&) override {}

    /// Returns whether a further watcher of this role is admitted, and which one is closed for it.
    link::Seating seating(link::Role role) const;
    std::string too_many_watchers() const;
    /// Returns why the watcher may not open a replay of its own: there are too many; nullopt if it may.
    std::optional<link::Objection> objection_to_one_more_replay(const Watcher& of) const;
    void drop(const Watcher& watcher);
    /// Passes the views that the watchers want to the station.
    void tell_wants();
    void tick();
    /// The feed and clock of watchers without a replay of their own.
    FleetFeed& feed() { return shown_ ? shown_->feed() : station_.feed(); }
    double now() const { return shown_ ? shown_->now() : station_.clock().unix_seconds(); }
    /// Answers api/v1/state with a state that is at most 100 ms old.
    WebAnswer picture();
    std::string new_picture();
    WebAnswer recorded(const WebRequest& request, std::string_view file);
    /// Notifies all watchers if another recording, or none, is active.
    void tell_recording();
    /// Notifies all watchers if the refusals have changed.
    void tell_refused();
    void tell_all(const std::string& text);

    Loop& loop_;
    Station& station_;
    ApiSettings settings_;
    Log& log_;
    Recordings* recordings_;
    RecordingPlayer* shown_ = nullptr;
    std::string shown_marks_{};  ///< the message with the marks of `shown_`; empty until they are found
    std::string recording_{};    ///< last notification
    std::string picture_{};      ///< latest response to api/v1/state
    Instant next_picture_{};     ///< when it is generated anew
    std::string refused_{};      ///< last notification; empty: nothing was refused
    Instant next_refused_{};     ///< when the numbers of refusals may be sent again
    FoxgloveFeed foxglove_;
    RefusedChannels refused_channels_;
    ReplayTurns replays_;
    std::map<std::uint64_t, std::shared_ptr<Watcher>> watchers_;
    std::uint64_t next_watcher_ = 1;
    std::unique_ptr<Timer> timer_;
    StallWatch stalls_;
};

}  // namespace caribou::station
