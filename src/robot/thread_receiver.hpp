#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "link/failed_attempts.hpp"
#include "link/seats.hpp"
#include "loop/network.hpp"
#include "loop/stall_watch.hpp"
#include "loop/strand.hpp"
#include "motion/motion.hpp"
#include "robot/link_session.hpp"
#include "robot/link_trust.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Listens on the ReceivePort. One session is the station's: the one that has named the address for
/// telemetry. It has a place of its own. All others are consoles, with seats for each role (link/seats.hpp).
/// A full stop is passed to propulsion first; every command is queued in `main_cmd`, and answered BUSY if
/// that is full or if its session has too many pending commands. A refused peer receives the reason; refusals
/// are counted, and the first of a series is logged.
class ThreadReceiver {
public:
    struct Options {
        std::string robot;
        Address at;
        Duration auth_limit = std::chrono::seconds(5);     ///< for peers that have not sent AUTH
        Duration station_limit = std::chrono::seconds(3);  ///< silence after which it counts as lost
        /// Age at which a command other than a movement expires.
        Duration late_limit = std::chrono::milliseconds(500);
        link::SeatLimits consoles{};
        /// Limit of sessions that have proved a key, if required, but have not sent AUTH.
        std::size_t max_unfinished = 8;
        /// Limit of pending commands per session.
        std::size_t max_commands = 8;
        std::size_t max_station_commands = 40;
        bool plain_afar = false;     ///< stations on other machines may connect without authentication
        LinkTrust* trust = nullptr;  ///< null: no authentication
        Duration proof = std::chrono::milliseconds(500);
    };

    /// All arguments must outlive this object.
    ThreadReceiver(Strand& strand, Network& network, motion::MotionControl& motion, RobotBuffers& buffers,
                   Log& log, Options options);
    ~ThreadReceiver();

    /// Opens the port, notifies main, and listens.
    void start();
    void stop(const std::string& why);
    /// Command 204 and its end: sets whether it listens. Thread-safe.
    void listen(bool listens);
    /// Sends a heartbeat to all peers. Thread-safe.
    void beat();
    /// One more of each kind than the limit: it receives the reason before it is closed.
    Held held() const {
        return {"connections", sessions_.size(), options_.consoles.total() + options_.max_unfinished + 3};
    }
    /// Drops all traffic for this time, in both directions. Thread-safe.
    void go_deaf(Duration time);
    /// Returns the topics over the sessions, on the receiver's strand.
    negotiation::Transport& topics() { return topics_; }

private:
    struct Outgoing {
        std::uint64_t session;
        link::Answer answer;
    };

    Result<void> open();
    void close(const std::string& why);
    void accept(std::unique_ptr<Stream> stream);
    Result<void> welcome(LinkSession& session, const link::Auth& auth);
    /// Returns the proved identity, or, without authentication, the claimed one.
    Result<Peer> identify(const LinkSession& session, const link::Auth& auth);
    Result<void> welcome_station(LinkSession& session, const Peer& peer, const link::Auth& auth);
    Result<Address> telemetry_address(const LinkSession& session, const std::string& wanted) const;
    /// Makes room for a console of this role.
    Result<void> seat(link::Role role);
    bool has_room(const LinkSession& session, bool is_stop) const;
    void refuse(const LinkSession& session, const std::string& why);
    void pass_on(LinkSession& session, const link::Command& command);
    void forget(LinkSession& session, const std::string& why);
    void on_station_heard();
    void send_answers();
    void change_hearing();
    void set_deaf(bool deaf);
    void prove();
    /// Notices stalls of the loop.
    void turn();

    Strand& strand_;
    Network& network_;
    motion::MotionControl& motion_;
    RobotBuffers& buffers_;
    Log& log_;
    Options options_;
    negotiation::SessionTransport topics_;
    LinkSession::Handlers handlers_;
    std::unique_ptr<Listener> listener_;
    std::map<std::uint64_t, std::unique_ptr<LinkSession>> sessions_;
    std::map<std::uint64_t, Instant> unknown_;  ///< sessions without AUTH, and their time limits
    std::uint64_t station_ = 0;                 ///< its session; 0: none
    Instant station_heard_{};
    Instant heard_noted_{};  ///< last notification of main
    link::FailedAttempts attempts_;
    std::shared_ptr<StrandInbox<Outgoing>> answers_;
    std::unique_ptr<Timer> proof_;
    StallWatch stalls_;
    std::unique_ptr<Timer> turn_;
    std::unique_ptr<Timer> deaf_;
    Duration deaf_for_{};  ///< starts when the timer is due
    bool is_deaf_ = false;
};

}  // namespace caribou::robot
