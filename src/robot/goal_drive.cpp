#include "robot/goal_drive.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;
using Progress = Navigator::Progress;

constexpr int most_hindrances = 2;
constexpr Duration back_off_time = 1500ms;
constexpr Duration turn_limit = 15s;

}  // namespace

std::optional<Result<void>> GoalDrive::step(Instant now) {
    switch (stage_) {
        case Stage::plan:
            navigator_.forgive();
            if (!navigator_.go_to(position(goal_.pose), now))
                return fail(Code::not_found, std::string(navigator_.why_not()));
            return enter(Stage::drive, now);
        case Stage::drive: return drive(now);
        case Stage::back_off:
            if (now >= entered_ + back_off_time) return enter(Stage::plan, now);
            navigator_.ai().drive(*motion::MovementCommand::of(-1, -1));
            return std::nullopt;
        case Stage::turn: return turn(now);
    }
    return std::nullopt;
}

std::optional<Result<void>> GoalDrive::enter(Stage stage, Instant now) {
    stage_ = stage;
    entered_ = now;
    return std::nullopt;
}

std::optional<Result<void>> GoalDrive::drive(Instant now) {
    switch (navigator_.follow(now)) {
        case Progress::going: return std::nullopt;
        case Progress::arrived:
            return goal_.keeps_heading ? enter(Stage::turn, now)
                                       : std::optional<Result<void>>(Result<void>());
        case Progress::failed: break;
    }
    if (navigator_.hindered() && ++hindrances_ <= most_hindrances) return enter(Stage::back_off, now);
    return fail(Code::unavailable, std::string(navigator_.why_not()));
}

std::optional<Result<void>> GoalDrive::turn(Instant now) {
    const Progress progress = navigator_.face(goal_.pose.heading, now);
    if (progress == Progress::arrived) return Result<void>();
    if (progress == Progress::failed || now > entered_ + turn_limit)
        return fail(Code::unavailable, "it is at the place, but cannot turn to the heading");
    return std::nullopt;
}

}  // namespace caribou::robot
