#include "station/mode_history.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "station/fleet_picture.hpp"

namespace caribou::station {

using data::ModeKind;
using data::StationMode;
using link::CommandCode;
using link::RunMode;

bool ModeHistory::take(const data::Status& status, double now) {
    const bool run_mode = take_run_mode(status, now);
    const bool com_mode =
        status.robot && !status.stale &&
        note(ModeKind::com, com_mode_, std::string(to_string(status.robot->com_mode)), {}, now);
    const bool link = take_link(status, now);
    return run_mode || com_mode || link;
}

bool ModeHistory::take_link(const data::Status& status, double now) {
    // The way to a connection is no news: a robot that cannot be reached is called again and again.
    if (status.mode == StationMode::init || status.mode == StationMode::shake) return false;
    return note(ModeKind::link, link_, std::string(to_string(status.mode)), status.why, now);
}

bool ModeHistory::take_run_mode(const data::Status& status, double now) {
    data::Modes modes;
    if (status.presence == data::Presence::off)
        modes.run_mode = RunMode::rm0;
    else if (status.robot && !status.stale)
        modes = *status.robot;
    else if (status.acknowledged_mode)
        modes = {.run_mode = *status.acknowledged_mode, .waits_for = status.acknowledged_waits_for};
    else
        return false;
    std::string text = run_mode_text({.status = {.robot = data::RobotStatus{modes}}});
    if (run_mode_ == text) return false;
    return note(ModeKind::run, run_mode_, std::move(text), reason_for(status, modes.run_mode, now), now);
}

std::string ModeHistory::reason_for(const data::Status& status, RunMode mode, double now) {
    const auto request = std::exchange(request_, {});
    if (request && request->to == mode && now - request->at <= request_limit) return request->why;
    return mode == RunMode::rm0 ? status.off_reason : std::string();
}

bool ModeHistory::note(ModeKind what, std::optional<std::string>& known, std::string now_in, std::string why,
                       double now) {
    const auto before = std::exchange(known, now_in);
    if (!before || *before == now_in) return false;
    auto& all = changes_.changes;
    const auto is_alike = [&](const data::ModeChange& change) { return change.what == what; };
    if (std::cmp_greater_equal(std::ranges::count_if(all, is_alike), limit))
        all.erase(std::ranges::find_if(all, is_alike));
    all.push_back({.at = now, .what = what, .from = *before, .to = std::move(now_in), .why = std::move(why)});
    return true;
}

void ModeHistory::on_command(const link::Command& command, std::string asker, double now) {
    switch (command.code) {
        case CommandCode::set_run_mode:
        case CommandCode::go_to_run_mode:
            if (const auto mode = link::run_mode_from(command.text("mode")))
                request_ = {command.id, *mode == RunMode::rm4 ? RunMode::rm5 : *mode,
                            fmt::format("requested by {}", asker), now};
            break;
        case CommandCode::power_off:
            request_ = {command.id, RunMode::rm0, fmt::format("requested by {}", asker), now};
            break;
        case CommandCode::dock:
            request_ = {command.id, RunMode::rm2, fmt::format("sent to its dock by {}", asker), now};
            break;
        case CommandCode::go:
            request_ = {command.id, RunMode::rm2,
                        fmt::format("sent to {} by {}", command.text("place"), asker), now};
            break;
        default: break;
    }
}

void ModeHistory::on_answer(const link::Answer& answer) {
    if (answer.refusal && request_ && request_->id == answer.id) request_.reset();
}

}  // namespace caribou::station
