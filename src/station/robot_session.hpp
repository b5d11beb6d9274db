#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/log.hpp"
#include "data/presence.hpp"
#include "link/clock_offset.hpp"
#include "link/datagram_seal.hpp"
#include "link/frame_outbox.hpp"
#include "link/frame_reader.hpp"
#include "link/message.hpp"
#include "link/secured_network.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "station/acknowledged_state.hpp"
#include "station/drive_lease.hpp"
#include "station/pending_commands.hpp"
#include "station/station_mode.hpp"
#include "station/unconfirmed_stop.hpp"
#include "views/topic_line.hpp"
#include "views/view.hpp"

namespace caribou::station {

struct SessionSettings {
    std::string station = "station";      ///< our name, sent to the robot
    link::Role role = link::Role::admin;  ///< requested role
    std::string send_to{};                ///< address for telemetry
    Duration shake_limit = std::chrono::seconds(5);
    Duration heartbeat = std::chrono::seconds(1);
    Duration link_limit = std::chrono::seconds(3);  ///< silence after which the connection is considered lost
    Duration stale_after = std::chrono::seconds(1);  ///< see RobotSession::stale_after()
    Duration lease_limit = std::chrono::seconds(30);
    /// Whether a person who drives, or a route, takes the lease of the robot from another station or page.
    /// Otherwise only the command take_lease does.
    bool takes_over_by_driving = true;
    PendingLimits pending{};
    std::size_t outbox = 64_KiB;  ///< limit of unsent bytes; does not apply to a full stop
};

/// Networks for connections to robots: plain, or authenticated by keys.
struct RobotWays {
    Network& plain;
    link::SecuredNetwork* secured = nullptr;
    /// Sends a datagram from the station's port; empty: none can be sent.
    std::function<void(const Address& to, ByteView datagram)> send_datagram{};
};

class RobotSession;

/// Callbacks of a robot's session. They must not destroy the session.
class SessionEvents {
public:
    /// The mode, or anything else except telemetry, has changed. Also called for every heartbeat of a robot
    /// without fresh telemetry.
    virtual void on_status(RobotSession& session) = 0;
    /// There is new telemetry, or the latest has become stale.
    virtual void on_telemetry(RobotSession& session) = 0;
    /// A watched view has changed.
    virtual void on_view(RobotSession& session, views::View view) {
        static_cast<void>(session), static_cast<void>(view);
    }
    virtual void on_report(RobotSession& session, std::string_view text) = 0;
    virtual void on_command(RobotSession& session, const link::Command& command, const Asker& asker) = 0;
    virtual void on_answer(RobotSession& session, const link::Answer& answer) = 0;

protected:
    ~SessionEvents() = default;
};

/// The station's session with one robot. Waits for the robot's call, connects, authenticates, and then
/// exchanges commands, answers and heartbeats, until the link is lost and it waits again. Telemetry is passed
/// in by the fleet, because it does not arrive on the connection. tick() must be called every `tick`.
class RobotSession final : public StreamEvents {
public:
    RobotSession(std::string name, Loop& loop, RobotWays ways, const SessionSettings& settings,
                 SessionEvents& events, Log& log);
    ~RobotSession();
    RobotSession(const RobotSession&) = delete;
    RobotSession& operator=(const RobotSession&) = delete;

    /// Changes from init to wait.
    void start();
    /// Handles the robot's request for a connection to this port of its host. Returns whether a connection
    /// was started. `key` is null without authentication.
    bool called(const Address& from, std::uint16_t receive_port, const link::SecretKey* key = nullptr);
    /// Opens a datagram that the robot has sealed for this session, each once.
    Result<Bytes> open(ByteView datagram);
    void heard(const link::Telemetry& telemetry);
    void heard(const link::ErrorReport& report);
    /// An authenticated datagram of the robot came from this address: full stops are sent there.
    void came_from(const Address& address) { datagrams_to_ = address; }
    /// An answer to a full stop that was sent as a datagram.
    void heard(const link::Answer& answer);
    void tick();

    /// Assigns an id to a command and sends it. `on_answer` receives the answers, possibly before this
    /// returns. `age` is the time since the command was given.
    void send(link::Command command, const Asker& asker, AnswerHandler on_answer, Duration age = {});
    /// Changes from run1 to run2. Returns the objection, if any. Otherwise the lease passes to the autopilot
    /// if it is free or `by` holds it.
    std::optional<link::Objection> engage_autopilot(std::string_view by = {});
    /// Changes from run2 to run1; no effect in other modes.
    void disengage_autopilot(std::string why);
    /// Returns the full stop that people have to know of, because it is not confirmed; null if there is none.
    const UnconfirmedStop::Open* unconfirmed_stop() const {
        return unconfirmed_stop_.shown(loop_.clock().now());
    }
    /// Sends the unconfirmed full stop no more. Returns whether there was one.
    bool dismiss_stop(const Asker& asker);
    /// Must be called when a client has disconnected: releases its lease and stops its driving.
    void forget(std::string_view asker);
    /// Reports why the robot, which is not connected, cannot be connected to.
    void cannot_connect(const std::string& why);
    /// Closes the connection with a goodbye, and waits for the next call.
    void hang_up(std::string_view why);

