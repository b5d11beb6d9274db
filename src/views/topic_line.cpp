#include "views/topic_line.hpp"

#include <utility>

namespace caribou::views {

TopicLine::TopicLine(Loop& loop, negotiation::SessionTransport& transport, std::string other_end,
                     link::FrameOutbox& outbox, Handlers handlers)
    : loop_(loop), outbox_(outbox), handlers_(std::move(handlers)), timer_(loop.make_timer([this] {
          armed_ = false;
          if (overflows_) return handlers_.fail("it does not take what is said about topics");
          handlers_.flush();
      })) {
    session_ = transport.join(std::move(other_end), *this);
}

TopicLine::~TopicLine() = default;

bool TopicLine::send(Kind kind, ByteView message) {
    const bool is_sample = kind == Kind::sample;
    if (message.size() > link::LinkLimits::topic) return false;
    if (is_sample && outbox_.topic_bytes() > max_waiting) return false;
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
