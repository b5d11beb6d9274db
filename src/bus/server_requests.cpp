#include "bus/server_requests.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.hpp"

namespace caribou::bus {
namespace {

/// An answer larger than the limit is an error, not a partial answer.
QueueLimit refusing(QueueLimit limit) {
    limit.when_full = WhenFull::refuse;
    return limit;
}

/// Returns whether a message with this key may answer the request. Summaries carry the name of their request;
/// the answer to ALL carries the variables' names. Detects a late answer to an earlier request that timed
/// out.
bool may_answer(std::string_view what, std::string_view key) {
    const bool summary = key == "VAR_SUMMARY" || key == "PROC_SUMMARY" || key == "CLIENT_SUMMARY";
    return summary ? what.contains(key) : !what.contains("_SUMMARY");
}

}  // namespace

ServerRequests::ServerRequests(Loop& loop, std::size_t max_requests, QueueLimit answer, Task on_free)
    : loop_(loop),
      max_requests_(max_requests),
      answer_limit_(refusing(answer)),
      on_free_(std::move(on_free)),
      answer_(answer_limit_),
      timer_(loop.make_timer([this] { on_due(); })) {}

Result<void> ServerRequests::add(std::string_view what, ReplyHandler handler, Duration limit) {
    if (requests_.size() >= max_requests_)
        return fail(Code::limit_exceeded,
                    limit_reached("max_requests", requests_.size() + 1, max_requests_, "requests"));
    requests_.push_back({std::string(what), std::move(handler), limit, loop_.clock().now() + limit});
    arm();
    return {};
}

std::optional<std::string> ServerRequests::next() const {
    if (on_its_way_ || requests_.empty()) return std::nullopt;
    return requests_.front().what;
}

void ServerRequests::sent() {
    on_its_way_ = true;
    answer_ = MailQueue(answer_limit_);
}

bool ServerRequests::take(const wire::MessageView& message, ByteView raw) {
    if (!on_its_way_ || !may_answer(requests_.front().what, message.key)) return false;
    static_cast<void>(answer_.push(raw));  // losses are checked at the end
    return true;
}

void ServerRequests::on_packet_end() {
    if (!on_its_way_) return;
    if (answer_.lost() > 0) {
        finish_first(
            fail(Code::limit_exceeded,
                 fmt::format("the answer to {} is larger than the limit inbox of {} messages and {} bytes",
                             requests_.front().what, answer_limit_.messages, answer_limit_.bytes)));
    } else if (!answer_.empty()) {
        finish_first(answer_.fetch());
    }
}

void ServerRequests::finish_first(Result<std::vector<wire::Message>> answer) {
    Request request = std::move(requests_.front());
    requests_.pop_front();
    on_its_way_ = false;
    answer_ = MailQueue(answer_limit_);
    arm();
    request.handler(std::move(answer));
}

void ServerRequests::fail_all(const Error& why) {
    on_its_way_ = false;
    auto failed = std::exchange(requests_, {});
    timer_->cancel();
    for (Request& request : failed) request.handler(fail(why));
}

void ServerRequests::on_due() {
    const Instant now = loop_.clock().now();
    std::deque<Request> late;
    if (on_its_way_ && requests_.front().due <= now) on_its_way_ = false;
    std::deque<Request> others;
    for (Request& request : requests_) (request.due <= now ? late : others).push_back(std::move(request));
    requests_ = std::move(others);
    arm();
    for (Request& request : late)
        request.handler(fail(Code::timed_out, fmt::format("no answer to the request {} within {} s",
                                                          request.what, to_seconds(request.limit))));
    on_free_();
}

void ServerRequests::arm() {
    if (requests_.empty()) {
        timer_->cancel();
    } else {
        timer_->arm(std::ranges::min_element(requests_, {}, &Request::due)->due);
    }
}

}  // namespace caribou::bus
