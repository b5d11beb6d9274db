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

/// The request `ALL_SINCE=<uptime>`, which our broker knows: what ALL tells, of the variables that were
/// written then or later, behind a message that tells the broker's uptime. Since 0 is all that were
/// written; the time of one that is older than the broker is below 0.
inline constexpr std::string_view all_since = "ALL_SINCE=";

/// Requests to the broker that wait for their answers. An answer does not say what it answers, so
/// requests go one after another; an answer is complete when the packet that brought it ends.
class ServerRequests {
public:
    /// `on_free` is called when a time limit has passed and the next request may be sent.
    ServerRequests(Loop& loop, std::size_t max_requests, QueueLimit answer, Task on_free);

    /// The time limit runs from here. Fails with limit_exceeded when too many wait.
    Result<void> add(std::string_view what, ReplyHandler handler, Duration limit);
    /// What is to be sent now, if anything.
    std::optional<std::string> next() const;
    /// It is sent: from now on its answer is awaited.
    void sent();

    /// A message with the id of answers came. False: nobody waits for it.
    bool take(const wire::MessageView& message, ByteView raw);
    /// Hands over the answer if the packet brought one.
    void on_packet_end();
    /// The connection is lost: all fail.
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
    bool on_its_way_ = false;  ///< the first one
    MailQueue answer_;
    std::unique_ptr<Timer> timer_;
};

}  // namespace caribou::bus
