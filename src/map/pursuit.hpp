#pragma once

#include "base/velocity.hpp"
#include "map/cost_map.hpp"

namespace caribou::map {

struct PursuitSettings {
    double speed = 0.45;              ///< m/s
    double end_speed = 0.12;          ///< m/s; at the end of a path
    double slowing = 0.6;             ///< m/s per meter that is left of the path
    double turn_speed = 1.6;          ///< rad/s
    double side_acceleration = 0.25;  ///< m/s2; in a curve
    double sharp = 1.2;               ///< rad; what is further aside is faced on the spot first
    double aligned = 0.25;            ///< rad; until then
    double shortest_reach = 0.2;      ///< m; no curve is tighter than to a point at this distance
};

/// Follows a path by regulated pure pursuit: drives the circle to a point of the path ahead of the robot,
/// slower the tighter the circle is and the nearer the end of the path. Turns on the spot only if the point
/// is far aside, or if the robot does not fit on the circle.
class Pursuit {
public:
    explicit Pursuit(const PursuitSettings& settings) : settings_(settings) {}

    /// Returns the velocity towards `aim`, when `left` meters of the path are left. `costs` may be null: then
    /// every circle counts as free.
    Velocity next(const CostMap* costs, const Pose& pose, Vec2 aim, double left);
    /// Forgets whether it was turning on the spot. For another path.
    void restart() { is_turning_ = false; }

private:
    Velocity turn(double aside) const;
    Velocity drive(double aside, double reach, double left) const;

    PursuitSettings settings_;
    bool is_turning_ = false;
};

/// Returns whether the robot fits on the circle that starts in its direction and leads to `aim`.
bool is_circle_free(const CostMap& costs, const Pose& pose, Vec2 aim);

}  // namespace caribou::map
