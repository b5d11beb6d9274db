#include "bus/mail_queue.hpp"

#include "base/check.hpp"
#include "wire/codec.hpp"

namespace caribou::bus {

Pushed MailQueue::push(ByteView raw) {
    Pushed outcome = Pushed::accepted;
    while (!fits(raw.size())) {
        if (messages_.empty() || limit_.when_full == WhenFull::refuse) {
            ++lost_;
            return Pushed::refused;
        }
        messages_.pop_front();
        ++lost_;
        outcome = Pushed::dropped_oldest;
    }
    messages_.push(raw);
    return outcome;
}

bool MailQueue::fits(std::size_t size) const {
    return messages_.count() < limit_.messages && messages_.bytes() + size <= limit_.bytes;
}

std::optional<wire::MessageView> MailQueue::front() const {
    if (empty()) return std::nullopt;
    const auto message = wire::decode_message(first_message(messages_.view()));
    check(message.has_value(), "only whole messages were queued");
    return *message;
}

void MailQueue::pop_front() {
    if (!empty()) messages_.pop_front();
}

std::optional<wire::Message> MailQueue::pop() {
    const auto oldest = front();
    if (!oldest) return std::nullopt;
    std::optional<wire::Message> message(wire::own(*oldest));
    messages_.pop_front();
    return message;
}

std::vector<wire::Message> MailQueue::fetch() {
    std::vector<wire::Message> all;
    all.reserve(size());
    while (auto message = pop()) all.push_back(std::move(*message));
    return all;
}

void MailQueue::pour_into(MailQueue& other) {
    for (; !messages_.empty(); messages_.pop_front())
        static_cast<void>(other.push(first_message(messages_.view())));  // it counts its losses itself
}

}  // namespace caribou::bus
