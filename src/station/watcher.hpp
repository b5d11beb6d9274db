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

/// A program at the station's interface. Gets the state of all robots and then what changes, as fast as it
/// reads and no faster than it asked for; sends commands and gets their answers.
class Watcher final : public TextChannelEvents, public std::enable_shared_from_this<Watcher> {
public:
    Watcher(std::uint64_t number, StationApi& api, std::unique_ptr<TextChannel> channel, Asker asker);

    void start();
    /// Sends what is due. Returns false if the program has not read, or has stopped its heartbeat, for too
    /// long.
    bool tick();
    void tell(std::string text);
    void tell_report(const std::string& report) {
        if (!player_) tell(report);
    }
    void close(std::string_view why);
    /// Closes it and releases its place at once, without waiting for the other end.
    void evict(std::string_view why);

    std::uint64_t number() const { return number_; }
    const Asker& asker() const { return asker_; }
    /// When it last sent a request; the epoch, if it never did.
    Instant active() const { return heard_at_; }
    /// Robots that it watches, and what it wants to see of each.
    const std::set<std::string>& robots() const { return robots_; }
    const std::set<views::View>& views() const { return views_; }

private:
    void on_text(std::string_view text) override;
    void on_closed(std::string_view why) override;

    void carry_out(const ApiRequest& request);
    void send_command(const ApiRequest& request);
    /// A line about the station's own subscriptions.
    void change_topics(const ApiRequest& request, RobotSession& session, const link::Command& command);
    void stop_all(const ApiRequest& request);
    void handle_route(const ApiRequest& request);
    void start_again(const ApiRequest& request);
    // watcher_replay.cpp
    void handle_record(const ApiRequest& request);
    void handle_replay(const ApiRequest& request);
    std::optional<link::Objection> objection_to_replay(const ApiRequest& request);
    void tell_replay();
    /// What it sees, and its time.
    FleetFeed& feed();
    double now() const;
    /// The next picture is a whole one.
    void begin_anew();
    /// Whether it is new. What was answered before is answered so again.
    bool is_new(std::uint64_t id);
    void answer(const ApiRequest& request, const link::Answer& answer);

    /// A picture without news comes after this time, as a sign of life.
    static constexpr Duration longest_silence = std::chrono::seconds(1);
    /// Requests whose answers are kept, in case they come again.
    static constexpr std::size_t remembered = 128;

    const std::uint64_t number_;
    StationApi* api_;  ///< null once it has gone
    std::unique_ptr<TextChannel> channel_;
    Asker asker_;
    FleetFeed::Cursor cursor_{};
    std::set<std::string> robots_;
    std::set<views::View> views_;
    Duration period_ = ApiRequest{}.period;
    Instant next_{};
    Instant told_{};      ///< when there was a picture last
    bool beats_ = false;  ///< it has sent a heartbeat, and is lost when it sends nothing more
    Instant heard_at_{};
    Instant read_at_{};                             ///< when last nothing waited to be read
    std::unique_ptr<RecordingPlayer> player_{};     ///< null: it sees the present
    std::string replayed_{};                        ///< the name of the recording
    std::map<std::uint64_t, std::string> answers_;  ///< by the request's id; empty: under way
    std::deque<std::uint64_t> order_;
};

}  // namespace caribou::station
