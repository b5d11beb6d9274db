#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caribou::negotiation {

/// What a variable on the bus is measured in. ROS 2 has SI units and the frames of REP-103: x ahead or east,
/// y to the left or north, z up, angles counter-clockwise from x.
struct RosUnit {
    double factor = 1;
    double offset = 0;
    bool is_angle = false;  ///< goes round: what comes to the bus is brought to one turn

    double to_ros(double value) const { return value * factor + offset; }
    double from_ros(double value) const;

    friend bool operator==(const RosUnit&, const RosUnit&) = default;
};

/// By its name: `deg`, `kn`, `compass deg`; null if there is none.
const RosUnit* find_unit(std::string_view name);
std::span<const std::string> known_units();

/// A rotation about z alone, as ROS 2 writes it, and the angle about z of any rotation.
struct PlanarRotation {
    double z = 0;
    double w = 1;
};
PlanarRotation rotation_of(double yaw);
double yaw_of(double x, double y, double z, double w);

}  // namespace caribou::negotiation
