#pragma once

#include <limits>

#include "motion/body.hpp"

namespace caribou::motion {

/// How far the hull can move straight forward and backward before it touches a detected object. Negative if
/// the object is inside the hull.
class Clearance {
public:
    /// `margin`: objects up to this distance beside the hull count as in the path.
    Clearance(double radius, double margin) : radius_(radius), reach_aside_(radius + margin) {}

    /// Adds the reading of a sensor at `pose`; an infinite distance means no echo.
    void add(const Pose& pose, double distance);
    /// Adds the scan of a lidar at `pose`.
    void add(const Pose& pose, const LidarScan& scan);
    /// Merges an earlier clearance, after the robot may have come closer by `driven`.
    void merge(const Clearance& other, double driven);

    /// Adds an object, in the robot's frame.
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

/// Return whether a sensor with this pose looks forward or backward; neither for sideways.
bool looks_ahead(const Pose& pose);
bool looks_behind(const Pose& pose);

}  // namespace caribou::motion
