#pragma once

#include <cstddef>
#include <string>

#include "base/bytes.hpp"
#include "loop/time.hpp"

namespace caribou::devices {

/// One measurement of a lidar.
struct LidarPoint {
    double clockwise = 0.0;  ///< rad, seen from above, from the front of the lidar
    double range = 0.0;      ///< m; NaN: no reading
    Instant at{};
};

/// Takes the points of a lidar, and the ends of its turns.
class PointSink {
public:
    virtual ~PointSink() = default;
    virtual void add(const LidarPoint& point) = 0;
    /// All points since the last call belong to one turn.
    virtual void end_turn() = 0;
};

/// A lidar on a serial port: a state machine over its bytes and the time, used as a Base is.
class Lidar {
public:
    virtual ~Lidar() = default;

    virtual double reach() const = 0;  ///< m
    /// The baud rate at which the port is opened.
    virtual int baud() const = 0;
    /// The port was opened, perhaps again.
    virtual void begin(Instant now) = 0;
    virtual void on_bytes(ByteView bytes, Instant now) = 0;
    virtual void tick(Instant now) = 0;
    /// Stops the motor, if the device has a command for that.
    virtual void end() = 0;
};

}  // namespace caribou::devices
