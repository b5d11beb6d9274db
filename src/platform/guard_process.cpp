#include "platform/guard_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "platform/control_group.hpp"
#include "platform/datagram_pair.hpp"
#include "platform/guard_link.hpp"
#include "platform/own_session.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_clock.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

class GuardLoop {
public:
    GuardLoop(GuardedBody& body, motion::GuardWay way, Log& log) : body_(body), log_(log), guard_(way) {}

    Result<void> start(const GuardOptions& options) {
        block_signals();
        // Processes that a driver leaves behind become children of the guard, which kills them with it.
        ::prctl(PR_SET_CHILD_SUBREAPER, 1);
        if (options.delegated) join_groups();
        auto pair = DatagramEnd::make_pair();
        if (!pair) return fail(std::move(pair.error()));
        channel_ = std::move((*pair)[0]);
        const DatagramEnd robots = std::move((*pair)[1]);
        auto started =
            start_child({.program = "/proc/self/exe",
                         .words = options.robot,
                         .environment = {fmt::format("{}={}", guard_variable, robots.descriptor())},
                         .inherited = {robots.descriptor()},
                         .group_processes = robot_group_ ? robot_group_.get() : -1});
        if (!started) return fail(std::move(started.error()));
        robot_ = std::move(*started);
        body_.spare(robot_.id);
        avoid_delays();
        return {};
    }

    int run() {
        while (!status_) turn();
        return *status_;
    }

private:
    void block_signals() {
        sigset_t signals;
        ::sigemptyset(&signals);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPWR, SIGCHLD}) ::sigaddset(&signals, signal);
        ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
        signals_ = Descriptor(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
        for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE}) ::signal(signal, SIG_IGN);
    }

    void join_groups() {
        auto group = make_guard_groups();
        if (group)
            robot_group_ = std::move(*group);
        else
            log_.warning("guard and robot are in one control group: " + group.error().message);
    }

    /// A guard that waits for a core or for the disk is late.
    void avoid_delays() {
        if (const auto preferred = prefer_real_time(guard_priority); !preferred)
            log_.info("the guard has " + preferred.error().message);
        if (::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) != 0)
            log_.debug(fmt::format("the guard's memory is not locked: {}", system_words(errno)));
    }

    void turn() {
        std::array<pollfd, 3> watched = {pollfd{channel_is_open_ ? channel_.descriptor() : -1, POLLIN, 0},
                                         pollfd{signals_.get(), POLLIN, 0},
                                         pollfd{body_.driver_alive(), POLLIN, 0}};
        const std::optional<timespec> limit = time_left();
        ::ppoll(watched.data(), watched.size(), limit ? &*limit : nullptr, nullptr);
        take_datagrams();
        take_signals();
        // A cut may have ended the driver that was watched.
        if ((watched[2].revents & POLLIN) != 0 && body_.driver_alive() == watched[2].fd) {
            carry_out(guard_.on_driver_ended(clock_.now()));
            if (body_.driver_alive() == watched[2].fd) body_.reap_driver();
        }
        carry_out(guard_.on_time(clock_.now()));
    }

    std::optional<timespec> time_left() const {
        const auto due = guard_.due();
        if (!due) return std::nullopt;
        const Duration left = std::max(*due - clock_.now(), Duration::zero());
        return timespec{.tv_sec = left / std::chrono::seconds(1),
                        .tv_nsec = (left % std::chrono::seconds(1)).count()};
    }

    void take_datagrams() {
        while (channel_is_open_) {
            const auto received = channel_.receive();
            if (!received && received.error().code == Code::closed) channel_is_open_ = false;
            if (!received && received.error().code == Code::malformed) continue;
            if (!received || !*received) return;
            const auto message = motion::robot_to_guard_from((*received)->datagram);
            if (!message) {
                log_.error(message.error().message);
                continue;
            }
            carry_out(guard_.on_message(*message, clock_.now()));
            if (!std::holds_alternative<motion::GuardFeed>(*message)) continue;
            tell(motion::GuardAlive{});
            body_.beat();
        }
    }

    void take_signals() {
        signalfd_siginfo info{};
        while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
            const auto signal = static_cast<int>(info.ssi_signo);
            if (signal != SIGCHLD && !robot_has_ended_) ::kill(robot_.id, signal);
        }
        watch_robot();
    }

    /// Reads the changes of the robot's process: stopped by a signal, or ended. Acts on them before it reaps:
    /// the kernel waits for whatever reads the process in /proc when it is reaped, and with real-time
    /// priority keeps such a reader on the same core from running, for almost a second.
    void watch_robot() {
        while (!robot_has_ended_) {
            siginfo_t seen{};
            const int found =
                ::waitid(P_PID, static_cast<id_t>(robot_.id), &seen, WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
            if (found != 0 || seen.si_pid != robot_.id) return;
            if (seen.si_code == CLD_STOPPED) {
                carry_out(guard_.on_robot_stopped());
            } else {
                robot_has_ended_ = true;
                // What it sent before its end counts.
                take_datagrams();
                if (guard_.off()) body_.stop_watchdog();
                const bool has_exited = seen.si_code == CLD_EXITED;
                carry_out(guard_.on_robot_ended(has_exited ? seen.si_status : 128 + seen.si_status));
            }
            ::waitpid(robot_.id, nullptr, WNOHANG | WUNTRACED);
        }
    }

    void carry_out(const motion::Guard::Actions& actions) {
        for (const motion::Guard::Action& action : actions)
            std::visit([this](const auto& each) { take(each); }, action);
    }
    void take(const motion::Guard::Cut& cut) {
        const bool confirmed = body_.cut(guard_.driver());
        const Instant now = clock_.now();
        const auto fed = guard_.last_feed();
        tell(motion::GuardCut{cut.reason, fed ? now - *fed : Duration::zero(), confirmed});
        log_.error(fmt::format("guard: the body is cut: {} (last feed at {:.6f} s, cut at {:.6f} s)",
                               cut.reason, fed ? to_seconds(fed->time_since_epoch()) : 0.0,
                               to_seconds(now.time_since_epoch())));
    }
    void take(const motion::Guard::Restore&) {
        const auto connection = body_.restore(robot_group_ ? robot_group_.get() : -1);
        if (!connection) return log_.error("guard: the driver is not started: " + connection.error().message);
        tell(motion::GuardRestored{}, connection->get());
    }
    void take(const motion::Guard::Release&) { body_.release(); }
    void take(const motion::Guard::GiveUp& give_up) {
        log_.error(fmt::format("guard: {}: it stays cut until the robot is started again", give_up.reason));
        tell(motion::GuardGaveUp{give_up.reason});
    }
    void take(const motion::Guard::End& end) { status_ = end.status; }

    /// A robot that does not read is noticed by its feeds.
    void tell(const motion::GuardToRobot& message, int passed = -1) {
        motion::encode(message, room_);
        std::ignore = channel_.send(room_, passed);
    }

    GuardedBody& body_;
    Log& log_;
    SystemClock clock_;
    motion::Guard guard_;
    Descriptor signals_;
    Descriptor robot_group_;
    DatagramEnd channel_;
    StartedChild robot_;
    Bytes room_;
    bool channel_is_open_ = true;
    bool robot_has_ended_ = false;
    std::optional<int> status_;
};

}  // namespace

Result<int> run_guard(const GuardOptions& options, Log& log) {
    auto body = GuardedBody::open(options.body, log);
    if (!body) return fail(std::move(body.error()));
    GuardLoop loop(**body, options.body.way, log);
    if (auto started = loop.start(options); !started) return fail(std::move(started.error()));
    return loop.run();
}

}  // namespace caribou
