#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/limits.hpp"
#include "base/log.hpp"
#include "link/clock_offset.hpp"
#include "link/datagram_seal.hpp"
#include "link/frame_outbox.hpp"
#include "link/frame_reader.hpp"
#include "link/message.hpp"
#include "link/secured_network.hpp"
#include "loop/loop.hpp"
#include "loop/network.hpp"
#include "station/drive_lease.hpp"
#include "station/pending_commands.hpp"
#include "station/station_mode.hpp"
#include "views/topic_line.hpp"
#include "views/view.hpp"

namespace caribou::station {

struct SessionSettings {
    std::string station = "station";      ///< our name, for the robot
    link::Role role = link::Role::admin;  ///< that we ask for
    std::string send_to{};                ///< where telemetry is to go
    Duration shake_limit = std::chrono::seconds(5);
    Duration heartbeat = std::chrono::seconds(1);
    Duration link_limit = std::chrono::seconds(3);   ///< nothing heard on the connection: it is lost
    Duration stale_after = std::chrono::seconds(1);  ///< see RobotSession::stale_after()
    Duration lease_limit = std::chrono::seconds(30);
    PendingLimits pending{};
    std::size_t outbox = 64_KiB;  ///< bytes that may wait; a full stop always may
};

/// By which robots are dialed: plainly, or by key.
struct RobotWays {
    Network& plain;
    link::SecuredNetwork* secured = nullptr;
};

class RobotSession;

/// Hears what happens with a robot. Nothing may destroy the session.
class SessionEvents {
public:
    /// The mode, or anything else that is not telemetry.
    virtual void on_status(RobotSession& session) = 0;
    /// New telemetry, or what there is has become stale.
    virtual void on_telemetry(RobotSession& session) = 0;
    /// A view that somebody wants shows something else.
    virtual void on_view(RobotSession& session, views::View view) {
        static_cast<void>(session), static_cast<void>(view);
    }
    virtual void on_report(RobotSession& session, std::string_view text) = 0;
    virtual void on_command(RobotSession& session, const link::Command& command, const Asker& asker) = 0;
    virtual void on_answer(RobotSession& session, const link::Answer& answer) = 0;

protected:
    ~SessionEvents() = default;
};

/// One robot, as the station knows it. Waits for the robot's call, dials, authenticates, and then carries
/// commands, answers and heartbeats, until the link is lost and it waits again. Telemetry comes from
/// outside, because it does not come on the connection. tick() has to be called every `tick`.
class RobotSession final : public StreamEvents {
public:
    RobotSession(std::string name, Loop& loop, RobotWays ways, const SessionSettings& settings,
                 SessionEvents& events, Log& log);
    ~RobotSession();
    RobotSession(const RobotSession&) = delete;
    RobotSession& operator=(const RobotSession&) = delete;

    /// init -> wait.
    void start();
    /// The robot asks for a connection to this port of its host. Whether it is dialed. Null: plainly.
    bool called(const Address& from, std::uint16_t receive_port, const link::SecretKey* key = nullptr);
    /// What the robot has sealed for this session, each datagram once.
    Result<Bytes> open(ByteView datagram);
    void heard(const link::Telemetry& telemetry);
    void heard(const link::ErrorReport& report);
    void tick();

    /// Sends a command, whose id is given here. `on_answer` is told what becomes of it, perhaps at once.
    void send(link::Command command, const Asker& asker, AnswerHandler on_answer);
    /// run1 -> run2. Why not.
    std::optional<link::Objection> engage_autopilot();
    /// run2 -> run1; nothing in any other mode.
    void disengage_autopilot(std::string why);
    /// Somebody has gone: a lease of theirs ends, and with it their driving.
    void forget(std::string_view asker);
    /// Says goodbye and waits.
    void hang_up(std::string_view why);

    /// The robot's topics, which come and go with the link. Costs nothing until somebody asks for it.
    negotiation::Transport& topics();

    const std::string& name() const { return name_; }
    StationMode mode() const { return mode_; }
    /// Of the last change of the mode. Empty: as it should be.
    const std::string& why() const { return why_; }
    Instant since() const { return since_; }
    /// Null: none has come since the session stands.
    const link::Telemetry* telemetry() const { return telemetry_ ? &*telemetry_ : nullptr; }
    /// When the telemetry was collected, by our clock.
    Instant telemetry_at() const { return telemetry_at_; }
    /// Whether the telemetry is older than stale_after(), in whatever mode the session is; without any,
    /// whether it has been missing for so long.
    bool stale() const { return stale_; }
    /// The age at which telemetry becomes stale: the limit of the settings, or three of the robot's periods
    /// if that is longer.
    Duration stale_after() const { return std::max(settings_.stale_after, 3 * period_); }
    link::Role role() const { return role_; }
    /// That the robot has proven. None: there is no session, or it is a plain one.
    std::optional<link::KeyId> key() const;
    const std::string& driver() const { return lease_.holder(); }
    const link::ClockOffset& offset() const { return offset_; }
    /// Empty: it has never called.
    const std::optional<Address>& address() const { return address_; }
    std::size_t pending() const { return pending_.size(); }
    /// How often it was dialed, and not reached, or not the one it should be.
    std::uint64_t failed_handshakes() const { return failed_handshakes_; }

    static constexpr Duration tick_period = std::chrono::milliseconds(100);
    /// Between two dials of a robot that was not reached, or refused: doubled each time.
    static constexpr Duration first_pause = std::chrono::milliseconds(100);
    static constexpr Duration longest_pause = std::chrono::seconds(5);
    /// Who sends what the autopilot sends.
    static constexpr std::string_view autopilot = "autopilot";

private:
    void on_open() override;
    void on_readable() override;
    void on_writable() override;
    void on_connect_failed(const Error& why) override;

    void enter(StationMode mode, std::string why = {});
    void lose_link(std::string why);
    void write(const link::LinkMessage& message, bool first = false);
    void flush();
    void take(const link::LinkMessage& message);
    void welcome(const link::Welcome& welcome);
    void join_topics();
    void check_link(Instant now);
    void beat(Instant now);
    void check_staleness(Instant now);
    std::optional<link::Objection> objection_to(const link::Command& command, const Asker& asker);
    std::optional<link::Objection> claim_lease(const link::Command& command, const Asker& asker);
    void transmit(const link::Command& command, AnswerHandler on_answer);
    /// A command of our own, whose end nobody waits for.
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
    std::unique_ptr<negotiation::SessionTransport> topics_{};  ///< null: nobody has asked for any
    std::unique_ptr<views::TopicLine> topic_line_{};
    std::optional<link::SessionOpener> opener_{};
    std::uint64_t failed_handshakes_ = 0;
    Duration pause_{};         ///< after the next failure to reach it
    Instant next_dial_{};      ///< not before
    std::string complaint_{};  ///< why it was not reached, told last
    link::Role role_ = link::Role::observe;
    Instant last_heard_{};
    Instant last_heartbeat_{};
    std::uint64_t heartbeats_ = 0;
    double last_sent_by_robot_ = 0;

    std::optional<link::Telemetry> telemetry_{};
    Instant telemetry_at_{};
    Duration period_{};  ///< between the last two telemetries, by the robot's clock
    bool stale_ = false;

    link::ClockOffset offset_{};
    DriveLease lease_;
    PendingCommands pending_;
    std::uint64_t next_id_;
};

}  // namespace caribou::station
