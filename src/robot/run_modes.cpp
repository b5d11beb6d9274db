#include "robot/run_modes.hpp"

#include <utility>

#include <fmt/format.h>

namespace caribou::robot {
namespace {

using link::ComMode;
using link::Objection;
using link::Refusal;
using link::RunMode;
using link::WaitReason;
using link::WakeSignal;

std::unexpected<Objection> refuse(Refusal why, std::string text) {
    return std::unexpected(Objection{why, std::move(text)});
}

bool is_sleep(WaitReason reason) {
    return reason == WaitReason::timed_sleep || reason == WaitReason::requested_sleep;
}

}  // namespace

std::string to_string(const ModeChange& change) {
    return fmt::format("{} -> {}{}: {}", link::to_string(change.from), link::to_string(change.to),
                       change.reason ? fmt::format("({})", link::to_string(*change.reason)) : "", change.why);
}

std::optional<Objection> RunModes::guard(RunMode to) const {
    const bool moves = to == RunMode::rm2 || to == RunMode::rm3;
    if (moves && !rules_.not_self_checked.empty())
        return Objection{Refusal::unsafe, "not self-checked: " + rules_.not_self_checked};
    if (to != RunMode::rm3 || com_mode_ == ComMode::cm3) return std::nullopt;
    if (com_mode_ == ComMode::cm2 && rules_.allow_blind_server_mode) return std::nullopt;
    return Objection{Refusal::wrong_com_mode,
                     fmt::format("RM3 needs CM3, and the link is at {}{}", link::to_string(com_mode_),
                                 com_mode_ == ComMode::cm2
                                     ? " (allow_blind_server_mode is not set)"
                                     : ": no station answers, and without one no person drives the robot; "
                                       "connect its station")};
}

bool RunModes::could_end(const ModeWish& wish) const {
    if (com_.listens()) return true;  // the station can request its end
    switch (*wish.reason) {
        case WaitReason::charging: return takes_current_;
        case WaitReason::waiting_to_transmit: return com_.wants_sending();
        case WaitReason::waiting_to_receive: return false;
        default: return wish.time.has_value();
    }
}

std::optional<Objection> RunModes::object_to(const ModeWish& wish) const {
    if (wish.mode != RunMode::rm1) return guard(wish.mode);
    if (!wish.reason) return Objection{Refusal::bad_argument, "RM1 needs a reason"};
    if (wish.reason == WaitReason::timed_sleep && !wish.time)
        return Objection{Refusal::bad_argument, "TimedSleep needs a time"};
    if (wish.reason == WaitReason::charging && !takes_current_)
        return Objection{Refusal::wrong_mode,
                         "the charger gives no current; Charging needs contact and current"};
    if (!could_end(wish))
        return Objection{Refusal::nothing_would_wake,
                         fmt::format("nothing could end {}: there is no time, and no station is listened to",
                                     link::to_string(*wish.reason))};
    return std::nullopt;
}

RunModes::Outcome RunModes::start(const ModeWish& wish, Instant now) {
    if (mode_ != RunMode::init) return refuse(Refusal::illegal_transition, "it has started already");
    switch (wish.mode) {
        case RunMode::rm0: return enter(RunMode::rm0, std::nullopt, "configured");
        case RunMode::rm1:
            if (!wish.time) return refuse(Refusal::nothing_would_wake, "a start in RM1 needs a time");
            return enter_wait({wish.mode, WaitReason::timed_sleep, wish.time}, "configured", now);
        case RunMode::rm2:
        case RunMode::rm3: return enter_or_wait(wish.mode, "configured");
        default: break;
    }
    return refuse(Refusal::illegal_transition,
                  fmt::format("a robot does not start in {}", link::to_string(wish.mode)));
}

std::optional<Objection> RunModes::objection_to(const ModeWish& wish) const {
    const RunMode to = wish.mode;
    if (busy())
        return Objection{Refusal::busy, fmt::format("it goes to {}: {}", link::to_string(mode_), why_)};
    if (to == RunMode::rm0 || to == RunMode::rm4 || to == RunMode::rm5) return std::nullopt;
    if (mode_ == RunMode::init) return Objection{Refusal::busy, "it is still starting"};
    if (to == mode_)
        return Objection{Refusal::illegal_transition,
                         fmt::format("it is in {} already", link::to_string(to))};
    if (to == RunMode::init) return Objection{Refusal::illegal_transition, "RM5 is the way to init"};
    return object_to(wish);
}

RunModes::Outcome RunModes::request(const ModeWish& wish, Instant now) {
    const RunMode to = wish.mode == RunMode::rm4 ? RunMode::rm5 : wish.mode;
    if (auto objection = objection_to(wish)) return std::unexpected(std::move(*objection));
    if (to == RunMode::rm1) return enter_wait(wish, "requested", now);
    return enter(
        to, std::nullopt,
        mode_ == RunMode::rm1 ? std::string(link::to_string(WakeSignal::server_requested)) : "requested");
}

std::expected<std::optional<ModeChange>, Objection> RunModes::begin_docking(std::string why) {
    if (mode_ == RunMode::rm2) return std::nullopt;
    if (mode_ != RunMode::rm3)
        return refuse(Refusal::wrong_mode, fmt::format("it drives by itself in RM2 and RM3, and is in {}",
                                                       link::to_string(mode_)));
    ModeChange change = enter(RunMode::rm2, std::nullopt, std::move(why));
    docks_for_rm3_ = true;
    return change;
}

std::optional<ModeChange> RunModes::end_docking(std::string why) {
    if (!docks_for_rm3_) return std::nullopt;
    return enter_or_wait(RunMode::rm3, std::move(why));
}

std::optional<ModeChange> RunModes::on_signal(WakeSignal signal) {
    if (signal == WakeSignal::power_off) return on_failure(std::string(link::to_string(signal)));
    if (mode_ != RunMode::rm1 || !link::ends(signal, *reason_)) return std::nullopt;
    return resume(std::string(link::to_string(signal)));
}

std::optional<ModeChange> RunModes::on_docked(Instant now) {
    if (mode_ != RunMode::rm2 && mode_ != RunMode::rm3) return std::nullopt;
    return enter_wait({RunMode::rm1, WaitReason::charging, {}}, "the charger gives current", now);
}

std::optional<ModeChange> RunModes::on_charger_lost() {
    if (reason_ != WaitReason::charging) return std::nullopt;
    return resume("the charger was lost");
}

std::optional<ModeChange> RunModes::on_failure(std::string why) {
    if (busy()) return std::nullopt;
    return enter(RunMode::rm0, std::nullopt, std::move(why));
}

std::optional<ModeChange> RunModes::heard(Instant at, Instant now) {
    com_.heard(at);
    return follow_com(now);
}

std::optional<ModeChange> RunModes::sending(bool up, Instant now) {
    com_.sending(up);
    return follow_com(now);
}

std::optional<ModeChange> RunModes::deaf(Instant now) {
    com_.deaf();
    return follow_com(now);
}

std::optional<ModeChange> RunModes::listen(bool listens, Instant now) {
    com_.listen(listens);
    return follow_com(now);
}

std::optional<ModeChange> RunModes::tick(Instant now) {
    if (auto change = follow_com(now)) return change;
    if (mode_ == RunMode::rm1 && wakes_ && now >= *wakes_)
        return resume(std::string(link::to_string(WakeSignal::timer_up)));
    return std::nullopt;
}

std::optional<Instant> RunModes::due(Instant now) const {
    std::optional<Instant> next = com_.due(now);
    if (mode_ == RunMode::rm1 && wakes_ && (!next || *wakes_ < *next)) next = wakes_;
    return next;
}

std::optional<ModeChange> RunModes::follow_com(Instant now) {
    const link::Directions before = link::directions_of(com_mode_);
    com_mode_ = com_.mode(now);
    const link::Directions up = link::directions_of(com_mode_);
    if (mode_ == RunMode::rm3 && guard(RunMode::rm3)) {
        came_from_ = RunMode::rm3;
        return enter(RunMode::rm1, lack(), "the link was lost");
    }
    if (mode_ != RunMode::rm1) return std::nullopt;
    if (reason_ == WaitReason::waiting_to_receive && up.receiving &&
        (!before.receiving || !guard(came_from_)))
        return resume(std::string(link::to_string(WakeSignal::receive_connection)));
    if (reason_ == WaitReason::waiting_to_transmit && up.sending && (!before.sending || !guard(came_from_)))
        return resume(std::string(link::to_string(WakeSignal::transmit_connection)));
    return std::nullopt;
}

WaitReason RunModes::lack() const {
    return link::directions_of(com_mode_).receiving ? WaitReason::waiting_to_transmit
                                                    : WaitReason::waiting_to_receive;
}

ModeChange RunModes::enter_or_wait(RunMode to, std::string why) {
    if (!guard(to)) return enter(to, std::nullopt, std::move(why));
    came_from_ = to;
    if (!rules_.not_self_checked.empty())
        return enter(RunMode::rm1, WaitReason::requested_sleep,
                     fmt::format("{}, but {} is refused: not self-checked", why, link::to_string(to)));
    return enter(RunMode::rm1, lack(),
                 why + ", but the link does not reach for " + std::string(link::to_string(to)));
}

ModeChange RunModes::resume(std::string why) { return enter_or_wait(came_from_, std::move(why)); }

ModeChange RunModes::enter_wait(const ModeWish& wish, std::string why, Instant now) {
    if (mode_ == RunMode::rm2 || mode_ == RunMode::rm3) came_from_ = docks_for_rm3_ ? RunMode::rm3 : mode_;
    ModeChange change = enter(RunMode::rm1, *wish.reason, std::move(why));
    if (wish.time && is_sleep(*reason_)) wakes_ = now + *wish.time;
    return change;
}

ModeChange RunModes::enter(RunMode to, std::optional<WaitReason> reason, std::string why) {
    ModeChange change{.from = mode_, .to = to, .reason = reason, .why = std::move(why)};
    mode_ = to;
    docks_for_rm3_ = false;
    reason_ = reason;
    wakes_.reset();
    why_ = change.why;
    return change;
}

motion::MotionPermit permit_in(RunMode mode) {
    switch (mode) {
        case RunMode::rm2: return {.motors = true, .sources = {motion::MotionSource::ai}};
        case RunMode::rm3:
            return {.motors = true,
                    .sources = {motion::MotionSource::operator_, motion::MotionSource::autopilot}};
        default: return {};
    }
}

}  // namespace caribou::robot
