#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/geometry.hpp"

namespace caribou::world {

/// A sensor that measures the distance from the hull to the nearest object.
struct RangeSensor {
    std::string name;
    double bearing;  ///< radians, counterclockwise from straight ahead

    friend bool operator==(const RangeSensor&, const RangeSensor&) = default;
};

/// Returns eight sensors, counterclockwise from the front.
std::vector<RangeSensor> default_ring();
/// Returns the names of the sensors.
std::vector<std::string> names_of(const std::vector<RangeSensor>& sensors);

struct Battery {
    double capacity = 18'000;  ///< joules; enough for half an hour of driving
    double electronics = 4;    ///< watts, always consumed
    double drive = 14;         ///< watts per wheel at 1 m/s
    double stall = 8;          ///< watts for a blocked wheel
    double charger = 60;       ///< watts received on the charger
    double level = 1;          ///< initial fraction of the capacity
    double empty_volts = 10.0;
    double full_volts = 12.6;
};

/// A round robot with differential drive. The defaults describe a small indoor robot.
struct RobotModel {
    double radius = 0.15;       ///< meters
    double wheel_base = 0.24;   ///< meters between the wheels
    double max_speed = 0.6;     ///< m/s, of a wheel
    double acceleration = 2.0;  ///< maximum of a wheel, in m/s²
    double lag = 0.04;          ///< time constant of a wheel's speed, in seconds
    double ticks_per_metre = 2000;
    std::vector<RangeSensor> ranges = default_ring();
    double range_reach = 2.0;    ///< meters
    std::size_t beams = 180;     ///< of the lidar, evenly spread over the full circle
    double lidar_reach = 8.0;    ///< meters
    double cube_sight = 2.5;     ///< maximum distance in meters at which it sees cubes
    double field_of_view = 1.6;  ///< radians, for seeing cubes
    Battery battery{};
};

}  // namespace caribou::world
