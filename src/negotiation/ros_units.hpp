#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caribou::negotiation {

/// The unit of a variable on the bus, as a linear conversion to ROS 2, which uses SI units and the frames of
/// REP-103: x ahead or east, y to the left or north, z up, angles counter-clockwise from x.
struct RosUnit {
    double factor = 1;
    double offset = 0;
    bool is_angle = false;  ///< periodic: values written to the bus are normalized to one turn

    double to_ros(double value) const { return value * factor + offset; }
    double from_ros(double value) const;

    friend bool operator==(const RosUnit&, const RosUnit&) = default;
};

/// Returns the unit of that name, such as `deg`, `kn` or `compass deg`, or null if it is unknown.
const RosUnit* find_unit(std::string_view name);
/// Returns the names of all units, for error messages.
std::span<const std::string> known_units();

/// The non-zero components of a quaternion that rotates about z only.
struct PlanarRotation {
    double z = 0;
    double w = 1;
};
/// Returns the rotation by `yaw` radians about z.
PlanarRotation rotation_of(double yaw);
/// Returns the angle about z of any rotation, in radians.
double yaw_of(double x, double y, double z, double w);

}  // namespace caribou::negotiation
