#include "bus/client_outbox.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {
namespace {

bool is_notification(ByteView message) {
    constexpr std::size_t type_offset = 8;  // after length and id
    return static_cast<char>(message[type_offset]) == static_cast<char>(wire::MessageType::notify);
}

}  // namespace

Result<Pushed> ClientOutbox::push(const wire::MessageView& message) {
    const std::size_t size = wire::encoded_size(message);
    if (size > limit_.bytes)
        return fail(Code::limit_exceeded, limit_reached("outbox.bytes", size, limit_.bytes, "bytes"));
    Pushed outcome = Pushed::accepted;
    while (!fits(size)) {
        if (limit_.when_full == WhenFull::refuse || !drop_oldest_notification()) {
            return count() >= limit_.messages
                       ? fail(Code::limit_exceeded,
                              limit_reached("outbox.messages", count() + 1, limit_.messages, "messages"))
                       : fail(Code::limit_exceeded,
                              limit_reached("outbox.bytes", bytes() + size, limit_.bytes, "bytes"));
        }
        outcome = Pushed::dropped_oldest;
    }
    waiting_.push(message);
    return outcome;
}

bool ClientOutbox::fits(std::size_t size) const {
    return count() < limit_.messages && bytes() + size <= limit_.bytes;
}

bool ClientOutbox::drop_oldest_notification() {
    const ByteView all = waiting_.view();
    for (std::size_t offset = 0; offset < all.size();) {
        const ByteView message = first_message(all.subspan(offset));
        if (is_notification(message)) {
            waiting_.erase(offset);
            ++dropped_;
            return true;
        }
        offset += message.size();
    }
    return false;
}

void ClientOutbox::take_packet() {
    check(packet_.empty(), "one packet after the other");
    if (waiting_.bytes() <= max_packet) {
        std::swap(packet_, waiting_);
        return;
    }
    std::size_t taken = 0;
    while (!waiting_.empty()) {
        const ByteView message = first_message(waiting_.view());
        if (taken > 0 && taken + message.size() > max_packet) break;
        packet_.push(message);
        taken += message.size();
        waiting_.pop_front();
    }
}

std::size_t ClientOutbox::connection_lost(std::size_t sent, OnLoss on_loss) {
    std::size_t dropped = 0;
    EncodedMessages kept;
    const auto sort_out = [&](ByteView all, std::size_t gone) {
        for (std::size_t offset = 0; offset < all.size();) {
            const ByteView message = first_message(all.subspan(offset));
            offset += message.size();
            if (offset <= gone || !is_notification(message)) continue;
            if (on_loss == OnLoss::keep)
                kept.push(message);
            else
                ++dropped;
        }
    };
    sort_out(packet_.view(), sent);
    sort_out(waiting_.view(), 0);
    packet_.clear();
    waiting_ = std::move(kept);
    return dropped;
}

}  // namespace caribou::bus
