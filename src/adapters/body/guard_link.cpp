#include "adapters/body/guard_link.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "adapters/body/stop_frame.hpp"
#include "platform/datagram_pair.hpp"
#include "platform/environment.hpp"

namespace caribou {
namespace {

bool is_guard_socket(int descriptor) {
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

/// Returns a pidfd of the process that made the channel. The parent may be another one once that has ended.
Descriptor maker_of(int descriptor) {
    ucred maker{};
    socklen_t size = sizeof maker;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &maker, &size) != 0 || maker.pid <= 0) return {};
    return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, maker.pid, 0)));
}

}  // namespace

struct GuardLink::Channel {
    DatagramEnd end;
};

GuardLink::GuardLink(std::unique_ptr<Channel> channel, const Clock& clock)
    : channel_(std::move(channel)), clock_(clock), guard_(maker_of(channel_->end.descriptor())) {}
GuardLink::~GuardLink() = default;

bool GuardLink::signal_guard(int number) const {
    if (!guard_) return false;
    pollfd ended{guard_.get(), POLLIN, 0};  // also if it was not reaped yet
    return ::poll(&ended, 1, 0) == 0 &&
           ::syscall(SYS_pidfd_send_signal, guard_.get(), number, nullptr, 0) == 0;
}

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

void GuardLink::start(Events events, const std::string& body, std::string device) {
    events_ = std::move(events);
    device_ = std::move(device);
    send(motion::GuardStart{body});
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
    const bool is_silent = is_gone_ || (unanswered_ && now - *unanswered_ > silence_limit);
    if (is_silent && feed.driver_lost) kill_driver();
    if (is_gone_ || (is_silent && feed.driver_lost)) stop_device();
    if (is_silent) return motion::GuardState::silent;
    send(feed);
    if (!unanswered_) unanswered_ = now;
    return is_cut_ ? motion::GuardState::cut : motion::GuardState::watches;
}

void GuardLink::kill_driver() {
    if (driver_) ::syscall(SYS_pidfd_send_signal, driver_.get(), SIGKILL, nullptr, 0);
}

void GuardLink::stop_device() {
    if (!facts_ || facts_->stop_frame.empty() || device_.empty() || stops_left_ == 0) return;
    --stops_left_;
    std::ignore = write_stop_frame(device_, facts_->stop_frame);
}

void GuardLink::bye(bool at_rest) {
    if (std::exchange(said_bye_, true)) return;
    send(motion::GuardBye{.at_rest = at_rest});
}

void GuardLink::pass_to_fresh_image() {
    bye(false);
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
            driver_ = Descriptor();
            if (events_.on_cut) events_.on_cut(*cut);
        } else if (std::holds_alternative<motion::GuardDriver>(*message)) {
            driver_ = std::move((*received)->passed);
        } else if (const auto* const not_restored = std::get_if<motion::GuardNotRestored>(&*message)) {
            is_cut_ = true;
            not_restored_ = not_restored->reason;
            if (events_.on_not_restored) events_.on_not_restored(not_restored->reason);
        } else if (const auto* const gave_up = std::get_if<motion::GuardGaveUp>(&*message)) {
            if (events_.on_given_up) events_.on_given_up(gave_up->reason);
        } else {
            is_cut_ = false;
            not_restored_.clear();
            driver_was_lost_ = true;
            if ((*received)->passed && events_.on_driver) events_.on_driver((*received)->passed.release());
            if (events_.on_restored) events_.on_restored();
        }
    }
}

}  // namespace caribou
