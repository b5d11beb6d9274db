// The map of the navigator as a whole: stored, loaded, and its places.
#include <algorithm>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/suggestion.hpp"
#include "map/scan_match.hpp"
#include "map/stored_map.hpp"
#include "robot/navigator.hpp"

namespace caribou::robot {

map::StoredMap Navigator::stored_map() const {
    return {.grid = grid_,
            .dock = dock_ || !on_charger_ ? dock_ : std::optional(pose_),
            .places = places_,
            .zones = *zones_};
}

Result<Navigator::Located> Navigator::load_map(map::StoredMap stored, const Pose& guess, Instant now) {
    if (!odometry_) return fail(Code::unavailable, "there is no telemetry yet");
    if (lidar_ && !scan_) return fail(Code::unavailable, "there is no scan yet");
    Pose odom_in_map = frame_between(guess, *odometry_);
    double score = 0;
    if (lidar_) {
        const map::ScanMatch match = map::locate_scan(
            stored.grid,
            {composed(odom_in_map, scan_from_), scan_->first_angle, scan_->angle_step, scan_->ranges});
        if (match.score < sure_match)
            return fail(Code::not_found,
                        fmt::format("the scan does not match the map near {:.2f}, {:.2f}: {:.0f} % of it, "
                                    "and {:.0f} % are needed",
                                    guess.x, guess.y, 100 * match.score, 100 * sure_match));
        odom_in_map = frame_between(match.pose, scan_from_);
        score = match.score;
    }
    grid_.replace(std::move(stored.grid));
    dock_ = stored.dock;
    places_ = std::move(stored.places);
    zones_ = std::make_shared<const std::vector<Zone>>(std::move(stored.zones));
    odom_in_map_ = odom_in_map;
    pose_ = composed(odom_in_map_, *odometry_);
    scanned_at_ = now;
    forget_goals();
    return Located{pose_, score};
}

void Navigator::forget_goals() {
    costs_version_.reset();
    goal_.reset();
    way_out_.reset();
    guide_ = {};
    avoided_.clear();
    blocked_.clear();
    cubes_.clear();
    explored_.reset();
    forgive();
    mark_ = pose_;
}

void Navigator::count_errand(std::string failure) {
    if (failure.empty()) {
        ++errand_.arrivals;
    } else {
        ++errand_.failed_tries;
        errand_.failure = std::move(failure);
    }
}

void Navigator::set_places(std::vector<map::Place> places) {
    places_ = std::move(places);
    if (!errand_.place || errand_.place->name == map::dock_name) return;
    const auto found = std::ranges::find(places_, errand_.place->name, &map::Place::name);
    if (found != places_.end() && found->pose == errand_.place->pose) return;
    ++errand_.losses;
    errand_.loss = fmt::format("the place `{}` was {}", errand_.place->name,
                               found == places_.end() ? "removed" : "moved");
}

void Navigator::set_zones(std::vector<Zone> zones) {
    zones_ = std::make_shared<const std::vector<Zone>>(std::move(zones));
    costs_version_.reset();
    explored_.reset();
    checked_at_ = Instant::min();
}

std::string_view Navigator::closed_in() const {
    for (const Zone& zone : *zones_)
        if (zone.kind == ZoneKind::keep_out &&
            signed_distance(zone.corners, position(pose_)) < ai_.body().radius)
            return zone.name;
    return {};
}

std::optional<Vec2> Navigator::find_way_out(Instant now) {
    constexpr int headings = 32;
    constexpr double step = 0.05;      // m
    constexpr double farthest = 6;     // m
    constexpr double rounding = 1e-9;  // m
    refresh(now);
    map::CostSettings settings = cost_settings();
    settings.zones = nullptr;
    const map::CostMap without_zones(grid_, settings);
    const double kept = ai_.body().radius + settings_.margin;  // between a zone and the center
    const Vec2 from = position(pose_);
    std::optional<Vec2> nearest;
    double reach = farthest;
    for (int i = 0; i < headings; ++i) {
        const Vec2 way = towards(2 * std::numbers::pi * i / headings);
        // Propulsion lets a robot that is too near to a zone only go where the distance does not shrink.
        const auto may_go_on = [&](double far) {
            return std::ranges::all_of(*zones_, [&](const Zone& zone) {
                if (zone.kind != ZoneKind::keep_out) return true;
                const double before = signed_distance(zone.corners, from + way * far);
                const double after = signed_distance(zone.corners, from + way * (far + step));
                return after > kept || after >= before - rounding;
            });
        };
        for (double far = 0; far + step < reach && may_go_on(far); far += step) {
            const Vec2 at = from + way * (far + step);
            if (!costs_.passable(grid_.frame().cell_at(at))) continue;
            if (without_zones.straight(from, at)) {
                nearest = at;
                reach = far + step;
            }
            break;
        }
    }
    return nearest;
}

bool Navigator::begin_leaving(Instant now) {
    way_out_.reset();
    if (awaits_frame_ || closed_in().empty()) return false;
    way_out_ = find_way_out(now);
    if (!way_out_) return false;
    refusal_ = map::Plan::start_forbidden;
    straight_pursuit_.restart();
    checked_at_ = now;
    is_relocated_ = false;
    return true;
}

bool Navigator::needs_way_out(Instant now) {
    if (awaits_frame_ || on_charger_ || closed_in().empty()) return false;
    return !find_way_out(now);
}

Result<Pose> Navigator::place(std::string_view name) const {
    if (name == map::dock_name && dock_) return *dock_;
    const auto found = std::ranges::find(places_, name, &map::Place::name);
    if (found != places_.end()) return found->pose;
    if (name == map::dock_name)
        return fail(Code::not_found, "the place `dock` is not known: the robot has not seen its dock yet");
    std::vector<std::string> known;
    if (dock_) known.emplace_back(map::dock_name);
    for (const map::Place& place : places_) known.push_back(place.name);
    return fail(Code::not_found, fmt::format("there is no place `{}`{}", name,
                                             known.empty() ? "; the map has none" : instead_of(name, known)));
}

}  // namespace caribou::robot
