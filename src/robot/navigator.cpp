#include "robot/navigator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "map/scan_match.hpp"

namespace caribou::robot {
namespace {

using namespace std::chrono_literals;

constexpr Duration current = 500ms;  ///< for which a course or an action counts as present

std::optional<std::size_t> find(const motion::BodyPlan& plan, motion::SensorKind kind) {
    for (std::size_t i = 0; i < plan.sensors.size(); ++i)
        if (plan.sensors[i].kind == kind) return i;
    return std::nullopt;
}

bool borders_unknown(const map::OccupancyGrid& grid, map::Cell cell) {
    for (const map::Cell side : {map::Cell{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
        if (grid.at(map::Cell{cell.column + side.column, cell.row + side.row}) == map::Occupancy::unknown)
            return true;
    return false;
}

std::string in_zone_text(std::string_view zone) {
    return fmt::format("it is in the keep-out zone {}: drive it out, or forget the zone", zone);
}

}  // namespace

Navigator::Navigator(AiControl& ai, NavigatorSettings settings)
    : ai_(ai),
      settings_(settings),
      grid_(map::GridFrame::around({-settings.side / 2, -settings.side / 2},
                                   {settings.side / 2, settings.side / 2}, settings.cell)),
      costs_(grid_, cost_settings()),
      pursuit_(settings.pursuit),
      straight_pursuit_({.speed = 0.25, .sharp = 0.5, .aligned = 0.15, .shortest_reach = 0.1}),
      lidar_(find(ai.body(), motion::SensorKind::lidar)),
      eyes_(find(ai.body(), motion::SensorKind::eyes)),
      imu_(find(ai.body(), motion::SensorKind::imu)),
      charger_(find(ai.body(), motion::SensorKind::charger)) {}

void Navigator::use_frame(const std::optional<Pose>& odom_in_map) {
    constexpr double far = 0.5;     // m
    constexpr double turned = 0.2;  // rad; corrections of a localization are smaller
    is_located_by_others_ = true;
    const bool was_lost = std::exchange(awaits_frame_, !odom_in_map);
    if (!odom_in_map) return;
    const Pose before = pose_;
    odom_in_map_ = *odom_in_map;
    pose_ = composed(odom_in_map_, odometry_.value_or(Pose{}));
    if (was_lost || distance(position(before), position(pose_)) > far ||
        std::abs(wrapped_angle(before.heading - pose_.heading)) > turned)
        start_map_here();
}

Result<void> Navigator::set_pose(const Pose& pose) {
    if (is_located_by_others_)
        return fail(Code::wrong_state, "another program locates the robot; set the pose there");
    if (!odometry_) return fail(Code::wrong_state, "the robot has no odometry yet");
    if (!grid_.frame().contains(grid_.frame().cell_at(position(pose))))
        return fail(Code::invalid_argument, "the pose lies outside of the map");
    odom_in_map_ = frame_between(pose, *odometry_);
    pose_ = pose;
    is_relocated_ = true;
    return {};
}

void Navigator::start_map_here() {
    const Vec2 half{settings_.side / 2, settings_.side / 2};
    grid_.replace(map::OccupancyGrid(
        map::GridFrame::around(position(pose_) - half, position(pose_) + half, settings_.cell)));
    costs_version_.reset();
    blocked_.clear();
    places_.clear();
    scanned_at_ = Instant::min();
    avoided_.clear();
    cubes_.clear();
    dock_.reset();
    explored_.reset();
    is_relocated_ = true;
}

void Navigator::look(Instant now) {
    const TelemetryRound& round = ai_.telemetry();
    if (round.number == round_) return;
    round_ = round.number;
    take_pose(round);
    if (imu_)
        if (const auto* imu = round.find<motion::ImuReading>(*imu_)) lifted_ = imu->tilt > 0.2;
    if (charger_)
        if (const auto* charger = round.find<motion::ChargerReading>(*charger_))
            on_charger_ = charger->contact;
    if (lidar_ && !lifted_) take_scan(round, now);
    take_sights(round, now);
}

void Navigator::take_sights(const TelemetryRound& round, Instant now) {
    sights_ = {};
    const SensorSample* const sample = eyes_ ? round.sample_of(*eyes_) : nullptr;
    const auto* const sights =
        sample ? std::get_if<std::shared_ptr<const motion::Sights>>(&sample->reading) : nullptr;
    if (!sights || !*sights) return;
    sights_ = **sights;
    const Pose from = composed(odom_in_map_, sample->from);
    if (sights_.dock) {
        dock_ = composed(from, *sights_.dock);
        dock_in_odometry_ = composed(sample->from, *sights_.dock);
    }
    remember_cubes(from, now);
}

void Navigator::remember_cubes(const Pose& from, Instant now) {
    constexpr double same = 0.4;  // m between two sightings of the same cube
    std::erase_if(cubes_, [&](const SeenCube& cube) { return now > cube.seen + 1min; });
    for (const auto& [pose, name] : sights_.cubes) {
        const Vec2 at = position(composed(from, pose));
        const auto known = std::ranges::find_if(cubes_, [&](const SeenCube& one) {
            return one.name == name && (!name.empty() || distance(one.at, at) < same);
        });
        if (known != cubes_.end())
            *known = {at, now, name};
        else if (cubes_.size() < 16)
            cubes_.push_back({at, now, name});
    }
}

void Navigator::docking_failed(std::string why) {
    ++failed_docks_;
    dock_failure_ = std::move(why);
    if (sights_.dock || map::is_by_zones(refusal_)) return;
    dock_.reset();
    dock_in_odometry_.reset();
}

void Navigator::take_pose(const TelemetryRound& round) {
    odometry_ = round.odometry;
    pose_ = composed(odom_in_map_, round.odometry);
}

void Navigator::take_scan(const TelemetryRound& round, Instant now) {
    const SensorSample* const sample = round.sample_of(*lidar_);
    const auto* const reading =
        sample ? std::get_if<std::shared_ptr<const motion::LidarScan>>(&sample->reading) : nullptr;
    if (!reading || !*reading || *reading == scan_ || awaits_frame_) return;
    scan_ = *reading;
    scan_from_ = sample->from;
    const bool first = scanned_at_ == Instant::min();
    map::ScanView view{composed(odom_in_map_, sample->from), scan_->first_angle, scan_->angle_step,
                       scan_->ranges};
    bool settled = true;
    if (!first && !is_located_by_others_)
        if (const map::ScanMatch match = map::match_scan(grid_, view); match.score > 0.25) {
            settled = distance(position(match.pose), position(view.from)) < 0.05 &&
                      std::abs(wrapped_angle(match.pose.heading - view.from.heading)) < 0.03;
            view.from = match.pose;
            odom_in_map_ = frame_between(match.pose, sample->from);
            take_pose(round);
        }
    // A scan is added to the map only if the previous one confirmed the pose. A lidar that scans while the
    // robot rotates yields distorted walls.
    const bool turns = std::abs(round.motion.odometry.yaw_rate) > 0.3;
    if (turns || !settled || now < scanned_at_ + settings_.scan_period) return;
    scanned_at_ = now;
    if (first) grid_.add_disc(position(pose_), ai_.body().radius + 2 * settings_.cell);
    grid_.add(view);
}

map::CostSettings Navigator::cost_settings() const {
    const double hull = ai_.body().radius + grid_.frame().cell / 2;
    return {.radius = hull + settings_.margin,
            .comfort = hull + settings_.comfort,
            .zones = zones_,
            .cruise = settings_.pursuit.speed};
}

void Navigator::refresh(Instant now) {
    if (std::erase_if(blocked_, [&](const BlockedDisc& disc) { return now >= disc.until; }) > 0)
        costs_version_.reset();
    if (costs_version_ == grid_.version()) return;
    costs_ = map::CostMap(grid_, cost_settings());
    for (const BlockedDisc& disc : blocked_) costs_.block(disc.at, settings_.block_radius);
    costs_version_ = grid_.version();
}

void Navigator::block_ahead(Instant now) {
    constexpr std::size_t most = 16;
    if (blocked_.size() == most) blocked_.erase(blocked_.begin());
    const Pose ahead = composed(pose_, {settings_.block_ahead, 0, 0});
    blocked_.push_back({position(ahead), now + settings_.block_time});
    costs_version_.reset();
}

bool Navigator::unblock() {
    if (blocked_.empty()) return false;
    blocked_.clear();
    costs_version_.reset();
    return true;
}

std::optional<map::Cell> Navigator::standing_cell(Instant now) {
    if (awaits_frame_) {
        why_not_ = "no node of ROS 2 has published where the robot is";
        return std::nullopt;
    }
    refresh(now);
    const auto cell = costs_.nearest_passable(position(pose_), 0.5);
    if (!cell) refuse(closed_in().empty() ? map::Plan::start_blocked : map::Plan::start_forbidden);
    return cell;
}

bool Navigator::refuse(map::Plan why) {
    refusal_ = why;
    why_not_ =
        why == map::Plan::start_forbidden ? in_zone_text(closed_in()) : std::string(map::sentence(why));
    return false;
}

bool Navigator::begin(std::vector<map::Cell> cells, Instant now) {
    guide_ = map::PathGuide(map::smoothed(costs_, cells), 0.25, 0.12);
    way_out_.reset();
    pursuit_.restart();
    checked_at_ = now;
    is_relocated_ = false;
    try_again(now);
    return true;
}

bool Navigator::go_to(Vec2 goal, Instant now) {
    if (begin_leaving(now)) {
        goal_ = goal;
        exploring_ = false;
        return true;
    }
    const auto start = standing_cell(now);
    if (!start) return false;
    const auto end = costs_.nearest_passable(goal, 0.3).value_or(grid_.frame().cell_at(goal));
    const map::Plan plan = planner_.plan(grid_, costs_, *start, end);
    if (plan != map::Plan::found && unblock()) return go_to(goal, now);
    if (plan != map::Plan::found) return refuse(plan);
    refusal_ = plan;
    goal_ = goal;
    exploring_ = false;
    return begin(planner_.path(), now);
}

void Navigator::avoid_goal(Instant now) {
    constexpr std::size_t most = 32;
    if (!goal_) return;
    if (avoided_.size() == most) avoided_.erase(avoided_.begin());
    avoided_.push_back({*goal_, now + settings_.avoid_time});
}

bool Navigator::is_avoided(Vec2 goal) const {
    return std::ranges::any_of(avoided_, [&](const AvoidedGoal& avoided) {
        return distance(avoided.at, goal) < settings_.avoid_radius;
    });
}

const map::Frontier* Navigator::best_frontier(const std::vector<map::Frontier>& found, Instant now) {
    std::erase_if(avoided_, [&](const AvoidedGoal& goal) { return now >= goal.until; });
    // Nearest first, but a large one is worth a detour.
    const auto price = [](const map::Frontier& frontier) {
        return static_cast<double>(frontier.steps) -
               0.5 * static_cast<double>(std::min<std::size_t>(frontier.cells.size(), 60));
    };
    const map::Frontier* best = nullptr;
    for (const map::Frontier& frontier : found)
        if (!is_avoided(grid_.frame().middle(frontier.nearest)) &&
            (best == nullptr || price(frontier) < price(*best)))
            best = &frontier;
    return best;
}

bool Navigator::go_exploring(Instant now) {
    if (begin_leaving(now)) {
        goal_ = way_out_;
        exploring_ = true;
        return true;
    }
    const auto start = standing_cell(now);
    if (!start) return false;
    wave_.spread(costs_, *start);
    const auto found = map::frontiers(grid_, wave_, settings_.least_frontier);
    const map::Frontier* frontier = best_frontier(found, now);
    if (!frontier && unblock()) return go_exploring(now);
    explored_ = frontier == nullptr;
    explored_version_ = grid_.version();
    explored_at_ = now;
    if (!frontier) {
        why_not_ = "everything that can be reached has been looked at";
        return false;
    }
    goal_ = grid_.frame().middle(frontier->nearest);
    exploring_ = true;
    return begin(wave_.way_to(frontier->nearest), now);
}

std::vector<map::Cell> Navigator::goals(double least, double most) const {
    std::vector<map::Cell> found;
    for (const std::uint32_t index : wave_.reached()) {
        const map::Cell cell = grid_.frame().cell_of(index);
        const Vec2 at = grid_.frame().middle(cell);
        const double far = distance(at, position(pose_));
        if (far >= least && far <= most && !is_avoided(at)) found.push_back(cell);
    }
    return found;
}

bool Navigator::go_anywhere(Random& random, Instant now, Reach reach) {
    if (begin_leaving(now)) {
        goal_ = way_out_;
        exploring_ = false;
        return true;
    }
    const auto start = standing_cell(now);
    if (!start) return false;
    std::erase_if(avoided_, [&](const AvoidedGoal& goal) { return now >= goal.until; });
    wave_.spread(costs_, *start);
    const bool is_near = reach == Reach::nearby;
    auto choice = goals(1, is_near ? 4 : std::numeric_limits<double>::infinity());
    if (choice.empty() && is_near) choice = goals(2 * grid_.frame().cell, 1);
    if (choice.empty() && unblock()) return go_anywhere(random, now, reach);
    if (choice.empty()) {
        why_not_ = "there is no other place that can be reached";
        return false;
    }
    const map::Cell goal = choice[random.below(choice.size())];
    goal_ = grid_.frame().middle(goal);
    exploring_ = false;
    return begin(wave_.way_to(goal), now);
}

bool Navigator::explored(Instant now) {
    // Checked again occasionally, because doors open.
    if (explored_ && (explored_version_ == grid_.version() || now < explored_at_ + 10s)) return *explored_;
    if (scanned_at_ == Instant::min()) return false;
    const auto start = standing_cell(now);
    explored_version_ = grid_.version();
    explored_at_ = now;
    if (!start) return explored_.value_or(false);
    wave_.spread(costs_, *start);
    // A blocked disc may hide a frontier; go_exploring() removes it.
    explored_ = blocked_.empty() &&
                best_frontier(map::frontiers(grid_, wave_, settings_.least_frontier), now) == nullptr;
    return *explored_;
}

void Navigator::watch_progress(Instant now) {
    const bool fresh = now > noted_at_ + 500ms;
    noted_at_ = now;
    if (fresh || distance(position(pose_), position(mark_)) > 0.08) {
        if (!fresh) forgive();
        mark_progress(now);
    } else if (std::abs(wrapped_angle(pose_.heading - mark_.heading)) > 0.3 &&
               now < moved_at_ + 3 * settings_.patience) {
        // Rotating counts as progress, but not repeatedly.
        mark_.heading = pose_.heading;
        marked_at_ = now;
    } else if (now > marked_at_ + settings_.patience || (ai_.telemetry().motion.stuck && !tries_again_)) {
        hinder(now);
    }
}

void Navigator::mark_progress(Instant now) {
    mark_ = pose_;
    marked_at_ = moved_at_ = now;
}

void Navigator::hinder(Instant now) {
    if (hindered_ && !tries_again_) return;
    hindered_ = true;
    tries_again_ = false;
    hindered_at_ = now;
    hindered_goal_ = goal_;
}

void Navigator::forgive() {
    hindered_ = false;
    tries_again_ = false;
}

void Navigator::try_again(Instant now) {
    if (!hindered_ || tries_again_) return;
    const bool is_other = !hindered_goal_ || distance(*goal_, *hindered_goal_) > settings_.avoid_radius;
    if (!is_other && now < hindered_at_ + settings_.block_time) return;
    tries_again_ = true;
    noted_at_ = now;
    mark_progress(now);
}

bool Navigator::is_docked(Instant now) const {
    constexpr Duration recently = 250ms;
    return on_charger_ && !(centering_at_ && now <= *centering_at_ + recently);
}

std::optional<Pose> Navigator::pose_at_dock() const {
    if (!dock_in_odometry_ || !odometry_) return std::nullopt;
    return composed(frame_between({}, *dock_in_odometry_), *odometry_);
}

std::optional<Navigator::Course> Navigator::course(Instant now) const {
    if (now > noted_at_ + current) return std::nullopt;
    if (approached_) return Course{.goal = *approached_, .path = {*approached_}};
    if (way_out_) return Course{.goal = *way_out_, .path = {*way_out_}};
    if (!goal_) return std::nullopt;
    const auto rest = guide_.rest();
    return Course{.goal = *goal_, .path = {rest.begin(), rest.end()}};
}

void Navigator::note_action(std::string_view name, Instant now) {
    action_ = name;
    acted_at_ = now;
}

std::string_view Navigator::action(Instant now) const {
    return now > acted_at_ + current ? std::string_view() : action_;
}

Navigator::Progress Navigator::follow(Instant now) {
    look(now);
    approached_.reset();
    watch_progress(now);
    if (does_not_get_on()) {
        avoid_goal(now);
        block_ahead(now);
        why_not_ = "it does not get on";
        return Progress::failed;
    }
    // A map that has begun again needs a scan first.
    if (is_relocated_ && lidar_ && scanned_at_ == Instant::min()) return Progress::going;
    if (way_out_) {
        const double left = distance(position(pose_), *way_out_);
        if ((left < 0.05 || is_relocated_ || now >= checked_at_ + 1500ms) && !plan_again(now))
            return explored_.value_or(false) && exploring_ ? Progress::arrived : Progress::failed;
        if (way_out_) {
            ai_.drive(
                straight_pursuit_.next(nullptr, pose_, *way_out_, distance(position(pose_), *way_out_)));
            return Progress::going;
        }
    }
    map::Heading heading = guide_.next(costs_, pose_);
    if (is_relocated_ || (now >= checked_at_ + 1500ms && !heading.arrived)) {
        checked_at_ = now;
        refresh(now);
        // New obstacles on the path, or a goal that was seen from afar, require another path.
        const bool seen = exploring_ && !borders_unknown(grid_, grid_.frame().cell_at(*goal_));
        if (is_relocated_ || seen || !guide_.holds(costs_, pose_)) {
            if (!plan_again(now))
                return explored_.value_or(false) && exploring_ ? Progress::arrived : Progress::failed;
            if (way_out_) return Progress::going;
            heading = guide_.next(costs_, pose_);
        }
    }
    if (heading.arrived) {
        // A robot at its goal need not move. A frontier is different: it ends when it has been seen.
        if (!exploring_) mark_progress(now);
        return Progress::arrived;
    }
    ai_.drive(pursuit_.next(&costs_, pose_, heading.aim, heading.distance));
    return Progress::going;
}

Navigator::Progress Navigator::approach(Vec2 at, double near_enough, Instant now) {
    look(now);
    approached_ = at;
    watch_progress(now);
    if (does_not_get_on()) {
        why_not_ = "it does not get on";
        return Progress::failed;
    }
    const double far = distance(position(pose_), at);
    if (far <= near_enough) return Progress::arrived;
    ai_.drive(straight_pursuit_.next(nullptr, pose_, at, far));
    return Progress::going;
}

bool Navigator::can_approach(Vec2 at, double near_enough, Instant now) {
    refresh(now);
    const Vec2 from = position(pose_);
    const double far = distance(from, at);
    return far <= near_enough || costs_.straight(from, at + (from - at) * (near_enough / far));
}

Navigator::Progress Navigator::face(double heading, Instant now) {
    look(now);
    watch_progress(now);
    const double turn = wrapped_angle(heading - pose_.heading);
    if (std::abs(turn) < 0.15) return Progress::arrived;
    ai_.drive(Velocity{0.0, std::copysign(std::clamp(2.0 * std::abs(turn), 0.3, 1.2), turn)});
    return Progress::going;
}

}  // namespace caribou::robot
