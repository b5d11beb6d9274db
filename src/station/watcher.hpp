#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "link/answer.hpp"
#include "link/command.hpp"
#include "loop/text_channel.hpp"
#include "station/api_request.hpp"
#include "station/drive_lease.hpp"
#include "station/fleet_feed.hpp"
#include "station/recording_player.hpp"
#include "station/robot_session.hpp"

namespace caribou::station {

class RobotSession;
class StationApi;

/// A client of the station's interface. Receives the state of all robots and then the changes, at most as
/// fast as it reads and as it requested; sends commands and receives their answers.
class Watcher final : public TextChannelEvents, public std::enable_shared_from_this<Watcher> {
public:
    Watcher(std::uint64_t number, StationApi& api, std::unique_ptr<TextChannel> channel, Asker asker,
            bool with_token);

    void start();
    /// Sends due messages. Returns false if the client has not read, or has not sent its heartbeat, for too
    /// long.
    bool tick();
    void tell(std::string text);
    void tell_report(const std::string& report) {
        if (!player_) tell(report);
    }
    /// Sends the state of the replay that all see, unless the client has opened one of its own.
    void tell_shared_replay() {
        if (!player_) tell_replay();
    }
    void close(std::string_view why);
    /// Closes it and releases its seat at once, without waiting for the peer.
    void evict(std::string_view why);

    std::uint64_t number() const { return number_; }
    const Asker& asker() const { return asker_; }
    /// Returns when it last sent a request; the epoch if it never did.
    Instant active() const { return heard_at_; }
    /// Returns the watched robots, and the views wanted of each.
    const std::set<std::string>& robots() const { return robots_; }
    const std::set<views::View>& views() const { return views_; }

private:
    void on_text(std::string_view text) override;
    void on_closed(std::string_view why) override;

    void carry_out(const ApiRequest& request);
    /// Replies to a heartbeat that states its time.
    void take_heartbeat(const ApiRequest& request);
    /// Returns how long ago a command was given.
    Duration age_of(const ApiRequest& request) const;
    void send_command(const ApiRequest& request);
    /// Executes a command line about the station's own subscriptions.
    void change_topics(const ApiRequest& request, RobotSession& session, const link::Command& command);
    void stop_all(const ApiRequest& request);
    void handle_route(const ApiRequest& request);
    void start_again(const ApiRequest& request);
    // Defined in watcher_replay.cpp.
    void handle_record(const ApiRequest& request);
    void handle_replay(const ApiRequest& request);
    std::optional<link::Objection> objection_to_replay(const ApiRequest& request);
    void tell_replay();
    /// Returns why a client that sees a recording can change nothing; nullopt if it sees live robots.
    std::optional<link::Objection> objection_in_replay() const;
    /// The feed and clock that it sees.
    FleetFeed& feed();
    double now() const;
    /// Sends the complete state next.
    void begin_anew();
    /// Returns whether the request is new. A repeated request gets the same answer again.
    bool is_new(std::uint64_t id);
    void answer(const ApiRequest& request, link::Answer answer);

    /// An empty update is sent after this time, as a sign of life.
    static constexpr Duration longest_silence = std::chrono::seconds(1);
    /// Number of requests whose answers are kept for repetitions.
    static constexpr std::size_t remembered = 128;

    const std::uint64_t number_;
    StationApi* api_;  ///< null after it was closed
    std::unique_ptr<TextChannel> channel_;
    Asker asker_;
    const bool with_token_;
    FleetFeed::Cursor cursor_{};
    std::set<std::string> robots_;
    std::set<views::View> views_;
    Duration period_ = ApiRequest{}.period;
    Instant next_{};
    Instant told_{};      ///< time of the last update
    bool beats_ = false;  ///< it has sent a heartbeat, and must continue to
    Instant heard_at_{};
    Instant read_at_{};                             ///< when its outgoing queue was last empty
    std::unique_ptr<RecordingPlayer> player_{};     ///< null: live data
    std::map<std::uint64_t, std::string> answers_;  ///< by request id; empty: pending
    std::deque<std::uint64_t> order_;
};

}  // namespace caribou::station
