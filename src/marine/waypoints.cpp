#include "marine/waypoints.hpp"

#include <algorithm>
#include <utility>

namespace caribou::marine {

Waypoints::Waypoints(WaypointSettings settings) : settings_(std::move(settings)) { restart(); }

void Waypoints::restart(std::size_t index) {
    index_ = index;
    rounds_ = 0;
    captured_ = 0;
    passed_ = 0;
    leg_start_.reset();
    closest_.reset();
    done_ = index >= settings_.points.size();
}

bool Waypoints::arrived(Vec2 position) {
    const double now = distance(position, next());
    if (now < settings_.capture_radius) {
        ++captured_;
        return true;
    }
    if (settings_.capture_line && leg_start_ && dot(position - next(), next() - *leg_start_) > 0) return true;
    const bool leaves = closest_ && now > *closest_ && *closest_ <= settings_.slip_radius &&
                        settings_.slip_radius > settings_.capture_radius;
    closest_ = std::min(now, closest_.value_or(now));
    return leaves;
}

void Waypoints::advance() {
    ++passed_;
    leg_start_ = next();
    closest_.reset();
    if (++index_ < settings_.points.size()) return;
    index_ = 0;
    ++rounds_;
    if (settings_.repeat && rounds_ > *settings_.repeat) done_ = true;
}

Vec2 Waypoints::steering_point(Vec2 position) const {
    const Vec2 goal = next();
    if (settings_.lead < 0 || !leg_start_) return goal;
    const Vec2 leg = goal - *leg_start_;
    const double whole = length(leg);
    if (whole == 0) return goal;
    const Vec2 along = leg * (1 / whole);
    const double at = dot(position - *leg_start_, along) + settings_.lead;
    return at >= whole ? goal : *leg_start_ + along * at;
}

std::optional<Vec2> Waypoints::steer(Vec2 position) {
    // Several points may be within the capture radius; one round at most is skipped in a step.
    for (std::size_t i = 0; i < settings_.points.size() && !done_ && arrived(position); ++i) advance();
    if (done_) return std::nullopt;
    return steering_point(position);
}

std::size_t nearest_vertex(const std::vector<Vec2>& vertices, Vec2 position) {
    const auto nearest =
        std::ranges::min_element(vertices, {}, [&](Vec2 vertex) { return distance(vertex, position); });
    return static_cast<std::size_t>(nearest - vertices.begin());
}

}  // namespace caribou::marine