    /// Returns what is known of the robot at present.
    data::Presence presence() const;

    /// Returns the robot's topics, which exist while the link is up. Free of cost until the first call.
    negotiation::Transport& topics();

    const std::string& name() const { return name_; }
    StationMode mode() const { return mode_; }
    /// Returns the reason of the last change of the mode; empty if it is normal.
    const std::string& why() const { return why_; }
    Instant since() const { return since_; }
    /// Returns the latest telemetry; null if there is none. That of an earlier connection is kept until the
    /// next one.
    const link::Telemetry* telemetry() const { return telemetry_ ? &*telemetry_ : nullptr; }
    /// Returns when the telemetry was collected, by our clock.
    Instant telemetry_at() const { return telemetry_at_; }
    /// Returns the robot's status as in the latest telemetry, with what it has acknowledged since then;
    /// nullopt without telemetry.
    std::optional<data::RobotStatus> reported() const;
    /// Returns whether a full stop is latched, as the robot has acknowledged it since the latest telemetry.
    std::optional<AcknowledgedState::Known<bool>> acknowledged_stop() const {
        return acknowledged_.stopped(time_of_telemetry());
    }
    /// Same, for its run mode.
    std::optional<AcknowledgedState::Known<AcknowledgedState::Mode>> acknowledged_mode() const {
        return acknowledged_.mode(time_of_telemetry());
    }
    /// Returns why the robot is in RM0, as it stated at the end of the latest connection or, if its latest
    /// telemetry shows RM0, in a report; nullopt if it did neither.
    std::optional<std::string> off_reason() const;
    /// Returns when a message last arrived on a connection; nullopt if none ever has.
    std::optional<Instant> heard_at() const { return heard_at_; }
    /// Returns how many starts of the robot's program telemetry has shown.
    std::uint64_t life() const { return life_; }
    /// Returns whether the telemetry is older than stale_after(), in any mode of the session; without any,
    /// whether it has been missing for that long.
    bool stale() const { return stale_; }
    /// Returns the age at which telemetry becomes stale: the limit of the settings, or three of the robot's
    /// periods if that is longer. A single gap is not a period.
    Duration stale_after() const { return std::max(settings_.stale_after, 3 * period_); }
    link::Role role() const { return role_; }
    /// Returns the key proved by the robot; nullopt without a session, or without authentication.
    std::optional<link::KeyId> key() const;
    const std::string& driver() const { return lease_.holder(); }
    /// Returns by how many seconds the robot's time of day is ahead of ours; nullopt without telemetry.
    std::optional<double> clock_ahead() const { return clock_ahead_; }
    /// Returns nullopt if it has never called.
    const std::optional<Address>& address() const { return address_; }
    std::size_t pending() const { return pending_.size(); }
    /// Returns how many connections reached it, or another robot, and did not become sessions.
    std::uint64_t failed_handshakes() const { return failed_handshakes_; }

    static constexpr Duration tick_period = std::chrono::milliseconds(100);
    /// Between two datagrams of a full stop.
    static constexpr Duration stop_period = std::chrono::milliseconds(50);
    /// How long a full stop to a robot without a connection is repeated.
    static constexpr Duration stop_patience = std::chrono::milliseconds(2500);
    /// Pause between attempts to connect to a robot that was not reached or refused; doubled each time.
    static constexpr Duration first_pause = std::chrono::milliseconds(100);
    static constexpr Duration longest_pause = std::chrono::seconds(5);
    /// Name of the autopilot as a sender of commands.
    static constexpr std::string_view autopilot = "autopilot";

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    void enter(StationMode mode, std::string why = {});
    /// `refused`: the robot has answered. A robot that was not reached, or is frozen, has refused no
    /// handshake.
    void lose_link(std::string why, bool refused = true);
    /// For a failure of the connection, whose message is logged and shown in plain words.
    void lose_link(const Error& error);
    void write(const link::LinkMessage& message, bool first = false);
    void flush();
    void take(const link::LinkMessage& message);
    void welcome(const link::Welcome& welcome);
    void join_topics();
    void check_link(Instant now);
    /// Returns whether it is connected, and a heartbeat of the robot is overdue.
    bool is_silent(Instant now) const;
    void beat(Instant now);
    std::optional<Instant> time_of_telemetry() const {
        return telemetry_ ? std::optional(telemetry_at_) : std::nullopt;
    }
    /// Returns whether the robot is known to run without sending telemetry.
    bool lives_without_telemetry() const;
    void check_staleness(Instant now);
    /// Requests the state of a robot that sends no telemetry, once per heartbeat.
    void ask_state(Instant now);
    std::optional<link::Objection> objection_to(const link::Command& command, const Asker& asker);
    /// Returns why no command can be sent to a robot without a connection.
    std::string not_connected(bool is_stop) const;
    std::optional<link::Objection> claim_lease(const link::Command& command, const Asker& asker);
    void transmit(const link::Command& command, AnswerHandler on_answer, Duration age = {});
    /// Returns whether this is a full stop that can be sent as a datagram, which needs no connection.
    bool is_stop_by_datagram(const link::Command& command) const {
        return command.code == link::CommandCode::full_stop && stop_sealer_ && datagrams_to_ &&
               ways_.send_datagram;
    }
    // Defined in robot_session_stop.cpp.
    /// Sends the full stops that have no answer yet as datagrams.
    void repeat_stops();
    /// Notes a full stop of a person, whose answers pass through the returned handler.
    AnswerHandler follow_stop(const Asker& asker, AnswerHandler on_answer);
    void learn_stop(const link::Answer& answer);
    /// Learns from the answer to any command, which was sent at that time, what became of an unconfirmed full
    /// stop.
    void settle_stop(const link::Command& command, const link::Answer& answer, Instant sent);
    /// Sends an unconfirmed full stop again if the robot can be reached, and shows it when it is overdue.
    void tend_stop(Instant now);
    /// Sends a command of the session itself, whose answer is ignored.
    void say(link::CommandCode code, std::vector<link::Command::Argument> arguments = {});

