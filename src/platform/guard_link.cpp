#include "platform/guard_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <charconv>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "platform/datagram_pair.hpp"
#include "platform/environment.hpp"

namespace caribou {
namespace {

bool is_guard_socket(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

}  // namespace

struct GuardLink::Channel {
    DatagramEnd end;
};

GuardLink::GuardLink(std::unique_ptr<Channel> channel, const Clock& clock)
    : channel_(std::move(channel)), clock_(clock) {}
GuardLink::~GuardLink() = default;

Result<std::unique_ptr<GuardLink>> GuardLink::from_environment(const Clock& clock) {
    const auto text = environment(guard_variable);
    if (!text) return nullptr;
    int descriptor = -1;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), descriptor);
    if (error != std::errc() || end != text->data() + text->size() || !is_guard_socket(descriptor))
        return fail(Code::invalid_argument,
                    fmt::format("{}={} does not name the channel of a guard; unset it, and start the robot "
                                "without it",
                                guard_variable, *text));
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    ::unsetenv(guard_variable);  // NOLINT(concurrency-mt-unsafe): no other thread runs yet
    return std::unique_ptr<GuardLink>(
        new GuardLink(std::make_unique<Channel>(DatagramEnd(Descriptor(descriptor))), clock));
}

void GuardLink::start(Events events) {
    events_ = std::move(events);
    send(motion::GuardStart{});
}

void GuardLink::wait(Duration limit) {
    pollfd readable{channel_->end.descriptor(), POLLIN, 0};
    ::poll(&readable, 1, static_cast<int>(limit / std::chrono::milliseconds(1)));
    take_all();
}

void GuardLink::declare(const motion::DriverFacts& facts) {
    facts_ = facts;
    send(facts);
}

motion::GuardState GuardLink::exchange(const motion::GuardFeed& feed) {
    if (said_bye_) return motion::GuardState::watches;
    // Before a newly restored driver, which this feed does not know of yet.
    if (std::exchange(driver_was_lost_, feed.driver_lost) && !feed.driver_lost && facts_) send(*facts_);
    // Answers that have arrived count before the silence does: after a stop of this process they are there.
    take_all();
    const Instant now = clock_.now();
    if (is_gone_ || (unanswered_ && now - *unanswered_ > silence_limit)) return motion::GuardState::silent;
    send(feed);
    if (!unanswered_) unanswered_ = now;
    return is_cut_ ? motion::GuardState::cut : motion::GuardState::watches;
}

void GuardLink::bye() {
    if (std::exchange(said_bye_, true)) return;
    send(motion::GuardBye{});
}

void GuardLink::pass_to_fresh_image() {
    bye();
    const int descriptor = channel_->end.descriptor();
    ::fcntl(descriptor, F_SETFD, 0);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): all other threads have ended
    ::setenv(guard_variable, std::to_string(descriptor).c_str(), 1);
}

/// A guard that does not read is noticed by its silence.
void GuardLink::send(const motion::RobotToGuard& message) {
    motion::encode(message, room_);
    const auto sent = channel_->end.send(room_);
    if (!sent && sent.error().code == Code::closed) is_gone_ = true;
}

void GuardLink::take_all() {
    for (;;) {
        auto received = channel_->end.receive();
        if (!received && received.error().code == Code::closed) is_gone_ = true;
        if (!received && received.error().code == Code::malformed) continue;
        if (!received || !*received) return;
        const auto message = motion::guard_to_robot_from((*received)->datagram);
        if (!message) continue;
        if (std::holds_alternative<motion::GuardAlive>(*message)) {
            unanswered_.reset();
        } else if (const auto* const cut = std::get_if<motion::GuardCut>(&*message)) {
            is_cut_ = true;
            if (events_.on_cut) events_.on_cut(*cut);
        } else if (const auto* const gave_up = std::get_if<motion::GuardGaveUp>(&*message)) {
            if (events_.on_given_up) events_.on_given_up(gave_up->reason);
        } else {
            is_cut_ = false;
            driver_was_lost_ = true;
            if ((*received)->passed && events_.on_driver) events_.on_driver((*received)->passed.release());
            if (events_.on_restored) events_.on_restored();
        }
    }
}

}  // namespace caribou
