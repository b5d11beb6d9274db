#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bus/callback.hpp"
#include "bus/client_handlers.hpp"
#include "bus/mail_queue.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// Delivers each message to the handler and the queues of its variable, or if there are none to the general
/// handler, or else to the general queue. One look-up per message.
class MailRouter {
public:
    explicit MailRouter(QueueLimit limit) : limit_(limit), general_(limit) {}

    void on_mail(std::string_view key, MailHandler handler) { route(key).handler.set(std::move(handler)); }
    void on_other_mail(MailHandler handler) { other_handler_.set(std::move(handler)); }
    /// Returns the queue, created by the first call. The reference stays valid.
    MailQueue& queue(std::string_view key, std::string_view consumer);
    MailQueue& general() { return general_; }

    struct Delivery {
        std::size_t queued = 0;  ///< queues that stored the message
        std::size_t lost = 0;    ///< messages, this one or older ones, that did not fit into their queues
    };
    /// `raw` are the bytes that `message` was decoded from. Handlers may call any method of the router.
    Delivery deliver(const wire::MessageView& message, ByteView raw);

private:
    struct Consumer {
        std::string name;
        MailQueue queue;
    };
    struct Route {
        Callback<const wire::MessageView&> handler;
        std::vector<std::unique_ptr<Consumer>> consumers;
    };
    struct KeyHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view key) const noexcept {
            return std::hash<std::string_view>{}(key);
        }
    };

    Route& route(std::string_view key);
    static void enqueue(MailQueue& queue, ByteView raw, Delivery& delivery);

    QueueLimit limit_;
    /// Routes are never erased, because their handlers may be running.
    std::unordered_map<std::string, Route, KeyHash, std::equal_to<>> routes_;
    Callback<const wire::MessageView&> other_handler_;
    MailQueue general_;
};

}  // namespace caribou::bus
