#include "kit/bus/threaded_client_core.hpp"

#include <algorithm>
#include <future>
#include <limits>

#include <fmt/format.h>

#include "base/check.hpp"
#include "base/limits.hpp"
#include "platform/hostname.hpp"
#include "wire/codec.hpp"

namespace caribou {
namespace {

using wire::MessageView;

/// Limit of bytes in the client's outbox; the rest stays where drop_oldest can reach it.
constexpr std::size_t window = 1_MiB;

/// Message ids in the outgoing queue that show who has stamped a message.
constexpr std::int32_t stamped_here = -1;
constexpr std::int32_t stamped_by_caller = 0;

thread_local const ThreadedClientCore* running_here = nullptr;

/// The window bounds the client's own outbox. The host name is filled in here, because bus cannot read it.
bus::ClientOptions for_inner_client(bus::ClientOptions options) {
    constexpr auto unlimited = std::numeric_limits<std::size_t>::max();
    options.outbox = {.messages = unlimited, .bytes = unlimited, .when_full = WhenFull::refuse};
    if (options.hostname.empty()) options.hostname = hostname();
    return options;
}

std::chrono::nanoseconds at_most(Duration limit) {
    // Waiting for longer overflows inside the standard library.
    return std::min<std::chrono::nanoseconds>(limit, std::chrono::hours(24 * 365));
}

}  // namespace

// Start and end.

ThreadedClientCore::ThreadedClientCore(ThreadedClientOptions options, Log& log)
    : options_(std::move(options)),
      log_(log),
      network_(loop_, log),
      stamps_(options_.client.stamps ? *options_.client.stamps : loop_.clock()),
      mail_(options_.client.inbox) {
    client_.emplace(loop_, network_, for_inner_client(options_.client));
    client_->on_queued([this] { take_mail(); });
    client_->on_sent([this] { transfer(); });
    client_->on_mail_lost([this](std::string_view) {
        const std::lock_guard lock(mutex_);
        ++lost_in_client_;
    });
    client_->on_connected([this] {
        set_connected(true);
        transfer();
        connected_handler_();
    });
    client_->on_disconnected([this](const Error& why) {
        set_connected(false);
        disconnected_handler_(why);
    });
}

ThreadedClientCore::~ThreadedClientCore() {
    if (!thread_.joinable()) return;
    const std::size_t unsent = wait_until_sent(options_.linger) ? 0 : pending();
    loop_.post_from_any_thread([this] {
        client_.reset();
        loop_.stop();
    });
    thread_.join();
    if (unsent > 0)
        log_.warning(fmt::format("client {} ends with {} messages that could not be sent",
                                 options_.client.name, unsent));
}

Result<void> ThreadedClientCore::start() {
    if (options_.connect_at_start)
        if (auto started = client_->start(); !started) return started;
    thread_ = std::thread([this] { run(); });
    return {};
}

void ThreadedClientCore::run() {
    running_here = this;
    loop_.run();
}

bool ThreadedClientCore::on_own_thread() const { return running_here == this; }

void ThreadedClientCore::run_and_wait(Task task) {
    if (on_own_thread()) return task();
    std::promise<void> done;
    const auto finished = done.get_future();
    loop_.post_from_any_thread([&task, done = std::move(done)]() mutable {
        task();
        done.set_value();
    });
    finished.wait();
}

// Notifications.

Result<Pushed> ThreadedClientCore::notify(MessageView message, const bus::NotifyOptions& with) {
    if (message.key.empty()) return fail(Code::invalid_argument, "a variable needs a name");
    message.id = with.time ? stamped_by_caller : stamped_here;
    message.time = with.time ? *with.time : stamps_.unix_seconds();
    message.source = with.source;
    message.aux = with.aux;
    message.community = with.community;

    std::unique_lock lock(mutex_);
    auto room = make_room(lock, wire::encoded_size(message));
    if (!room) {
        ++refused_;
        return room;
    }
    outgoing_.push(message);
    if (connected_ && !transfer_posted_) {
        transfer_posted_ = true;
        loop_.post_from_any_thread([this] { transfer(); });
    }
    return room;
}

bool ThreadedClientCore::fits(std::size_t size) const {
    const bus::QueueLimit& limit = options_.client.outbox;
    return outgoing_.count() < limit.messages && outgoing_.bytes() + size <= limit.bytes;
}

Result<Pushed> ThreadedClientCore::make_room(std::unique_lock<std::mutex>& lock, std::size_t size) {
    const bus::QueueLimit& limit = options_.client.outbox;
    if (fits(size)) return Pushed::accepted;
    const auto full = [&] {
        return outgoing_.count() >= limit.messages
                   ? limit_reached("outbox.messages", outgoing_.count() + 1, limit.messages, "messages")
                   : limit_reached("outbox.bytes", outgoing_.bytes() + size, limit.bytes, "bytes");
    };
    const bool can_ever_fit = limit.messages > 0 && size <= limit.bytes;
    if (can_ever_fit && options_.when_full == WhenOutboxFull::drop_oldest) {
        while (!fits(size)) {
            outgoing_.pop_front();
            ++dropped_oldest_;
        }
        return Pushed::dropped_oldest;
    }
    if (can_ever_fit && options_.when_full == WhenOutboxFull::block && !on_own_thread()) {
        if (room_.wait_for(lock, at_most(options_.block_limit), [&] { return fits(size); }))
            return Pushed::accepted;
        return fail(Code::timed_out,
                    fmt::format("no room within {} s: {}", to_seconds(options_.block_limit), full()));
    }
    return fail(Code::limit_exceeded, full());
}

/// Passes as many messages to the client as fit into the window. Called again when they are sent.
void ThreadedClientCore::transfer() {
    {
        const std::lock_guard lock(mutex_);
        transfer_posted_ = false;
        while (client_->connected() && !outgoing_.empty() && client_->pending_bytes() < window) {
            const auto message = wire::decode_message(bus::first_message(outgoing_.view()));
            check(message.has_value(), "only whole messages wait");
            hand_over(*message);
            outgoing_.pop_front();
        }
        in_client_ = client_->pending();
        note_skew();
    }
    room_.notify_all();
}

void ThreadedClientCore::note_skew() { skew_ = client_->corrects_skew() ? client_->skew() : 0; }

void ThreadedClientCore::hand_over(const MessageView& message) {
    const bool correct = message.id == stamped_here && client_->corrects_skew();
    const bus::NotifyOptions with{.aux = message.aux,
                                  .time = message.time + (correct ? client_->skew() : 0),
                                  .source = message.source,
                                  .community = message.community};
    const auto pushed = message.is_number()   ? client_->notify(message.key, message.value, with)
                        : message.is_string() ? client_->notify(message.key, message.payload, with)
                                              : client_->notify(message.key, bytes_of(message.payload), with);
    check(pushed.has_value(), "the client's own outbox has no limit");
}

// Mail.

void ThreadedClientCore::take_mail() {
    {
        const std::lock_guard lock(mutex_);
        client_->general_queue().pour_into(mail_);
        note_skew();
    }
    news_.notify_all();
    queued_handler_();
}

std::vector<wire::Message> ThreadedClientCore::fetch() {
    const std::lock_guard lock(mutex_);
    return mail_.fetch();
}

std::size_t ThreadedClientCore::unread() const {
    const std::lock_guard lock(mutex_);
    return mail_.size();
}

bool ThreadedClientCore::wait_for_mail(Duration limit) {
    std::unique_lock lock(mutex_);
    if (on_own_thread()) return !mail_.empty();
    return news_.wait_for(lock, at_most(limit), [this] { return !mail_.empty(); });
}

// The connection.

void ThreadedClientCore::set_connected(bool connected) {
    {
        const std::lock_guard lock(mutex_);
        connected_ = connected;
        if (!connected && options_.client.on_loss == bus::OnLoss::drop) {
            dropped_on_loss_ += outgoing_.count();
            outgoing_.clear();
        }
        in_client_ = client_->pending();
        note_skew();
    }
    news_.notify_all();
    room_.notify_all();
}

bool ThreadedClientCore::connected() const {
    const std::lock_guard lock(mutex_);
    return connected_;
}

bool ThreadedClientCore::wait_until_connected(Duration limit) {
    std::unique_lock lock(mutex_);
    if (on_own_thread()) return connected_;
    return news_.wait_for(lock, at_most(limit), [this] { return connected_; });
}

bool ThreadedClientCore::wait_until_sent(Duration limit) {
    std::unique_lock lock(mutex_);
    const auto sent = [this] { return outgoing_.empty() && in_client_ == 0; };
    if (on_own_thread()) return sent();
    return room_.wait_for(lock, at_most(limit), sent);
}

double ThreadedClientCore::stamp() const {
    const std::lock_guard lock(mutex_);
    return stamps_.unix_seconds() + skew_;
}

std::uint64_t ThreadedClientCore::mail_lost() const {
    const std::lock_guard lock(mutex_);
    return lost_in_client_ + mail_.lost();
}

std::size_t ThreadedClientCore::pending() const {
    const std::lock_guard lock(mutex_);
    return outgoing_.count() + in_client_;
}

void ThreadedClientCore::add_to(bus::ClientStats& stats) const {
    const std::lock_guard lock(mutex_);
    stats.refused += refused_;
    stats.dropped_oldest += dropped_oldest_;
    stats.dropped_on_loss += dropped_on_loss_;
    stats.mail_lost += mail_.lost();
}

}  // namespace caribou
