#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "link/failed_attempts.hpp"
#include "link/seats.hpp"
#include "loop/network.hpp"
#include "loop/strand.hpp"
#include "motion/motion.hpp"
#include "robot/link_session.hpp"
#include "robot/link_trust.hpp"
#include "robot/robot_buffers.hpp"

namespace caribou::robot {

/// Listens on the ReceivePort. One session is the station's: the one that has named the address for
/// telemetry. It has a place of its own. Besides it there are consoles, with seats for each role
/// (link/seats.hpp). A full stop goes to propulsion first; every command goes to `main_cmd`, and is answered
/// BUSY if that is full or if its session has too many without an answer. A peer that is refused receives the
/// reason; refusals are counted, and the first of a series is logged.
class ThreadReceiver {
public:
    struct Options {
        std::string robot;
        Address at;
        Duration auth_limit = std::chrono::seconds(5);     ///< for who has not said who it is
        Duration station_limit = std::chrono::seconds(3);  ///< nothing heard from it: it is gone
        /// A command that was under way for so much longer than the fastest is of the past.
        Duration late_limit = std::chrono::milliseconds(500);
        link::SeatLimits consoles{};
        /// Sessions that have proven a key, if that is needed, but have not sent AUTH.
        std::size_t max_unfinished = 8;
        /// Commands of one session without a final answer.
        std::size_t max_commands = 8;
        std::size_t max_station_commands = 40;
        bool plain_afar = false;     ///< stations on other machines may come over a plain link
        LinkTrust* trust = nullptr;  ///< null: the link is plain, and everybody is believed
        Duration proof = std::chrono::milliseconds(500);
    };

    /// All outlive it.
    ThreadReceiver(Strand& strand, Network& network, motion::MotionControl& motion, RobotBuffers& buffers,
                   Log& log, Options options);
    ~ThreadReceiver();

    /// Opens the port, tells main, and listens.
    void start();
    void stop(const std::string& why);
    /// Commands 204, and its end: whether it listens. Any thread may call.
    void listen(bool listens);
    /// What main wants to be said to everybody: heartbeats. Any thread may call.
    void beat();
    /// One more of each kind than may stay: it gets the reason before it is closed.
    Held held() const {
        return {"connections", sessions_.size(), options_.consoles.total() + options_.max_unfinished + 3};
    }
    /// For so long it hears nobody and is heard by nobody, as if the air were dead. Any thread may call.
    void go_deaf(Duration time);
    /// Topics over the sessions. Lives on the receiver's strand.
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
    /// Who it has proven to be, or, on a plain link, says it is.
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
    std::map<std::uint64_t, Instant> unknown_;  ///< who has not said who it is, and until when it may
    std::uint64_t station_ = 0;                 ///< its session; 0: none
    Instant station_heard_{};
    Instant heard_noted_{};  ///< when main was last notified of that
    std::uint64_t beats_ = 0;
    link::FailedAttempts attempts_;
    std::shared_ptr<StrandInbox<Outgoing>> answers_;
    std::unique_ptr<Timer> proof_;
    std::unique_ptr<Timer> deaf_;
    Duration deaf_for_{};  ///< from when the timer is due
    bool is_deaf_ = false;
};

}  // namespace caribou::robot
