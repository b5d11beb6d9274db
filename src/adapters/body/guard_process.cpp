#include "adapters/body/guard_process.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "adapters/body/guard_link.hpp"
#include "platform/child_reaper.hpp"
#include "platform/control_group.hpp"
#include "platform/datagram_pair.hpp"
#include "platform/own_session.hpp"
#include "platform/real_time_priority.hpp"
#include "platform/system_clock.hpp"
#include "platform/system_error.hpp"

namespace caribou {
namespace {

/// How long the guard kills what a driver has started before it ends itself.
constexpr Duration last_strays_limit = std::chrono::seconds(2);

class GuardLoop {
public:
    GuardLoop(const GuardOptions& options, GuardedBody& body, Log& log)
        : options_(options),
          body_(body),
          log_(log),
          guard_(options.body.plan.way),
          configured_(options.body.digest),
          wanted_(options.body.digest) {}

    Result<void> start() {
        block_signals();
        if (options_.delegated) join_groups();
        auto pair = DatagramEnd::make_pair();
        if (!pair) return fail(std::move(pair.error()));
        channel_ = std::move((*pair)[0]);
        const DatagramEnd robots = std::move((*pair)[1]);
        ChildPlan plan{.program = "/proc/self/exe",
                       .words = options_.robot,
                       .environment = options_.environment,
                       .inherited = options_.inherited,
                       .group_processes = groups_.robot ? groups_.robot.get() : -1};
        plan.environment.push_back(fmt::format("{}={}", guard_variable, robots.descriptor()));
        plan.inherited.push_back(robots.descriptor());
        auto started = start_child(plan);
        if (!started) return fail(std::move(started.error()));
        robot_ = std::move(*started);
        if (options_.on_robot_started) options_.on_robot_started(robot_.id);
        body_.own_strays(robot_.id, std::move(groups_.driver));
        avoid_delays();
        return {};
    }

    int run() {
        while (!status_) turn();
        const Instant until = clock_.now() + last_strays_limit;
        while (body_.has_strays() && clock_.now() < until) body_.kill_strays(guard_.driver());
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
        auto groups = make_guard_groups();
        if (!groups)
            return log_.warning("guard and robot are in one control group: " + groups.error().message);
        groups_ = std::move(*groups);
        if (!groups_.complaint.empty())
            log_.warning("the driver has no control group of its own: " + groups_.complaint);
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
            if (body_.driver_alive() == watched[2].fd) body_.end_driver(guard_.driver());
        }
        if (body_.has_strays()) body_.kill_strays(guard_.driver());
        carry_out(guard_.on_time(clock_.now()));
    }

    std::optional<timespec> time_left() const {
        if (body_.has_strays()) return timespec{};
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
            if (const auto* const start = std::get_if<motion::GuardStart>(&*message)) wanted_ = start->body;
            carry_out(guard_.on_message(*message, clock_.now()));
            if (!std::holds_alternative<motion::GuardFeed>(*message)) continue;
            tell(motion::GuardAlive{});
            body_.beat();
        }
    }

    void take_signals() {
        signalfd_siginfo info{};
        bool has_child_news = false;
        while (::read(signals_.get(), &info, sizeof info) == sizeof info) {
            const auto signal = static_cast<int>(info.ssi_signo);
            has_child_news = has_child_news || signal == SIGCHLD;
            if (signal == SIGCHLD || robot_has_ended_) continue;
            ::kill(robot_.id, signal);
            guard_.on_end_requested(clock_.now(), signal == SIGPWR ? motion::Guard::Ending::power_off
                                                                   : motion::Guard::Ending::shutdown);
        }
        watch_robot();
        if (has_child_news) body_.reap();
    }

    /// Reads the changes of the robot's process: stopped by a signal, or ended. It is not reaped here: the
    /// kernel waits for whatever reads the process in /proc when it is reaped, and with real-time priority
    /// keeps such a reader, and everything else on this core, from running for almost a second.
    void watch_robot() {
        while (!robot_has_ended_) {
            siginfo_t seen{};
            const int found =
                ::waitid(P_PID, static_cast<id_t>(robot_.id), &seen, WEXITED | WSTOPPED | WNOHANG | WNOWAIT);
            if (found != 0 || seen.si_pid != robot_.id) return;
            if (seen.si_code == CLD_STOPPED) {
                carry_out(guard_.on_robot_stopped());
                ::waitid(P_PID, static_cast<id_t>(robot_.id), &seen, WSTOPPED | WNOHANG);
                continue;
            }
            robot_has_ended_ = true;
            // What it sent before its end counts.
            take_datagrams();
            if (guard_.off()) body_.stop_watchdog();
            const bool has_exited = seen.si_code == CLD_EXITED;
            carry_out(guard_.on_robot_ended(has_exited ? seen.si_status : 128 + seen.si_status));
            reaper_.reap(robot_.id);
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
        const auto connection = restored();
        if (connection) {
            not_restored_.clear();
            if (body_.driver_alive() >= 0) tell(motion::GuardDriver{}, body_.driver_alive());
            return tell(motion::GuardRestored{}, connection->get());
        }
        guard_.on_not_restored(clock_.now());
        const std::string& why = connection.error().message;
        tell(motion::GuardNotRestored{why});
        // Once: it is tried again every second.
        if (std::exchange(not_restored_, why) != why) log_.error("guard: the body is not restored: " + why);
    }
    Result<Descriptor> restored() {
        if (wanted_ != configured_)
            if (auto adopted = adopt_configuration(); !adopted) return fail(std::move(adopted.error()));
        return body_.restore();
    }
    /// The robot has started with another configuration of its body: the guard must not use the driver or
    /// the line of the one before.
    Result<void> adopt_configuration() {
        auto read = options_.read_body();
        if (!read) return fail(std::move(read.error()));
        if (read->digest != wanted_)
            return fail(Code::refused,
                        "guard and robot have read different configurations of the body: the file was "
                        "changed meanwhile; start the robot again");
        configured_.clear();
        const motion::GuardWay way = read->plan.way;
        if (auto changed = body_.change(std::move(read->plan)); !changed) return changed;
        configured_ = wanted_;
        guard_.set_way(way, clock_.now());
        log_.info("guard: the configuration of the body has changed");
        return {};
    }
    void take(const motion::Guard::Release&) { body_.release(); }
    void take(const motion::Guard::Terminate&) { body_.terminate_driver(); }
    void take(const motion::Guard::Kill&) {
        log_.error("guard: the robot does not end: it is killed, and starts stopped next time");
        if (robot_.id > 0) ::kill(robot_.id, SIGKILL);
        options_.store_stop();
    }
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

    const GuardOptions& options_;
    GuardedBody& body_;
    Log& log_;
    SystemClock clock_;
    motion::Guard guard_;
    Descriptor signals_;
    GuardGroups groups_;
    DatagramEnd channel_;
    StartedChild robot_;
    ChildReaper reaper_;
    Bytes room_;
    std::string configured_;    ///< digest of the configuration of `body_`
    std::string wanted_;        ///< digest of the configuration of the robot that has started
    std::string not_restored_;  ///< reason that was logged last; empty if the body is restored
    bool channel_is_open_ = true;
    bool robot_has_ended_ = false;
    std::optional<int> status_;
};

}  // namespace

Result<int> run_guard(const GuardOptions& options, Log& log) {
    auto body = GuardedBody::open(options.body.plan, log);
    if (!body) return fail(std::move(body.error()));
    GuardLoop loop(options, **body, log);
    if (auto started = loop.start(); !started) return fail(std::move(started.error()));
    return loop.run();
}

}  // namespace caribou
