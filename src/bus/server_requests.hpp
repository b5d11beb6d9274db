#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "bus/client_handlers.hpp"
#include "bus/mail_queue.hpp"
#include "loop/loop.hpp"
#include "wire/message.hpp"

namespace caribou::bus {

/// The request `ALL_SINCE=<uptime>`, an extension of this broker: the same answer as for ALL, but only with
/// variables written at that uptime or later, after a message with the broker's uptime. `ALL_SINCE=0` lists
/// all variables ever written; values older than the broker have a negative time.
inline constexpr std::string_view all_since = "ALL_SINCE=";

/// Queue of requests to the broker. An answer does not name its request, so requests are sent one at a time;
/// an answer is complete at the end of the packet that brought it.
class ServerRequests {
public:
    /// `on_free` is called when a request has timed out and the next one may be sent.
    ServerRequests(Loop& loop, std::size_t max_requests, QueueLimit answer, Task on_free);

    /// Queues a request; its time limit starts now. Fails with limit_exceeded if too many are waiting.
    Result<void> add(std::string_view what, ReplyHandler handler, Duration limit);
    /// Returns the request to send now, or nullopt.
    std::optional<std::string> next() const;
    /// Must be called when that request has been sent.
    void sent();

    /// Processes a message with the id of answers. Returns false if no request is waiting for it.
    bool take(const wire::MessageView& message, ByteView raw);
    /// Calls the handler if the packet contained the answer.
    void on_packet_end();
    /// Fails all requests because the connection was lost.
    void fail_all(const Error& why);

private:
    struct Request {
        std::string what;
        ReplyHandler handler;
        Duration limit;
        Instant due;
    };

    void finish_first(Result<std::vector<wire::Message>> answer);
    void on_due();
    void arm();

    Loop& loop_;
    std::size_t max_requests_;
    QueueLimit answer_limit_;
    Task on_free_;
    std::deque<Request> requests_;
    bool on_its_way_ = false;  ///< the first request has been sent
    MailQueue answer_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::bus
