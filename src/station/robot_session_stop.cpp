// Full stops of a session: as datagrams, and until they are confirmed.

#include <utility>

#include <fmt/format.h>

#include "station/robot_session.hpp"

namespace caribou::station {

using link::Answer;
using link::CommandCode;
using link::Refusal;

void RobotSession::repeat_stops() {
    const Instant now = loop_.clock().now();
    for (const SentStop& stop : std::exchange(stops_, {})) {
        if (!pending_.has(stop.id)) continue;
        if (stop.until && now >= *stop.until) {
            heard(Answer::refused(
                stop.id,
                {Refusal::unavailable, fmt::format("{} is not connected{}{}, and does not answer datagrams",
                                                   name_, why_.empty() ? "" : ": ", why_)}));
            continue;
        }
        stops_.push_back(stop);
        ways_.send_datagram(*datagrams_to_,
                            stop_sealer_->seal(link::datagram_of(++stop_number_, link::StopNow{stop.id})));
    }
    if (!stops_.empty()) stop_timer_->arm(now + stop_period);
}

AnswerHandler RobotSession::follow_stop(const Asker& asker, AnswerHandler on_answer) {
    unconfirmed_stop_.sending(asker.name, loop_.clock().now());
    return [this, told = std::move(on_answer)](const Answer& answer) mutable {
        learn_stop(answer);
        told(answer);
    };
}

void RobotSession::learn_stop(const Answer& answer) {
    if (unconfirmed_stop_.learn(answer, loop_.clock().now())) events_.on_status(*this);
}

void RobotSession::settle_stop(const link::Command& command, const Answer& answer, Instant sent) {
    const UnconfirmedStop::Open* const open = unconfirmed_stop_.open();
    if (!open) return;
    // A release that was given after the stop withdraws it.
    const bool is_released =
        command.code == CommandCode::release_stop && answer.kind == Answer::Kind::done && sent >= open->since;
    const auto stopped = acknowledged_stop();
    const bool is_settled = is_released
                                ? unconfirmed_stop_.dismiss()
                                : stopped && stopped->value && unconfirmed_stop_.stopped_at(stopped->at);
    if (is_settled) events_.on_status(*this);
}

void RobotSession::tend_stop(Instant now) {
    link::Command command{.code = CommandCode::full_stop};
    const UnconfirmedStop::Open* const open = unconfirmed_stop_.open();
    const bool is_reachable = is_running(mode_) || (telemetry_ && !stale_ && is_stop_by_datagram(command));
    if (open && is_reachable && unconfirmed_stop_.is_due(now)) {
        const UnconfirmedStop::Open wanted = *open;
        command.id = {next_id_++};
        unconfirmed_stop_.sending("", now);
        events_.on_command(*this, command, {.name = wanted.by});
        transmit(command, [this, wanted](const Answer& answer) {
            learn_stop(answer);
            if (answer.kind != Answer::Kind::done) return;
            const Duration age = loop_.clock().now() - wanted.since;
            events_.on_report(*this, fmt::format("the full stop that {} requested {:.0f} s ago is confirmed",
                                                 wanted.by, to_seconds(age)));
        });
    }
    // It is shown, or no longer, although nothing has happened in between.
    const bool shows = unconfirmed_stop() != nullptr;
    if (std::exchange(shows_stop_, shows) != shows) events_.on_status(*this);
}

bool RobotSession::dismiss_stop(const Asker& asker) {
    if (!unconfirmed_stop_.dismiss()) return false;
    events_.on_report(*this, fmt::format("{} has dismissed the full stop that is not confirmed", asker.name));
    events_.on_status(*this);
    return true;
}

}  // namespace caribou::station
