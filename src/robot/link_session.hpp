#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/limits.hpp"
#include "link/clock_offset.hpp"
#include "link/frame_outbox.hpp"
#include "link/frame_reader.hpp"
#include "link/secured_network.hpp"
#include "loop/network.hpp"
#include "robot/robot_request.hpp"
#include "views/topic_line.hpp"

namespace caribou::robot {

/// One connection to the robot: first who it is, then frames both ways.
class LinkSession final : public StreamEvents {
public:
    struct Handlers {
        /// It says who it is, and is believed with known_as(). The error ends the session with a goodbye.
        std::function<Result<void>(LinkSession&, const link::Auth&)> on_auth;
        std::function<void(LinkSession&, const link::Command&)> on_command;
        /// Anything at all, from one that has proved itself.
        std::function<void(LinkSession&)> on_heard;
        /// The time of this moment, UNIX seconds.
        std::function<double()> now;
        /// The last call. The session may be destroyed after this turn.
        std::function<void(LinkSession&, const std::string& why)> on_end;
        /// A line for topics, which it speaks of for the first time.
        std::function<std::unique_ptr<views::TopicLine>(LinkSession&, link::FrameOutbox&,
                                                        views::TopicLine::Handlers)>
            join_topics;
    };

    /// Bytes that may wait for a peer that does not take them.
    static constexpr std::size_t max_backlog = 1_MiB;

    LinkSession(std::uint64_t number, std::unique_ptr<Stream> stream, Handlers& handlers);

    void send(const link::LinkMessage& message);
    void known_as(Peer peer) { peer_ = std::move(peer); }
    /// While deaf it neither hears nor is heard; everything waits.
    void set_deaf(bool deaf);
    /// Says goodbye, and ends.
    void dismiss(const std::string& why);

    std::uint64_t number() const { return number_; }
    /// None: it has not said who it is, or was not believed.
    const std::optional<Peer>& peer() const { return peer_; }
    bool is_station() const { return is_station_; }
    /// Null: nothing was proven.
    const link::SecuredStream* secured() const { return link::secured(*stream_); }
    /// The address of the other end, for people.
    std::string address() const { return stream_->peer(); }
    /// `sent` of the last heartbeat that came.
    double heard() const { return heard_; }
    /// How much longer than the fastest a command was under way that comes now, in seconds, at least: it was
    /// sent within beat_before_command of the heartbeat before it. 0 for who sends no heartbeats.
    double lateness() const;
    bool ended() const { return ended_; }

    /// When it last sent a command; the epoch, if it never did. Set by its owner.
    Instant active() const { return active_; }
    void set_active(Instant at) { active_ = at; }
    /// Commands of it that have no final answer yet; counted by its owner.
    std::size_t open_commands() const { return open_commands_; }
    void add_open_command() { ++open_commands_; }
    void remove_open_command() { open_commands_ -= open_commands_ > 0 ? 1 : 0; }

private:
    void on_readable() override;
    void on_writable() override { flush(); }
    /// Takes what has come, at most one buffer: the rest waits for the next turn, so that a peer that floods
    /// does not keep the others waiting. The error ends the session.
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
    double heard_ = 0;
    link::FrameOutbox outbox_;
    link::ClockOffset offset_;
    double heard_at_ = 0;  ///< UNIX seconds, as `heard_`
    double lateness_ = 0;  ///< of that heartbeat
    Instant active_{};
    std::size_t open_commands_ = 0;
    bool ended_ = false;
    bool deaf_ = false;
    std::unique_ptr<views::TopicLine> topics_;  ///< null: it has not spoken of topics
};

}  // namespace caribou::robot
