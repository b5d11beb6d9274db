#include "adapters/body/guarded_body.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "adapters/body/stop_frame.hpp"
#include "loop/duration_text.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

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
    if (auto opened = body->open_files(); !opened) return fail(std::move(opened.error()));
    return body;
}

Result<void> GuardedBody::open_files() {
    if (plan_.way == motion::GuardWay::line) {
        auto gpio = open_gpio(plan_.gpio_chip, std::array{plan_.gpio_line}, {});
        if (!gpio) return fail(std::move(gpio.error()));
        gpio_ = std::move(*gpio);
    }
    for (const auto& [path, into] :
         {std::pair(&plan_.watchdog, &watchdog_), std::pair(&plan_.heartbeat, &heartbeat_)}) {
        if (path->empty()) continue;
        auto opened = open_to_write(*path, O_WRONLY | O_APPEND);
        if (!opened) return fail(std::move(opened.error()));
        *into = std::move(*opened);
    }
    return {};
}

Result<void> GuardedBody::change(GuardedBodyPlan plan) {
    kill_driver();
    stop_watchdog();
    if (gpio_) set_line(false);
    // Before the new ones are opened: a line or a watchdog can be opened only once.
    gpio_.reset();
    for (Descriptor* const each : {&watchdog_, &heartbeat_, &device_}) *each = Descriptor();
    plan_ = std::move(plan);
    return open_files();
}

GuardedBody::~GuardedBody() {
    const pid_t driver = driver_.id;
    kill_driver();
    if (!strays_ && driver >= 0) ::waitpid(driver, nullptr, 0);
}

void GuardedBody::own_strays(pid_t robot, DriverGroup group) {
    // Processes that a driver leaves behind become children of this one, which kills them with it.
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    strays_ = std::make_unique<StrayProcesses>(robot, std::move(group));
}

Result<Descriptor> GuardedBody::restore() {
    if (has_strays_) return fail(Code::wrong_state, "processes that its driver has started are still alive");
    if (plan_.way == motion::GuardWay::driver) return start_driver();
    if (!set_line(true)) return fail(Code::unavailable, "its line cannot be raised");
    return Descriptor();
}

Result<Descriptor> GuardedBody::start_driver() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return fail(system_error("cannot make a socket pair", errno));
    Descriptor robots(ends[0]);
    const Descriptor drivers(ends[1]);
    ChildPlan plan{.program = plan_.driver.front(),
                   .words = plan_.driver,
                   .environment = {fmt::format("CARIBOU_DRIVER_FD={}", drivers.get())},
                   .inherited = {drivers.get()},
                   .group_processes = strays_ ? strays_->group().processes() : -1,
                   .dies_with_parent = true};
    // The guard writes through an open file of its own: the driver's may be in any state.
    Descriptor for_driver;
    if (!plan_.device.empty()) {
        auto opened = open_to_write(plan_.device, O_WRONLY);
        if (!opened) return fail(opened.error().code, "body.device: " + opened.error().message);
        device_ = std::move(*opened);
        for_driver = Descriptor(::open(plan_.device.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
        if (!for_driver) return fail(system_error("body.device: " + plan_.device, errno));
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
    const bool is_written = facts.stop_frame.empty() || stop_device(facts.stop_frame);
    return is_low && has_ended && is_written;
}

bool GuardedBody::kill_driver() {
    bool has_ended = true;
    if (driver_.id >= 0) {
        if (strays_) strays_->group().kill();
        ::kill(-driver_.id, SIGKILL);
        hasten_end(driver_.id);
        pollfd ended{driver_.alive.get(), POLLIN, 0};
        has_ended = ::poll(&ended, 1, static_cast<int>(kill_limit / std::chrono::milliseconds(1))) == 1;
        driver_ = {};
    }
    return end_strays() && has_ended;
}

bool GuardedBody::end_strays() {
    if (!strays_) return true;
    const bool had_strays = has_strays_;
    has_strays_ = !strays_->kill(strays_limit);
    const bool grows = has_strays_ && strays_->grows();
    if (grows && !std::exchange(reported_growth_, true))
        log_.error("the driver starts processes faster than they are killed, cut the motors' supply");
    else if (has_strays_ && !had_strays && !grows)
        log_.warning(
            fmt::format("processes of the driver are killed, but have not ended within {}; they are "
                        "killed again until they have",
                        duration_text(strays_limit)));
    if (!has_strays_) reported_growth_ = false;
    if (had_strays && !has_strays_) log_.warning("all processes that the driver had started are killed");
    return !has_strays_;
}

void GuardedBody::kill_strays(const motion::DriverFacts& facts) {
    if (end_strays() && !facts.stop_frame.empty()) stop_device(facts.stop_frame);
}

void GuardedBody::reap() {
    if (strays_) strays_->reap(driver_.id);
}

bool GuardedBody::stop_device(const Bytes& frame) {
    if (!device_) {
        log_.error("the stop frame was NOT written, cut the motors' supply: body.device is not set");
        return false;
    }
    const auto written = write_stop_frame(device_.get(), frame);
    if (!written)
        log_.error(fmt::format("the stop frame was NOT written to {}, cut the motors' supply: {}",
                               plan_.device, written.error().message));
    return written.has_value();
}

void GuardedBody::release() {
    if (plan_.way == motion::GuardWay::line) set_line(false);
}

void GuardedBody::terminate_driver() {
    if (driver_.id > 0) ::kill(-driver_.id, SIGTERM);
}

bool GuardedBody::set_line(bool high) {
    if (!gpio_) return false;
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

void GuardedBody::end_driver(const motion::DriverFacts& facts) {
    ::kill(-driver_.id, SIGKILL);  // what it may have left behind
    if (!strays_) ::waitpid(driver_.id, nullptr, 0);
    driver_ = {};
    end_strays();
    // Its last order may not have reached the device.
    if (!facts.stop_frame.empty()) stop_device(facts.stop_frame);
}

}  // namespace caribou
