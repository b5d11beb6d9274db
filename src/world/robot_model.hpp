#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/geometry.hpp"

namespace caribou::world {

/// A sensor that tells how far the next thing is, from the hull outwards.
struct RangeSensor {
    std::string name;
    double bearing;  ///< radians, counterclockwise from straight ahead

    friend bool operator==(const RangeSensor&, const RangeSensor&) = default;
};

/// Eight, from the front counterclockwise.
std::vector<RangeSensor> default_ring();
/// Their names.
std::vector<std::string> names_of(const std::vector<RangeSensor>& sensors);

struct Battery {
    double capacity = 18'000;  ///< joules: half an hour of driving
    double electronics = 4;    ///< watts, always
    double drive = 14;         ///< watts for a wheel at 1 m/s
    double stall = 8;          ///< watts for a wheel that is held
    double charger = 60;       ///< watts that come in on the charger
    double level = 1;          ///< share, at the start
    double empty_volts = 10.0;
    double full_volts = 12.6;
};

/// A round robot with two wheels. The defaults are a small one for a flat.
struct RobotModel {
    double radius = 0.15;       ///< metres
    double wheel_base = 0.24;   ///< metres between the wheels
    double max_speed = 0.6;     ///< metres a second, of a wheel
    double acceleration = 2.0;  ///< metres a second a second, of a wheel, at most
    double lag = 0.04;          ///< seconds until a wheel has two thirds of a change
    double ticks_per_metre = 2000;
    std::vector<RangeSensor> ranges = default_ring();
    double range_reach = 2.0;    ///< metres
    std::size_t beams = 180;     ///< of the lidar, all around
    double lidar_reach = 8.0;    ///< metres
    double cube_sight = 2.5;     ///< metres within which it sees cubes
    double field_of_view = 1.6;  ///< radians in which it sees them
    Battery battery{};
};

}  // namespace caribou::world
