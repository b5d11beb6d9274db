#include "station/acknowledged_state.hpp"

#include "link/command_table.hpp"
#include "link/state_line.hpp"

namespace caribou::station {

using link::CommandCode;
using link::RunMode;

namespace {

/// Returns why the robot waits after this change of its mode.
std::optional<link::WaitReason> wait_reason_of(const link::Command& command, RunMode mode) {
    if (mode != RunMode::rm1) return std::nullopt;
    if (const auto stated = link::wait_reason_from(command.text("reason"))) return stated;
    return command.text("time").empty() ? link::WaitReason::requested_sleep : link::WaitReason::timed_sleep;
}

}  // namespace

bool AcknowledgedState::learn(const link::Command& command, const link::Answer& answer, Instant now) {
    if (answer.refusal == link::Refusal::stopped) {
        stopped_ = Known<bool>{true, now};
        return true;
    }
    if (answer.kind != link::Answer::Kind::done) return false;
    switch (command.code) {
        case CommandCode::full_stop: stopped_ = Known<bool>{true, now}; return true;
        case CommandCode::release_stop: stopped_ = Known<bool>{false, now}; return true;
        case CommandCode::power_off: mode_ = Known<Mode>{{RunMode::rm0, {}}, now}; return true;
        case CommandCode::set_run_mode:
        case CommandCode::go_to_run_mode:
            if (const auto mode = link::run_mode_from(command.text("mode")))
                mode_ = Known<Mode>{
                    {*mode == RunMode::rm4 ? RunMode::rm5 : *mode, wait_reason_of(command, *mode)}, now};
            return true;
        case CommandCode::status: return learn_state(answer, now);
        default: break;
    }
    // Movements are renewed several times per second: only the first one after a stop is news.
    if (!link::is_motion(command.code) || link::is_halt(command) || !stopped_ || !stopped_->value)
        return false;
    stopped_ = Known<bool>{false, now};
    return true;
}

bool AcknowledgedState::learn_state(const link::Answer& answer, Instant now) {
    const auto line = link::state_line_from(answer.text);
    if (!line) return false;
    stopped_ = Known<bool>{line->stopped, now};
    mode_ = Known<Mode>{{line->run_mode, line->waits_for}, now};
    return true;
}

}  // namespace caribou::station
