#include "station/drive_hold.hpp"

#include <algorithm>
#include <utility>

#include "loop/duration_text.hpp"

namespace caribou::station {

void DriveHold::press(motion::MovementCommand movement, Instant now) {
    if (movement.is_halt()) return let_go();
    if (is_interrupted(now) && ignored_ == movement) {
        ignored_until_ = now + settings_.first;
        return;
    }
    ignored_.reset();
    const bool repeated = held_ == movement;
    if (!repeated) next_ = now;
    until_ = repeated ? std::max(until_, now + settings_.again) : now + settings_.first;
    held_ = movement;
    halt_ = false;
}

void DriveHold::let_go() {
    held_.reset();
    halt_ = true;
}

void DriveHold::interrupt(Instant now) {
    if (!held_) return;
    ignored_ = held_;
    ignored_until_ = now + settings_.first;
    let_go();
}

std::optional<link::Command> DriveHold::due(Instant now) {
    if (held_ && now >= until_) let_go();
    if (!held_) {
        if (!std::exchange(halt_, false)) return std::nullopt;
        return link::Command{.code = link::CommandCode::move, .arguments = {{"movement", "HALT"}}};
    }
    if (now < next_) return std::nullopt;
    next_ = now + settings_.every;
    return link::Command{
        .code = link::CommandCode::move,
        .arguments = {{"movement", to_string(*held_)}, {"ttl", duration_text(settings_.life)}}};
}

}  // namespace caribou::station
