#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
class Watcher final : public TextChannelEvents, public std::enable_shared_from_this<Watcher>, ReplayWork {
public:
    Watcher(std::uint64_t number, StationApi& api, std::unique_ptr<TextChannel> channel, Asker asker,
            bool with_token);

    void start();
    /// Sends due messages. Returns false if the client has not read, or has not sent its heartbeat, for too
    /// long.
    bool tick();
    void tell(std::string text);
    /// Sends a message that concerns all clients, unless the client has opened a replay of its own.
    void tell_shared(const std::string& message) {
        if (!player_ && !message.empty()) tell(message);
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
    /// Returns the preferred encoding of the camera.
    views::CameraEncoding camera() const { return camera_; }
    bool with_token() const { return with_token_; }
    /// Returns whether it has opened a replay of its own.
    bool replays() const { return player_ != nullptr; }

    /// Limit of the halts of a client that may not drive; each is an order to the robot.
    static constexpr std::size_t halts_per_second = 20;

private:
    /// Returns whether a client that may not drive has sent too many halts. Counts this one.
    bool halts_too_often();
    void on_text(std::string_view text) override;
    void on_closed(std::string_view why) override;

    void carry_out(const ApiRequest& request);
    /// Replies to a heartbeat that states its time.
    void take_heartbeat(const ApiRequest& request);
    /// Returns how long ago a command was given. A time in the future counts from the arrival.
    Duration age_of(const ApiRequest& request) const;
    /// Returns why the time of a request is wrong: too far in the future.
    std::optional<link::Objection> objection_to_given(const ApiRequest& request) const;
    void send_command(const ApiRequest& request);
    /// Executes a command line about the station's own subscriptions.
    void change_topics(const ApiRequest& request, RobotSession& session, const link::Command& command);
    void stop_all(const ApiRequest& request);
    void handle_route(const ApiRequest& request);
    void dismiss_stop(const ApiRequest& request);
    void start_again(const ApiRequest& request);
    void send_state();
    // Defined in watcher_replay.cpp.
    /// Carries out a waiting request about a replay, or sends the state of the replay.
    void do_piece() override;
    /// Lets the request wait for its turn. It replaces a waiting one that it makes superfluous.
    void queue_replay(const ApiRequest& request);
    void handle_record(const ApiRequest& request);
    std::optional<link::Objection> objection_to_record(const ApiRequest& request, std::string& text);
    void handle_replay(const ApiRequest& request);
    std::optional<link::Objection> objection_to_replay(const ApiRequest& request);
    void tell_replay();
    /// Begins to send how all robots moved before the position of its replay, so that the client can show
    /// what it shows of live robots, and then the complete state.
    void begin_earlier_motion();
    /// Sends a piece of it.
    void tell_earlier_motion();
    /// Returns why a client that sees a recording can change nothing; nullopt if it sees live robots.
    std::optional<link::Objection> objection_in_replay() const;
    /// The feed and clock that it sees.
    FleetFeed& feed();
    double now() const;
    /// Sends the complete state next.
    void begin_anew();
    /// Returns whether to carry out the request. One that is repeated gets the same answer again. Another one
    /// with the same id is refused, except for a full stop.
    bool is_new(const ApiRequest& request);
    std::string answer_text(const ApiRequest& request, link::Answer answer) const;
    void answer(const ApiRequest& request, link::Answer answer);

    /// An empty update is sent after this time, as a sign of life.
    static constexpr Duration longest_silence = std::chrono::seconds(1);
    /// Number of requests whose answers are kept for repetitions.
    static constexpr std::size_t remembered = 128;

    const std::uint64_t number_;
    StationApi* api_;          ///< null after it was closed
    bool is_closing_ = false;  ///< close() was called
    std::unique_ptr<TextChannel> channel_;
    Asker asker_;
    const bool with_token_;
    FleetFeed::Cursor cursor_{};
    std::set<std::string> robots_;
    std::set<views::View> views_;
    views::CameraEncoding camera_ = ApiRequest{}.camera;
    Duration period_ = ApiRequest{}.period;
    Instant halts_since_{};  ///< start of the second in which halts of an observer are counted
    std::size_t halts_ = 0;
    Instant next_{};
    Instant told_{};      ///< time of the last update
    bool beats_ = false;  ///< it has sent a heartbeat, and must continue to
    Instant heard_at_{};
    Instant read_at_{};                          ///< when its outgoing queue was last empty
    std::unique_ptr<RecordingPlayer> player_{};  ///< null: live data
    std::vector<ApiRequest> replay_requests_;    ///< waiting; at most one of a kind
    bool replay_is_due_ = false;                 ///< its state is to be sent
    std::optional<double> earlier_until_{};      ///< earlier motion is being sent, up to this time
    /// A request that may be repeated.
    struct Known {
        std::size_t request;   ///< a hash of what it requests
        std::string answer{};  ///< empty: pending
    };
    std::map<std::uint64_t, Known> known_;  ///< by request id
    std::deque<std::uint64_t> order_;
};

}  // namespace caribou::station
