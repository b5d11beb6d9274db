#pragma once

#include <limits>

#include "motion/body.hpp"

namespace caribou::motion {

/// How far the hull can go straight ahead and back before it touches something that a sensor sees.
/// Negative: that is inside the hull already.
class Clearance {
public:
    /// `margin`: what stands this far beside the hull counts as in the way.
    Clearance(double radius, double margin) : radius_(radius), reach_aside_(radius + margin) {}

    /// A sensor at `pose` sees something at `distance`, or nothing if that is infinite.
    void add(const Pose& pose, double distance);
    /// The lidar at `pose` sees all around.
    void add(const Pose& pose, const LidarScan& scan);
    /// The same as seen from there, after the robot may have come closer by `driven`.
    void merge(const Clearance& other, double driven);

    /// Something stands there, in the robot's frame.
    void add_point(double x, double y);

    double ahead() const { return ahead_; }
    double behind() const { return behind_; }
    bool sees_ahead() const { return sees_ahead_; }
    bool sees_behind() const { return sees_behind_; }

private:
    double radius_;
    double reach_aside_;
    double ahead_ = std::numeric_limits<double>::infinity();
    double behind_ = std::numeric_limits<double>::infinity();
    bool sees_ahead_ = false;
    bool sees_behind_ = false;
};

/// Whether a sensor there looks ahead, or behind; neither: aside.
bool looks_ahead(const Pose& pose);
bool looks_behind(const Pose& pose);

}  // namespace caribou::motion
