// The start of a robot: checks, one thread after another, the first mode.

#include <algorithm>

#include <fmt/format.h>

#include "robot/fault_names.hpp"
#include "robot/thread_main.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using link::RunMode;

/// How long after its station is back a robot that has rebooted may enter RM2: a full stop that the station
/// has requested meanwhile arrives within that.
constexpr Duration stop_grace = 200ms;

}  // namespace

void ThreadMain::start() {
    next_beat_ = now();
    calls_.start(now());
    // Before any mode permits motion.
    if (const auto stop = parts_.latch.stop_at_start()) parts_.motion.full_stop(*stop);
    set_fault(faults::unguarded_body, parts_.unguarded);
    set_fault(faults::link_not_stored, parts_.link_not_stored);
    set_fault(faults::not_self_checked, !parts_.not_self_checked.empty());
    set_fault(faults::latch_not_stored, !parts_.latch.not_stored_at_start().empty());
    set_fault(faults::state_lost, parts_.latch.stop_at_start() == motion::StopCause::state_lost);
    publish_modes();
    arm();
    prove();
    if (config_.default_run_mode == 0) return apply(*modes_.start({RunMode::rm0}, now()));
    if (parts_.check_software && !passes_software(parts_.check_software())) return;
    hardware_until_ = now() + first_readings_limit;
    check_hardware();
}

bool ThreadMain::passes_software(const std::vector<motion::PartCheck>& checks) {
    std::string broken;
    for (const motion::PartCheck& check : checks) {
        if (check.outcome) continue;
        parts_.log.warning(fmt::format("{}: {}", check.part, check.outcome.error().message));
        if (check.required) broken += fmt::format("{}{}", broken.empty() ? "" : ", ", check.part);
        set_fault(check.part, true);
    }
    if (!broken.empty()) fail_with("the software check failed: " + broken);
    return broken.empty();
}

void ThreadMain::start_next() {
    if (!begun_ || end_ || started_) return;
    if (const auto& failure = start_up_.failure()) return fail_with(*failure);
    if (const auto who = start_up_.next(now())) launch(*who);
    if (start_up_.done() && !handshake_until_) {
        handshake_until_ = now() + from_seconds(config_.handshake_limit);
        enter_first_mode();
    }
    arm();
}

void ThreadMain::launch(ThreadName who) {
    parts_.log.debug(fmt::format("starting {}", to_string(who)));
    switch (who) {
        case ThreadName::telemetry:
            return parts_.telemetry_strand.post_here([this] { parts_.telemetry.start(); });
        case ThreadName::transmission:
            return parts_.transmission_strand.post_here([this] { parts_.transmission.start(); });
        case ThreadName::receiver:
            return parts_.receiver_strand.post_here([this] { parts_.receiver.start(); });
        case ThreadName::ai: return parts_.ai_strand.post_here([this] { parts_.ai.start(); });
        default:
            // Propulsion is already running; its first step counts as its report, and may have been earlier.
            if (parts_.motion.report().steps > 0) take(ThreadStarted{.who = ThreadName::propulsion});
    }
}

void ThreadMain::enter_first_mode() {
    if (started_ || end_ || now() < first_mode_at()) return;
    started_ = true;
    if (const std::string* const why = start_up_.complaint_of(ThreadName::ai); only_tests_ && why)
        return fail_with("ai: " + *why);
    if (only_tests_) return follow(modes_.on_failure(std::string(self_test_over)));
    ModeWish wish{.mode = static_cast<RunMode>(config_.default_run_mode)};
    if (config_.wait_time > 0) wish.time = from_seconds(config_.wait_time);
    if (const auto change = modes_.start(wish, now()))
        apply(*change);
    else
        fail_with(change.error().text);
    if (on_ready_ && !end_) on_ready_();
}

/// RM3 waits for a station, up to the time limit; a robot that is not self-checked does not enter it. RM2
/// waits for the station that the robot had before RM5: a full stop that was requested meanwhile arrives with
/// it.
Instant ThreadMain::first_mode_at() const {
    const bool enters_rm3 = config_.default_run_mode == 3 && parts_.not_self_checked.empty();
    if (enters_rm3 && !modes_.link_permits(RunMode::rm3)) return *handshake_until_;
    if (config_.default_run_mode != 2 || !had_station_) return Instant{};
    return calls_.is_here() ? std::min(calls_.arrived_at() + stop_grace, *handshake_until_)
                            : *handshake_until_;
}

void ThreadMain::check_hardware() {
    const std::vector<motion::PartCheck> checks = parts_.body.self_check();
    std::string broken;
    for (const motion::PartCheck& check : checks)
        if (check.required && !check.outcome)
            broken += fmt::format("{}{}", broken.empty() ? "" : ", ", check.part);
    if (!broken.empty() && now() < *hardware_until_) return arm();
    hardware_until_.reset();
    for (const motion::PartCheck& check : checks) {
        if (check.outcome || (!check.required && !sensors_.reads(check.part))) continue;
        parts_.log.warning(fmt::format("{}: {}", check.part, check.outcome.error().message));
        // Telemetry follows it from now on.
        set_fault(check.required ? check.part : faults::silence_of(check.part), true);
    }
    if (!broken.empty()) return fail_with("the hardware check failed: " + broken);
    begun_ = true;
    start_next();
}

}  // namespace caribou::robot
