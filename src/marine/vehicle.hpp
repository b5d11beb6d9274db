#pragma once

#include "base/geometry.hpp"
#include "loop/time.hpp"
#include "marine/thrust_map.hpp"

namespace caribou::marine {

/// The configuration of a simulated vehicle, with the defaults of uSimMarine.
struct VehicleSettings {
    ThrustMap thrust_map;
    double turn_rate = 70;            ///< 0 to 100
    double turn_speed_loss = 0.85;    ///< part of the speed that is lost at full rudder
    double max_acceleration = 0;      ///< m/s², 0: no limit
    double max_deceleration = 0.5;    ///< m/s², 0: no limit
    double max_speed = 5;             ///< m/s
    double max_rudder_rate = 0;       ///< degrees per second, 0: no limit
    double buoyancy_rate = 0.025;     ///< m/s
    double max_depth_rate = 0.5;      ///< m/s
    double max_depth_rate_speed = 2;  ///< m/s, at which the full depth rate is possible
};

struct VehicleState {
    double x = 0, y = 0;  ///< meters
    double heading = 0;   ///< degrees
    double speed = 0;     ///< m/s
    double depth = 0;     ///< meters
    double pitch = 0;     ///< radians
    double heading_over_ground = 0;
    double speed_over_ground = 0;

    Vec2 position() const { return {x, y}; }
};

/// A simulated vehicle on or under water with the dynamics of uSimMarine (docs/marine.md).
class Vehicle {
public:
    Vehicle(VehicleSettings settings, VehicleState start) : settings_(std::move(settings)), state_(start) {}

    // Orders, from -100 to 100.
    void order_thrust(double thrust) { thrust_ = thrust; }
    /// Moves the rudder towards `rudder`, by at most 100 or what the rudder's rate permits.
    void order_rudder(double rudder, Instant now);
    void order_elevator(double elevator) { elevator_ = elevator; }
    /// With thrust on each side instead of thrust and rudder.
    void order_sides(double left, double right);
    void set_differential(bool differential) { differential_ = differential; }
    void set_reverse(bool reverse) { reverse_ = reverse; }

    void set_drift(Vec2 drift) { drift_ = drift; }
    Vec2 drift() const { return drift_; }
    void set_rotate_speed(double degrees_per_second) { rotate_speed_ = degrees_per_second; }
    void set_turn_rate(double rate) { settings_.turn_rate = rate; }
    void set_buoyancy_rate(double rate) { settings_.buoyancy_rate = rate; }
    void reset(const VehicleState& state) { state_ = state; }

    /// Moves the vehicle by one step of `dt` seconds.
    void step(double dt);
    const VehicleState& state() const { return state_; }

private:
    double next_speed(double thrust, double rudder, double dt) const;
    double turned(double speed, double thrust, double rudder, double dt) const;
    void dive(double speed, double dt);

    VehicleSettings settings_;
    VehicleState state_;
    double thrust_ = 0;
    double rudder_ = 0;
    double elevator_ = 0;
    Vec2 sides_{};  ///< left and right
    bool differential_ = false;
    bool reverse_ = false;
    Vec2 drift_{};
    double rotate_speed_ = 0;
    bool had_rudder_ = false;
    Instant last_rudder_{};
};

}  // namespace caribou::marine
