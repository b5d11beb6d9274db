#include "views/topic_line.hpp"

#include <utility>

namespace caribou::views {

TopicLine::TopicLine(Loop& loop, negotiation::SessionTransport& transport, std::string other_end,
                     link::FrameOutbox& outbox, Handlers handlers)
    : loop_(loop), outbox_(outbox), handlers_(std::move(handlers)), timer_(loop.make_timer([this] {
          armed_ = false;
          if (overflows_) return handlers_.fail("it does not accept messages about topics");
          handlers_.flush();
      })) {
    session_ = transport.join(std::move(other_end), *this);
}

TopicLine::~TopicLine() = default;

bool TopicLine::send(Kind kind, ByteView message) {
    if (message.size() > link::LinkLimits::topic) return false;
    if (kind == Kind::sample && outbox_.topic_bytes() > max_waiting) return false;
    // What was added since the last flush does not wait for the connection yet.
    if (!armed_) flushed_ = outbox_.topic_bytes() == 0;
    if (kind == Kind::best_effort_sample && !flushed_) return false;
    if (outbox_.topic_bytes() > max_waiting + link::LinkLimits::topic) overflows_ = true;
    if (!overflows_) outbox_.add_topic(message);
    // Deferred, because the handlers may end the session.
    if (!std::exchange(armed_, true)) timer_->arm(loop_.clock().now());
    return !overflows_;
}

Result<void> TopicLine::take(const link::TopicPiece& piece) {
    auto message = joiner_.add(piece);
    if (!message) return fail(std::move(message.error()));
    return *message ? session_->receive(**message) : Result<void>();
}

}  // namespace caribou::views
