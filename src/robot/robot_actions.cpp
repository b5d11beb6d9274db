#include "robot/robot_actions.hpp"

#include <array>
#include <cmath>

namespace caribou::robot {
namespace {

using behavior::Outcome;
using Progress = Navigator::Progress;
using namespace std::chrono_literals;

constexpr double near_dock = 0.035;           ///< m
constexpr double behind_dock = 0.4;           ///< m; where it lines up with its dock
constexpr double near_place = 0.04;           ///< m
constexpr double past_dock = 0.05;            ///< m
constexpr double centered = 0.01;             ///< m
constexpr double facing = 0.025;              ///< rad
constexpr Duration center_limit = 3s;         ///< for centering on the contacts
constexpr double near_cube = 0.25;            ///< m
constexpr Duration dock_limit = 120s;         ///< from the start towards a visible dock
constexpr Duration dock_search_limit = 180s;  ///< until it was seen

/// Returns the velocity along the axis of the dock to its middle, of a robot at this pose in the dock's
/// frame.
Velocity along_axis(const Pose& at) {
    constexpr double per_aside = 15.0;   // rad/s2 per m: critically damped at the speed below
    constexpr double per_heading = 2.5;  // 1/s
    constexpr double per_ahead = 3.0;    // 1/s
    constexpr double fastest = 0.08;     // m/s
    const double forward = std::copysign(std::clamp(per_ahead * std::abs(at.x), 0.03, fastest), -at.x);
    const double turn = -per_heading * at.heading - per_aside * at.y * forward / fastest;
    return {forward, std::clamp(turn, -0.8, 0.8)};
}

Velocity turn_to_axis(const Pose& at) {
    return {0.0, std::copysign(std::clamp(2.0 * std::abs(at.heading), 0.15, 0.8), -at.heading)};
}

}  // namespace

std::optional<Outcome> RobotAction::outcome(Progress progress) {
    switch (progress) {
        case Progress::going: return std::nullopt;
        case Progress::arrived: return Outcome::succeeded();
        case Progress::failed: return Outcome::failed(navigator().why_not());
    }
    return std::nullopt;
}

std::optional<Outcome> DriveAction::go_on(Instant now) {
    if (age(now) >= time_) return Outcome::succeeded();
    navigator().ai().drive(command_);
    return std::nullopt;
}

void TurnAction::begin(Instant) {
    left_ = angle_;
    before_ = navigator().pose().heading;
}

std::optional<Outcome> TurnAction::go_on(Instant now) {
    const double heading = navigator().pose().heading;
    left_ -= wrapped_angle(heading - before_);
    before_ = heading;
    if (left_ * angle_ <= 0 || std::abs(left_) < 0.1) return Outcome::succeeded();
    if (age(now) > 30s) return Outcome::failed("it does not turn");
    navigator().ai().drive(*motion::MovementCommand::of(angle_ > 0 ? 1 : -1, angle_ > 0 ? -1 : 1));
    return std::nullopt;
}

std::optional<Outcome> GoToAction::go_on(Instant now) {
    if (!there_is_a_way_) return Outcome::failed(navigator().why_not());
    return outcome(navigator().follow(now));
}

Result<Pose> VisitAction::goal() const {
    if (!place_.empty()) return navigator().place(place_);
    const auto& sent_to = navigator().errand().place;
    if (!sent_to) return ::caribou::fail(Code::not_found, "no command `go` is in effect");
    return sent_to->pose;
}

void VisitAction::begin(Instant now) {
    is_there_ = false;
    pose_.reset();
    const auto at = goal();
    if (!at)
        why_not_ = at.error().message;
    else if (!navigator().go_to(position(*at), now))
        why_not_ = navigator().why_not();
    else
        pose_ = *at;
}

Outcome VisitAction::end(std::string failure) {
    // Hindered: another behavior must free it, and then it tries again.
    if (place_.empty() && !navigator().hindered()) navigator().count_errand(failure);
    return failure.empty() ? Outcome::succeeded() : Outcome::failed(std::move(failure));
}

std::optional<Outcome> VisitAction::go_on(Instant now) {
    if (!pose_) return end(why_not_);
    const Progress progress = is_there_ ? navigator().face(pose_->heading, now) : navigator().follow(now);
    if (progress == Progress::failed) return end(navigator().why_not());
    if (progress == Progress::going) return std::nullopt;
    if (is_there_) return end("");
    is_there_ = true;
    return std::nullopt;
}

std::optional<Outcome> ExploreAction::go_on(Instant now) {
    if (!there_is_a_way_) return Outcome::failed(navigator().why_not());
    return outcome(navigator().follow(now));
}

void StrollAction::begin(Instant now) {
    there_is_a_way_ = navigator().go_anywhere(random_, now, Navigator::Reach::nearby);
}

std::optional<Outcome> StrollAction::go_on(Instant now) {
    if (!there_is_a_way_) return Outcome::failed(navigator().why_not());
    return outcome(navigator().follow(now));
}

void BackOffAction::begin(Instant) {
    const double away = (1 + 1.5 * random_.unit()) * (random_.chance(0.5) ? 1 : -1);
    heading_ = wrapped_angle(navigator().pose().heading + away);
}

std::optional<Outcome> BackOffAction::go_on(Instant now) {
    if (age(now) < 1500ms) {
        navigator().ai().drive(*motion::MovementCommand::of(-1, -1));
        return std::nullopt;
    }
    if (age(now) < 7s && navigator().face(heading_, now) == Progress::going) return std::nullopt;
    navigator().forgive();
    return Outcome::succeeded();
}

Outcome DockAction::fail(std::string why) {
    navigator().docking_failed(why);
    return Outcome::failed(std::move(why));
}

void DockAction::begin(Instant now) {
    stage_ = Stage::search;
    stage_began_ = now;
    has_way_ = false;
}

Vec2 DockAction::place_behind() const {
    const Pose& dock = *navigator().dock();
    return position(dock) - towards(dock.heading) * behind_dock;
}

bool DockAction::travel(Instant now) {
    stage_ = Stage::travel;
    stage_began_ = now;
    return navigator().go_to(place_behind(), now) || navigator().go_to(position(*navigator().dock()), now);
}

std::optional<Outcome> DockAction::search(Instant now) {
    if (now > stage_began_ + dock_search_limit) return fail("no charger is known, and none was found");
    if (has_way_) {
        const auto progress = navigator().follow(now);
        // Hindered: another behavior must free it.
        if (progress == Progress::failed && navigator().hindered())
            return Outcome::failed(navigator().why_not());
        has_way_ = progress == Progress::going;
        return std::nullopt;
    }
    has_way_ = (!navigator().explored(now) && navigator().go_exploring(now)) ||
               navigator().go_anywhere(random_, now, Navigator::Reach::everywhere);
    if (!has_way_) return fail("no charger is known, and there is no way to search for one");
    return std::nullopt;
}

std::optional<Outcome> DockAction::go_on(Instant now) {
    if (navigator().on_charger()) return center(now);
    contact_at_.reset();
    if (!navigator().dock() && stage_ != Stage::search) begin(now);
    if (stage_ == Stage::search && navigator().dock() && !travel(now)) return fail(navigator().why_not());
    if (stage_ == Stage::search) return search(now);
    if (now > stage_began_ + dock_limit) return fail("it does not get onto its dock");
    navigator().note_centering(now);
    switch (stage_) {
        case Stage::travel: return arrive(now);
        case Stage::line_up: return line_up(now);
        case Stage::enter: return enter(now);
        default: return approach_straight(now);
    }
}

std::optional<Outcome> DockAction::arrive(Instant now) {
    const bool fits = navigator().can_approach(place_behind(), near_place, now);
    const double far =
        distance(fits ? place_behind() : position(*navigator().dock()), position(navigator().pose()));
    if (far > (fits ? 0.3 : 0.6)) {
        const auto ended = navigator().follow(now);
        if (ended == Progress::failed) return fail(navigator().why_not());
        if (ended != Progress::arrived) return std::nullopt;
    }
    stage_ = fits ? Stage::line_up : Stage::approach;
    faced_at_ = now;
    return std::nullopt;
}

std::optional<Outcome> DockAction::line_up(Instant now) {
    const auto ended = navigator().approach(place_behind(), near_place, now);
    if (ended == Progress::failed) return fail(navigator().why_not());
    if (ended == Progress::going) return std::nullopt;
    if (navigator().face(navigator().dock()->heading, now) == Progress::arrived) stage_ = Stage::enter;
    return std::nullopt;
}

/// Follows the axis of the dock until the contacts of the charger end this stage.
std::optional<Outcome> DockAction::enter(Instant now) {
    const auto at = navigator().pose_at_dock();
    if (!at || at->x > past_dock || navigator().does_not_get_on()) {
        stage_ = Stage::approach;
        return std::nullopt;
    }
    navigator().watch_progress(now);
    navigator().ai().drive(along_axis(*at));
    return std::nullopt;
}

std::optional<Outcome> DockAction::approach_straight(Instant now) {
    const Pose dock = *navigator().dock();
    if (stage_ == Stage::approach) {
        const auto ended = navigator().approach(position(dock), near_dock, now);
        if (ended == Progress::failed) return fail(navigator().why_not());
        if (ended != Progress::arrived) return std::nullopt;
        stage_ = Stage::face;
        faced_at_ = now;
    }
    // On the plate, but with the contacts on the wrong side; if rotating does not help, it is off-center.
    if (navigator().face(dock.heading, now) == Progress::going) {
        faced_at_ = now;
    } else if (now > faced_at_ + 1s) {
        stage_ = Stage::approach;
    }
    return std::nullopt;
}

/// On the contacts: to the middle of the dock, and facing along it.
std::optional<Outcome> DockAction::center(Instant now) {
    const auto at = navigator().pose_at_dock();
    if (!contact_at_) contact_at_ = now;
    const bool is_along = at && std::abs(at->x) < centered;
    const bool is_facing = at && std::abs(at->heading) < facing;
    if (!at || (is_along && is_facing) || now > *contact_at_ + center_limit) {
        navigator().end_centering();
        return Outcome::succeeded();
    }
    navigator().note_centering(now);
    navigator().ai().drive(is_along ? turn_to_axis(*at) : along_axis(*at));
    return std::nullopt;
}

std::optional<Outcome> UndockAction::go_on(Instant now) {
    const bool away = !navigator().on_charger() && age(now) > 3s;
    if (away || age(now) > 8s) return Outcome::succeeded();
    navigator().ai().drive(*motion::MovementCommand::of(1, 1));
    return std::nullopt;
}

void ApproachCubeAction::begin(Instant now) {
    cube_.reset();
    detour_.reset();
    seen_at_ = now;
}

void ApproachCubeAction::look_for_cubes(Instant now) {
    if (navigator().sights().cubes.empty()) return;
    const Pose& pose = navigator().pose();
    const auto& [seen, name] = navigator().sights().cubes.front();
    name_ = name;
    const Vec2 ahead = towards(pose.heading);
    cube_ = Vec2{pose.x + seen.x * ahead.x - seen.y * ahead.y, pose.y + seen.x * ahead.y + seen.y * ahead.x};
    seen_at_ = now;
}

std::optional<Outcome> ApproachCubeAction::go_around(Instant now) {
    constexpr double same = 0.3;  // m that the cube may be off its place on the map
    if (!detour_ || distance(*detour_, *cube_) > same) {
        if (!navigator().go_to(*cube_, now)) return Outcome::failed(navigator().why_not());
        detour_ = cube_;
    }
    // Along a path it may lose sight of the cube; at its end it turns to where the cube was.
    seen_at_ = now;
    const Progress progress = navigator().follow(now);
    if (progress == Progress::arrived) return Outcome::failed("it does not fit in front of the cube");
    return outcome(progress);
}

std::optional<Outcome> ApproachCubeAction::go_on(Instant now) {
    look_for_cubes(now);
    if (!cube_ || now > seen_at_ + 3s) return Outcome::failed("it does not see a cube any more");
    if (age(now) > 40s) return Outcome::failed("it does not get to the cube");
    if (!navigator().can_approach(*cube_, near_cube, now)) return go_around(now);
    detour_.reset();
    const Progress progress = navigator().approach(*cube_, near_cube, now);
    if (progress == Progress::arrived && !name_.empty()) navigator().ai().expect_cube(name_);
    return outcome(progress);
}

LightsAction::LightsAction(std::shared_ptr<Navigator> navigator, std::string_view lights)
    : RobotAction(std::move(navigator)) {
    constexpr std::array<std::pair<std::string_view, motion::BodyLights>, 5> all{
        {{"off", motion::BodyLights::off},
         {"asleep", motion::BodyLights::asleep},
         {"awake", motion::BodyLights::awake},
         {"driven", motion::BodyLights::driven},
         {"alarm", motion::BodyLights::alarm}}};
    for (const auto& [name, value] : all)
        if (name == lights) lights_ = value;
}

}  // namespace caribou::robot
