#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/limits.hpp"
#include "link/frame_outbox.hpp"
#include "link/topic_pieces.hpp"
#include "loop/loop.hpp"
#include "negotiation/session_transport.hpp"

namespace caribou::views {

/// Carries the messages of a SessionTransport over one session of the link. Outgoing messages are sent in
/// frames with the lowest priority; incoming pieces are reassembled and passed to the transport. Destroying
/// it ends the session of topics.
class TopicLine final : negotiation::SessionSender {
public:
    struct Handlers {
        /// Called when frames are waiting in the outbox. Called from the loop; may destroy the line.
        std::function<void()> flush;
        /// Called when the other end does not accept mandatory messages, so that the session must end. Called
        /// from the loop; may destroy the line.
        std::function<void(const std::string& why)> fail;
    };

    /// Samples are dropped, and counted, while more than this is waiting to be sent; those of best effort,
    /// while the connection has not accepted everything of the turns before.
    static constexpr std::size_t max_waiting = 256_KiB;

    /// `loop`, `transport` and `outbox` must outlive it.
    TopicLine(Loop& loop, negotiation::SessionTransport& transport, std::string other_end,
              link::FrameOutbox& outbox, Handlers handlers);
    ~TopicLine();
    TopicLine(const TopicLine&) = delete;
    TopicLine& operator=(const TopicLine&) = delete;

    /// Handles a piece received from the other end; must be called from the loop. After an error the session
    /// must end.
    Result<void> take(const link::TopicPiece& piece);

private:
    bool send(Kind kind, ByteView message) override;

    Loop& loop_;
    link::FrameOutbox& outbox_;
    Handlers handlers_;
    link::TopicJoiner joiner_;
    std::unique_ptr<Timer> timer_;
    bool armed_ = false;   ///< a flush is due
    bool flushed_ = true;  ///< nothing was waiting when armed_ was set
    bool overflows_ = false;
    std::unique_ptr<negotiation::TopicSession> session_;
};

}  // namespace caribou::views
