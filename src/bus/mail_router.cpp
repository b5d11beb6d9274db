#include "bus/mail_router.hpp"

#include <algorithm>

namespace caribou::bus {

MailRouter::Route& MailRouter::route(std::string_view key) {
    if (const auto found = routes_.find(key); found != routes_.end()) return found->second;
    return routes_[std::string(key)];
}

MailQueue& MailRouter::queue(std::string_view key, std::string_view consumer) {
    auto& consumers = route(key).consumers;
    const auto found = std::ranges::find_if(consumers, [&](const auto& c) { return c->name == consumer; });
    if (found != consumers.end()) return (*found)->queue;
    consumers.push_back(std::make_unique<Consumer>(std::string(consumer), MailQueue(limit_)));
    return consumers.back()->queue;
}

MailRouter::Delivery MailRouter::deliver(const wire::MessageView& message, ByteView raw) {
    Delivery delivery;
    const auto found = routes_.find(message.key);
    if (found != routes_.end() && (found->second.handler || !found->second.consumers.empty())) {
        // Queues first, because the handler may modify them.
        for (const auto& consumer : found->second.consumers) enqueue(consumer->queue, raw, delivery);
        found->second.handler(message);
    } else if (other_handler_) {
        other_handler_(message);
    } else {
        enqueue(general_, raw, delivery);
    }
    return delivery;
}

void MailRouter::enqueue(MailQueue& queue, ByteView raw, Delivery& delivery) {
    const auto lost_before = queue.lost();
    if (queue.push(raw) != Pushed::refused) ++delivery.queued;
    delivery.lost += queue.lost() - lost_before;
}

}  // namespace caribou::bus
