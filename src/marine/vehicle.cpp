#include "marine/vehicle.hpp"

#include <algorithm>
#include <cmath>

#include "marine/angles.hpp"

namespace caribou::marine {
namespace {

/// The speed at which the turn rate is complete, in m/s.
constexpr double full_turn_speed = 5;
constexpr double neutral_thrust = 50;
constexpr double differential_turn = 36;

double clipped(double value) { return std::clamp(value, -100.0, 100.0); }

}  // namespace

void Vehicle::order_rudder(double rudder, Instant now) {
    double most = 100;
    if (settings_.max_rudder_rate > 0 && had_rudder_)
        most = settings_.max_rudder_rate * std::max(0.0, to_seconds(now - last_rudder_));
    rudder_ += std::clamp(rudder - rudder_, -most, most);
    last_rudder_ = now;
    had_rudder_ = true;
}

void Vehicle::order_sides(double left, double right) { sides_ = {clipped(left), clipped(right)}; }

double Vehicle::next_speed(double thrust, double rudder, double dt) const {
    const double before = state_.speed;
    double speed = settings_.thrust_map.speed(thrust);
    speed *= 1 - settings_.turn_speed_loss * std::abs(rudder) / 100;
    if (speed > before && settings_.max_acceleration > 0)
        speed = std::min(speed, before + settings_.max_acceleration * dt);
    if (speed < before && settings_.max_deceleration > 0)
        speed = std::max(speed, before - settings_.max_deceleration * dt);
    return std::min(speed, settings_.max_speed);
}

double Vehicle::turned(double speed, double thrust, double rudder, double dt) const {
    if (differential_) return differential_turn * (sides_.x - sides_.y) / 200 * dt + rotate_speed_ * dt;
    if (speed == 0) rudder = 0;
    const double rate = std::clamp(settings_.turn_rate * std::min(speed / full_turn_speed, 1.0), 0.0, 100.0);
    return rudder * rate / 100 * dt * (thrust / neutral_thrust) + rotate_speed_ * dt;
}

void Vehicle::dive(double speed, double dt) {
    double pitch = 0;
    if (speed <= 0) {
        state_.depth -= settings_.buoyancy_rate * dt;
    } else {
        const double relative =
            settings_.max_depth_rate_speed > 0 ? std::min(speed / settings_.max_depth_rate_speed, 1.0) : 1;
        const double by_pitch = -speed * std::sin(state_.pitch);
        const double by_elevator = clipped(elevator_) / 100 * settings_.max_depth_rate * std::sqrt(relative);
        state_.depth += dt * (-settings_.buoyancy_rate + by_pitch + by_elevator);
        const double sine = (by_pitch + by_elevator) / speed;
        if (std::abs(sine) <= 1) pitch = -std::asin(sine);
    }
    state_.pitch = pitch;
    state_.depth = std::max(state_.depth, 0.0);
}

void Vehicle::step(double dt) {
    if (!(dt > 0)) return;
    double thrust = differential_ ? (sides_.x + sides_.y) / 2 : clipped(thrust_);
    double rudder = differential_ ? (sides_.x - sides_.y) / 2 : clipped(rudder_);
    if (reverse_) {
        thrust = -thrust;
        rudder = -rudder;
    }
    const double speed_before = state_.speed;
    const double heading_before = state_.heading;
    const double speed = next_speed(thrust, rudder, dt);
    state_.heading = folded_360(heading_before + turned(speed, thrust, rudder, dt));
    dive(speed, dt);
    // The mean is the new speed, so that a step of the thrust takes effect by halves.
    state_.speed = (speed + speed_before) / 2;
    const Vec2 mean = unit_vector(heading_before) + unit_vector(state_.heading);
    const double direction = length(mean) < 1e-9 ? state_.heading : heading_of(mean);
    const Vec2 moved = (unit_vector(direction) * state_.speed + drift_) * dt;
    state_.x += moved.x;
    state_.y += moved.y;
    state_.speed_over_ground = length(moved) / dt;
    state_.heading_over_ground = moved == Vec2{} ? state_.heading : heading_of(moved);
}

}  // namespace caribou::marine
