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

/// Topics over one session of the link: what a SessionTransport says goes out in frames, behind everything
/// else, and what comes in frames goes to it. Destroying it ends the session of topics.
class TopicLine final : negotiation::SessionSender {
public:
    struct Handlers {
        /// Something waits in the outbox. Comes from the loop, and may destroy the line.
        std::function<void()> flush;
        /// The other end does not take what it has to: the session ends. The same.
        std::function<void(const std::string& why)> fail;
    };

    /// Samples are dropped, and counted, while more than that waits to leave.
    static constexpr std::size_t max_waiting = 256_KiB;

    /// Loop, transport and outbox outlive it.
    TopicLine(Loop& loop, negotiation::SessionTransport& transport, std::string other_end,
              link::FrameOutbox& outbox, Handlers handlers);
    ~TopicLine();
    TopicLine(const TopicLine&) = delete;
    TopicLine& operator=(const TopicLine&) = delete;

    /// A piece that the other end has sent; comes from the loop. After an error the session has to end.
    Result<void> take(const link::TopicPiece& piece);

private:
    bool send(Kind kind, ByteView message) override;

    Loop& loop_;
    link::FrameOutbox& outbox_;
    Handlers handlers_;
    link::TopicJoiner joiner_;
    std::unique_ptr<Timer> timer_;
    bool armed_ = false;
    bool overflows_ = false;
    std::unique_ptr<negotiation::TopicSession> session_;
};

}  // namespace caribou::views
