#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/limits.hpp"
#include "link/frame_outbox.hpp"
#include "link/frame_reader.hpp"
#include "link/peer_clock.hpp"
#include "link/secured_network.hpp"
#include "loop/network.hpp"
#include "robot/robot_request.hpp"
#include "views/topic_line.hpp"

namespace caribou::robot {

/// One connection to the robot: authentication, then frames in both directions.
class LinkSession final : public StreamEvents {
public:
    struct Handlers {
        /// The peer has sent AUTH; the callee accepts it with known_as(). An error ends the session with a
        /// goodbye.
        std::function<Result<void>(LinkSession&, const link::Auth&)> on_auth;
        std::function<void(LinkSession&, const link::Command&)> on_command;
        /// Called for every message of an authenticated peer.
        std::function<void(LinkSession&)> on_heard;
        /// Returns the present time of Clock::boot_seconds().
        std::function<double()> now;
        /// The last callback. The session may be destroyed after this turn.
        std::function<void(LinkSession&, const std::string& why)> on_end;
        /// Creates a line for topics when the peer first uses them.
        std::function<std::unique_ptr<views::TopicLine>(LinkSession&, link::FrameOutbox&,
                                                        views::TopicLine::Handlers)>
            join_topics;
    };

    /// Limit of unsent bytes.
    static constexpr std::size_t max_backlog = 1_MiB;
    /// Seconds by which a stated time may be in the future, beyond the uncertainty of the clocks.
    static constexpr double future_tolerance = 0.5;

    LinkSession(std::uint64_t number, std::unique_ptr<Stream> stream, Handlers& handlers);

    /// Queues a message. Ends the session if more than max_backlog bytes are waiting.
    void send(const link::LinkMessage& message);
    /// Accepts the peer; its commands are passed on from now on.
    void known_as(Peer peer) { peer_ = std::move(peer); }
    /// While deaf, nothing is received or sent; everything waits.
    void set_deaf(bool deaf);
    /// Sends a goodbye and ends.
    void dismiss(const std::string& why);

    std::uint64_t number() const { return number_; }
    /// Returns nullopt before the peer was accepted.
    const std::optional<Peer>& peer() const { return peer_; }
    bool is_station() const { return is_station_; }
    /// Returns null for a stream without authentication.
    const link::SecuredStream* secured() const { return link::secured(*stream_); }
    /// Returns the peer's address, for people.
    std::string address() const { return stream_->peer(); }
    /// Sends a heartbeat.
    void beat();
    /// Returns how old the command that is being handled is, according to the heartbeat before it: the time
    /// since a movement was given, or since the station sent another command. A lower bound if that
    /// heartbeat does not state the time of the command. Returns nullopt for a peer that states no times, and
    /// before the first round trip.
    std::optional<Duration> age() const;
    /// Returns when the command that is being handled was given, by our clock; nullopt if the peer did not
    /// state it. For a peer on this machine: it has our clock, unless its reply to beat() shows that it has
    /// another one. Then this is the earliest possible time.
    std::optional<double> given_here() const;
    bool ended() const { return ended_; }

    /// Returns when it last sent a command; the epoch if it never did. Set by its owner.
    Instant active() const { return active_; }
    void set_active(Instant at) { active_ = at; }
    /// Returns the number of its commands without a final answer; counted by its owner.
    std::size_t open_commands() const { return open_commands_; }
    void add_open_command() { ++open_commands_; }
    void remove_open_command() { open_commands_ -= open_commands_ > 0 ? 1 : 0; }

private:
    void on_readable() override;
    void on_writable() override { flush(); }
    /// Reads at most one buffer: the rest waits for the next turn, so that a flooding peer does not delay the
    /// others. An error ends the session.
    Result<void> read_some();
    Result<void> take(link::LinkMessage message);
    Result<void> take_topic(const link::TopicPiece& piece);
    void take(const link::Heartbeat& beat);
    void flush();
    void end(const std::string& why);

    const std::uint64_t number_;
    std::unique_ptr<Stream> stream_;
    Handlers& handlers_;
    link::FrameReader reader_;
    std::optional<Peer> peer_;
    bool is_station_ = false;
    // Times of the peer's clock; 0: none.
    double heard_ = 0;     ///< of the last heartbeat
    double given_ = 0;     ///< stated for the next command
    double heard_at_ = 0;  ///< time of our clock when `heard_` arrived
    link::PeerClock clock_;
    /// The last reply to a heartbeat of ours: sent by our clock, replied to by the peer's, received by ours.
    struct RoundTrip {
        double sent;
        double replied;
        double received;
    };
    std::optional<RoundTrip> round_trip_;
    std::uint64_t beats_ = 0;
    link::FrameOutbox outbox_;
    Instant active_{};
    std::size_t open_commands_ = 0;
    bool ended_ = false;
    bool deaf_ = false;
    std::unique_ptr<views::TopicLine> topics_;  ///< null until topics are used
};

}  // namespace caribou::robot
