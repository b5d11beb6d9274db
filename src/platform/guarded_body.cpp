#include "platform/guarded_body.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "platform/child_processes.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

/// Limits the time that a driver can cost which starts processes without end.
constexpr int most_generations = 10;
constexpr std::string_view heartbeat_line = "heartbeat\n";
constexpr std::string_view stop_line = "stop\n";
constexpr std::string_view watchdog_beat = ".";
constexpr std::string_view watchdog_off = "V";  ///< as the kernel's watchdog interface defines it

Result<Descriptor> open_to_write(const std::string& path, int access) {
    Descriptor opened(::open(path.c_str(), access | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (!opened) return fail(system_error(path, errno));
    return opened;
}

void write_text(const Descriptor& to, std::string_view text) {
    if (to) std::ignore = ::write(to.get(), text.data(), text.size());
}

}  // namespace

Result<std::unique_ptr<GuardedBody>> GuardedBody::open(GuardedBodyPlan plan, Log& log) {
    auto body = std::unique_ptr<GuardedBody>(new GuardedBody(std::move(plan), log));
    const GuardedBodyPlan& wanted = body->plan_;
    if (wanted.way == motion::GuardWay::line) {
        auto gpio = open_gpio(wanted.gpio_chip, std::array{wanted.gpio_line}, {});
        if (!gpio) return fail(std::move(gpio.error()));
        body->gpio_ = std::move(*gpio);
    }
    for (const auto& [path, into] :
         {std::pair(&wanted.watchdog, &body->watchdog_), std::pair(&wanted.heartbeat, &body->heartbeat_)}) {
        if (path->empty()) continue;
        auto opened = open_to_write(*path, O_WRONLY | O_APPEND);
        if (!opened) return fail(std::move(opened.error()));
        *into = std::move(*opened);
    }
    return body;
}

GuardedBody::~GuardedBody() {
    kill_driver();
    for (const pid_t killed : killed_) ::waitpid(killed, nullptr, 0);
}

Result<Descriptor> GuardedBody::restore(int group_processes) {
    reap_killed();
    if (plan_.way == motion::GuardWay::driver) return start_driver(group_processes);
    set_line(true);
    return Descriptor();
}

Result<Descriptor> GuardedBody::start_driver(int group_processes) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(system_error("cannot make a socket pair", errno));
    Descriptor robots(ends[0]);
    const Descriptor drivers(ends[1]);
    ChildPlan plan{.program = plan_.driver.front(),
                   .words = plan_.driver,
                   .environment = {fmt::format("CARIBOU_DRIVER_FD={}", drivers.get())},
                   .inherited = {drivers.get()},
                   .group_processes = group_processes,
                   .dies_with_parent = true};
    // The guard writes through an open file of its own: the driver's may be in any state.
    Descriptor for_driver;
    if (!plan_.device.empty()) {
        auto opened = open_to_write(plan_.device, O_WRONLY);
        if (!opened) return fail(std::move(opened.error()));
        device_ = std::move(*opened);
        for_driver = Descriptor(::open(plan_.device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
        if (!for_driver) return fail(system_error(plan_.device, errno));
        plan.environment.push_back(fmt::format("CARIBOU_DEVICE_FD={}", for_driver.get()));
        plan.inherited.push_back(for_driver.get());
    }
    auto started = start_child(plan);
    if (!started) return fail(std::move(started.error()));
    driver_ = std::move(*started);
    return robots;
}

bool GuardedBody::cut(const motion::DriverFacts& facts) {
    const bool is_low = plan_.way != motion::GuardWay::line || set_line(false);
    const bool has_ended = kill_driver();
    write_text(heartbeat_, stop_line);
    const bool is_written = facts.stop_frame.empty() || write_stop_frame(facts.stop_frame);
    return is_low && has_ended && is_written;
}

bool GuardedBody::kill_driver() {
    bool has_ended = true;
    if (driver_.id >= 0) {
        ::kill(-driver_.id, SIGKILL);
        hasten_end(driver_.id);
        pollfd ended{driver_.alive.get(), POLLIN, 0};
        has_ended = ::poll(&ended, 1, static_cast<int>(kill_limit / std::chrono::milliseconds(1))) == 1;
        // Reaped later: the kernel may take long for it.
        killed_.push_back(driver_.id);
        driver_ = {};
    }
    kill_strays();
    return has_ended;
}

void GuardedBody::kill_strays() {
    if (robot_ < 0) return;
    // The guard is the parent of all processes below the driver whose own parent has ended, so each pass
    // finds the next generation.
    for (int pass = 0; pass < most_generations; ++pass) {
        bool found = false;
        for (const pid_t child : child_processes()) {
            if (child == robot_ || std::ranges::find(killed_, child) != killed_.end()) continue;
            ::kill(child, SIGKILL);
            killed_.push_back(child);
            found = true;
        }
        if (!found) return;
    }
}

void GuardedBody::reap_killed() {
    std::erase_if(killed_, [](pid_t id) { return ::waitpid(id, nullptr, WNOHANG) != 0; });
}

/// Twice: the device may take the beginning of the first one for the rest of a frame that the driver had
/// begun.
bool GuardedBody::write_stop_frame(const Bytes& frame) {
    if (!device_) return false;
    ::tcflush(device_.get(), TCOFLUSH);  // fails for other devices than terminals
    for (int i = 0; i < 2; ++i) {
        const ssize_t size = ::write(device_.get(), frame.data(), frame.size());
        if (size == static_cast<ssize_t>(frame.size())) continue;
        log_.error(fmt::format("the stop frame was NOT written to {}, cut the motors' supply: {}",
                               plan_.device, size < 0 ? system_words(errno) : "it is full"));
        return false;
    }
    return true;
}

void GuardedBody::release() {
    if (plan_.way == motion::GuardWay::line) set_line(false);
    if (driver_.id > 0) ::kill(-driver_.id, SIGTERM);
}

bool GuardedBody::set_line(bool high) {
    const auto set = gpio_->set(plan_.gpio_line, high);
    const auto level = set ? gpio_->get(plan_.gpio_line) : Result<bool>(std::unexpected(set.error()));
    if (level && *level == high) return true;
    log_.error(fmt::format("GPIO line {} is NOT known to be {}{}: {}", plan_.gpio_line, high ? "high" : "low",
                           high ? "" : ", cut the motors' supply",
                           level ? "it reads back otherwise" : level.error().message));
    return false;
}

void GuardedBody::beat() {
    write_text(watchdog_, watchdog_beat);
    write_text(heartbeat_, heartbeat_line);
}

void GuardedBody::stop_watchdog() { write_text(watchdog_, watchdog_off); }

void GuardedBody::reap_driver() {
    ::kill(-driver_.id, SIGKILL);  // what it may have left behind
    ::waitpid(driver_.id, nullptr, 0);
    driver_ = {};
    kill_strays();
}

}  // namespace caribou