    const std::string name_;
    Loop& loop_;
    RobotWays ways_;
    const SessionSettings& settings_;
    SessionEvents& events_;
    Log& log_;

    StationMode mode_ = StationMode::init;
    std::string why_{};
    Instant since_{};

    std::optional<Address> address_{};
    std::unique_ptr<Stream> stream_{};
    link::FrameReader reader_{};
    link::FrameOutbox outbox_{};
    std::unique_ptr<negotiation::SessionTransport> topics_{};  ///< null until topics() is called
    std::unique_ptr<views::TopicLine> topic_line_{};
    // Of the latest session, and kept after its connection is lost.
    std::optional<link::SessionOpener> opener_{};
    std::optional<link::DatagramSealer> stop_sealer_{};
    std::optional<Address> datagrams_to_{};  ///< where the robot's datagrams come from
    struct SentStop {
        link::CommandId id;
        std::optional<Instant> until;  ///< when it is given up; nullopt: with its connection
    };
    std::vector<SentStop> stops_{};  ///< full stops without a final answer
    std::uint32_t stop_number_ = 0;
    UnconfirmedStop unconfirmed_stop_{};
    bool shows_stop_ = false;  ///< unconfirmed_stop() was not null in the latest tick
    std::unique_ptr<Timer> stop_timer_;
    std::uint64_t failed_handshakes_ = 0;
    Duration pause_{};         ///< after the next failed connection
    Instant next_dial_{};      ///< earliest time of the next attempt
    std::string complaint_{};  ///< last logged reason of a failed connection
    link::Role role_ = link::Role::observe;
    bool was_connected_ = false;
    Instant last_heard_{};               ///< or when the connection was begun
    std::optional<Instant> heard_at_{};  ///< see heard_at()
    Instant last_heartbeat_{};
    std::uint64_t heartbeats_ = 0;
    double last_sent_by_robot_ = 0;  ///< of its last heartbeat; 0: none
    double robot_beat_at_ = 0;       ///< when that arrived, by Clock::boot_seconds()

    std::optional<link::Telemetry> telemetry_{};
    Instant telemetry_at_{};
    AcknowledgedState acknowledged_{};
    std::optional<std::string> off_reason_{};    ///< of its goodbye
    Instant off_at_{};                           ///< when that arrived
    std::optional<std::string> reported_off_{};  ///< of a report since the latest connection began
    /// Of before the connection. It remains the latest if the connection ends without any telemetry.
    std::optional<link::Telemetry> earlier_telemetry_{};
    Instant earlier_telemetry_at_{};
    bool reports_state_ = true;      ///< false: the robot has refused to
    bool repeats_telemetry_ = true;  ///< false: the robot has refused to
    bool asks_state_ = false;        ///< a request is not answered yet
    Instant asked_state_at_{};
    Instant telemetry_received_{};
    /// As the robot states it. Otherwise the shorter of the last two periods of telemetry, by the robot's
    /// clock.
    Duration period_{};
    Duration last_period_{};
    std::uint64_t life_ = 0;
    /// Of the latest telemetry, kept for the next connection.
    std::uint64_t last_number_ = 0;
    double last_stamp_ = 0;
    bool stale_ = false;

    link::ClockOffset offset_{};  ///< of the robot's Clock::boot_seconds()
    std::optional<double> clock_ahead_{};
    DriveLease lease_;
    PendingCommands pending_;
    std::uint64_t next_id_;
};

}  // namespace caribou::station
